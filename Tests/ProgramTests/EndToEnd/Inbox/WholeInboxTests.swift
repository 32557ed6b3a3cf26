import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Tabs, pages and actions on the whole inbox, also on notifications that are not loaded: the built agent and the
/// sandbox.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct WholeInboxTests {
    private static let tabs = """
        [[accounts.work.stores]]
        id = "one"
        label = "One"
        tags = ["one"]
        [[accounts.work.stores]]
        id = "two"
        label = "Two"
        tags = ["two"]

        """
    private static let single = "[popups]\ngroup_above = 100\n"

    @Test("A notification on a further page is archived when it expires, too") func expiryOnAFurtherPage() async throws
    {
        try await Sandbox.with(SandboxOptions(users: ["anna"])) { sandbox in
            let expiry = Int64(time(nil)) * 1000 + 4000
            let id = try await sandbox.publish(["header": "Old", "text": "x", "expiry": .integer(expiry)])
            for number in 1...2 { try await sandbox.publish(["header": .string("N\(number)"), "text": "x"]) }
            let text = AgentConfiguration.account(url: sandbox.baseURL) + "page_size = 1\n"
            try await BuiltAgent.with(text, sandbox: sandbox) { agent in
                var options = ListOptions()
                options.limit = 3
                try await waiting(for: "the end of \(id)", every: .milliseconds(20)) {
                    try await agent.account.call(AgentInbox.list, options.values).map { $0["id"] }
                } until: {
                    !$0.contains(.string(id))
                }
                options.archived = true
                let archived = try await agent.account.call(AgentInbox.list, options.values)
                #expect(archived.map { $0["id"] } == [.string(id)])
            }
        }
    }

    private func failures(_ path: String, status: Int = 503, times: Int = 1) -> RequestFault {
        .status(status, method: "PATCH", path: "/v1/feed/\(path)", times: times)
    }

    /// The service's clock may differ from this computer's.
    @Test(
        "Read-all that is retried does not mark newer notifications as read",
        arguments: [0, -3_600_000, 3_600_000] as [Int64]
    )
    func retriedReadAll(clockOffset: Int64) async throws {
        let options = SandboxOptions(users: ["anna"], clockOffset: clockOffset)
        try await Sandbox.with(options) { sandbox in
            let text = AgentConfiguration.account(url: sandbox.baseURL) + Self.single
            try await BuiltAgent.with(text, sandbox: sandbox) { agent in
                var old: [String] = []
                for number in 1...2 {
                    old.append(try await sandbox.publish(["header": .string("Old \(number)"), "text": "x"]))
                    _ = try await agent.popup()
                }
                await sandbox.inject(failures("mark_all_read"))
                try await agent.account.call(AgentInbox.markAllRead)
                try await sandbox.waitForRequest { $0.path == "/v1/feed/mark_all_read" && $0.isSpoilt }
                try await sandbox.execute(
                    "publish",
                    ["notifications": .array((1...5).map { ["header": .string("New \($0)"), "text": "x"] })]
                )
                for _ in 1...5 { #expect(try await agent.popup().summary.hasPrefix("New")) }
                try await agent.account.wait(AgentAccount.pendingActions, is: 0)
                let rows = await sandbox.inbox("anna").rows
                #expect(Set(rows.filter(\.isRead).map(\.id)) == Set(old))
                #expect(rows.count == 7)
                try await agent.account.wait(AgentInbox.unreadCount, is: 5)
            }
        }
    }

    @Test(
        "Read-all that is retried is one request if nothing newer came",
        .builtAgent(configuration: Self.single)
    )
    func retriedReadAllIsOneRequest() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        for number in 1...3 {
            _ = try await sandbox.publish(["header": .string("Old \(number)"), "text": "x"])
            _ = try await agent.popup()
        }
        await sandbox.inject(failures("mark_all_read"))
        try await agent.account.call(AgentInbox.markAllRead)
        try await agent.account.wait(AgentAccount.pendingActions, is: 0)
        #expect(await sandbox.inbox("anna").rows.allSatisfy(\.isRead))
        let paths = await sandbox.requests.filter { $0.method == "PATCH" }.map(\.path)
        #expect(paths == ["/v1/feed/mark_all_read", "/v1/feed/mark_all_read"])
    }

    @Test(
        "A badge reset that is retried does not hide newer notifications",
        .builtAgent(configuration: Self.single)
    ) func retriedBadgeReset() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        _ = try await sandbox.publish(["header": "Old", "text": "x"])
        _ = try await agent.popup()
        // However often a slow computer retries before the new notification is there, no retry succeeds.
        await sandbox.inject(failures("reset_bell_count", times: .max))
        try await agent.account.call(AgentInbox.resetBadge)
        try await sandbox.waitForRequest { $0.path == "/v1/feed/reset_bell_count" && $0.isSpoilt }
        // The times are milliseconds, and one of the same is not newer.
        try await Task.sleep(for: .milliseconds(2))
        _ = try await sandbox.publish(["header": "New", "text": "x"])
        _ = try await agent.popup()
        try await agent.account.wait(AgentAccount.pendingActions, is: 0)
        #expect(await !sandbox.requests.contains { $0.path == "/v1/feed/reset_bell_count" && !$0.isSpoilt })
        try await agent.account.wait(AgentInbox.badgeCount) { $0 > 0 }
    }

    @Test(
        "The unread count is the service's, whatever is loaded and whichever tab is shown",
        .builtAgent(configuration: Self.tabs + Self.single)
    )
    func unreadCount() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let start = Int64(Date().timeIntervalSince1970 * 1000) - 1_000_000
        func publish(_ count: Int, tag: String) async throws {
            let rows = (0..<count).map {
                [
                    "header": .string("\(tag) \($0)"), "text": "x", "tags": [.string(tag)],
                    "created_on": .integer(start + Int64($0)),
                ] as JSON
            }
            try await sandbox.execute("publish", ["notifications": .array(rows), "announce": false])
        }
        try await publish(150, tag: "one")
        try await publish(200, tag: "two")
        let last = try await sandbox.publish(["header": "Last", "text": "x", "tags": ["two"]])
        try await agent.account.wait(AgentInbox.unreadCount, is: 351)
        #expect(try await agent.account.call(AgentInbox.list, [:]).count <= 200)
        try await agent.account.call(AgentInbox.markRead, [last])
        try await agent.account.wait(AgentInbox.unreadCount, is: 350)
        try await agent.account.wait(AgentInbox.tabs) { $0.map(\.elements.2) == [150, 200] }
        // The notifications without an event may have come after the list was loaded.
        try await agent.account.call(AgentInbox.refresh)
        let tab: [String: Value] = ["tab": .string("two"), "limit": .uint32(250)]
        #expect(try await agent.account.call(AgentInbox.list, tab).count == 201)
        #expect(try await agent.account.get(AgentInbox.totalCount) == 351)
        #expect(try await agent.account.get(AgentInbox.unreadCount) == 350)
        try await agent.account.call(AgentInbox.markAllRead)
        try await agent.account.wait(AgentInbox.unreadCount, is: 0)
        try await agent.account.wait(AgentAccount.pendingActions, is: 0)
        #expect(try await agent.account.get(AgentInbox.unreadCount) == 0)
    }

    @Test(
        "Notifications of 60 kB are all listed, although a page of them is too large for one answer",
        .builtAgent(configuration: "page_size = 100\n")
    )
    func longNotifications() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let text = JSON.string(String(repeating: "x", count: 60_000))
        let rows = (1...120).map { ["created_on": .integer(1_700_000_000_000 + $0), "text": text] as JSON }
        try await sandbox.execute("publish", ["notifications": .array(rows), "announce": false])
        // Seven megabytes take their time on a busy computer.
        try await agent.account.call(AgentInbox.refresh, timeout: nil)
        let options = ["limit": Value.uint32(110)]
        let ids = try await agent.account.call(AgentInbox.list, options, timeout: nil).map { NotificationRecord($0).id }
        #expect(ids == (await sandbox.inbox("anna").rows.prefix(110).map(\.id)))
        #expect(try await agent.account.call(AgentInbox.listProblem, options, timeout: nil) == "")
        #expect(try await agent.account.get(AgentAccount.state) == "online")
    }

    @Test(
        "Beyond 5,000 rows, with seventy of each time, each is listed once, with few requests more than pages",
        // With an API key, MagicBell's limit of requests makes it wait for a minute.
        arguments: [TestedService.suprSend, .magicBellToken]
    )
    func ties(service: TestedService) async throws {
        try await service.withAgent(configuration: "page_size = 100\n") { sandbox, agent in
            // In seconds, or in milliseconds.
            let unit: Int64 = service == .suprSend ? 1_000 : 1
            let rows = (0..<5_600).map { number in
                service.fields("Nr \(number)", created: .integer((1_700_000_000 + Int64(number / 70)) * unit))
            }
            try await sandbox.execute("publish", ["notifications": .array(rows), "announce": false])
            try await agent.account.call(AgentInbox.refresh, timeout: nil)
            func pages() async -> Int { await sandbox.requests.count { $0.path == service.listPath } }
            let before = await pages()
            let list = ["list", "--format", "{id}", "--limit", "6000", "--timeout", "3600"]
            let outcome = try await Programs.run("feedbell", list)
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            let ids = outcome.output.split(separator: "\n")
            #expect(ids.count == 5_600)
            #expect(Set(ids).count == ids.count)
            #expect(await pages() - before < 90)
        }
    }

    @Test("A list that cannot be loaded completely says so, and ends with exit code 7", .builtAgent())
    func incompleteList() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let rows = (1...40).map { ["created_on": .integer(1_700_000_000_000 + $0), "text": "x"] as JSON }
        try await sandbox.execute("publish", ["notifications": .array(rows), "announce": false])
        try await agent.account.call(AgentInbox.refresh)
        await sandbox.inject(.status(503, method: "GET", path: "/v1/feed/notifications", times: 100))
        let outcome = try await Programs.run("feedbell", ["list", "--limit", "40"])
        #expect(outcome.output.split(separator: "\n").count == 20)
        #expect(outcome.status == .exited(7))
        #expect(outcome.errors.hasPrefix("feedbell: Some notifications are missing: SuprSend "))
        #expect(try await Programs.run("feedbell", ["list", "--limit", "20"]).status == .exited(0))
    }

    @Test(
        "Another tab keeps popups open and signals no removals; what is handled in it closes its popup",
        .builtAgent(configuration: Self.tabs + Self.single)
    )
    func anotherTab() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let signals = try await agent.account.signals(of: AgentInbox.self)
        let one = try await sandbox.publish(["header": "One", "text": "x", "tags": ["one"]])
        let popupOfOne = try await agent.popup()
        let two = try await sandbox.publish(["header": "Two", "text": "x", "tags": ["two"]])
        let popupOfTwo = try await agent.popup()
        for tab in ["two", "one", "two"] {
            _ = try await agent.account.call(AgentInbox.list, ["tab": .string(tab)])
        }
        // The popup that comes afterwards shows that nothing was closed before.
        let third = try await sandbox.publish(["header": "Three", "text": "x", "tags": ["one"]])
        let popupOfThree = try await agent.popup()
        #expect(await agent.server.closeCalls.isEmpty)
        // Read elsewhere, and read here, while the other tab is shown.
        try await sandbox.execute("act", ["n_id": .string(one), "action": "read", "user": "anna"])
        try await agent.closed(popupOfOne.id)
        try await agent.account.call(AgentInbox.markRead, [third])
        try await agent.closed(popupOfThree.id)
        try await sandbox.execute("read-all", ["user": "anna"])
        try await agent.closed(popupOfTwo.id)

        try await agent.account.call(AgentInbox.archive, [two])
        var (arrived, removed) = ([String](), [String]())
        while removed.isEmpty {
            let message = try #require(await signals.next())
            if let (id, _) = try AgentInbox.notificationArrived.decode(message) { arrived.append(id) }
            if let id = try AgentInbox.notificationRemoved.decode(message) { removed.append(id) }
        }
        #expect(arrived == [one, two, third])
        #expect(removed == [two], "only the archived one")
    }

    @Test(
        "Popups held back by a pause survive a look at another tab",
        .builtAgent(configuration: Self.tabs + Self.single)
    ) func pauseAndTabs() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let root = agent.root
        try await root.call(AgentRoot.pause, 0)
        _ = try await sandbox.publish(["header": "Held", "text": "x", "tags": ["one"]])
        try await agent.account.wait(AgentInbox.unreadCount, is: 1)
        _ = try await agent.account.call(AgentInbox.list, ["tab": .string("two")])
        try await root.call(AgentRoot.resume)
        #expect(try await agent.popup().summary == "Held")
    }

    @Test(
        "Actions of one user are never sent to the inbox of another under the same account name",
        .sandbox(users: ["anna", "bob"])
    )
    func anotherUser() async throws {
        let sandbox = Sandbox.current
        // The same id in both inboxes, as a row that was sent to both.
        let shared = "01K1SHARED0000000000000000"
        for user in ["anna", "bob"] {
            let row: JSON = ["n_id": .string(shared), "header": "Hello", "text": "x"]
            try await sandbox.execute("publish", ["notifications": [row], "user": .string(user)])
        }
        try await TemporaryFile.with("") { file in
            func run(_ user: String, _ body: (Proxy) async throws -> Void) async throws {
                try file.write(AgentConfiguration.account("work", user: user, url: sandbox.baseURL))
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    try await body(agent.account)
                }
            }
            let read = "/v1/feed/notifications/\(shared)/read"
            await sandbox.inject(.status(503, method: "PATCH", path: read, times: 1_000))
            try await run("anna") { account in
                try await account.call(AgentInbox.markRead, [shared])
                #expect(try await account.get(AgentAccount.pendingActions) == 1)
            }
            try await sandbox.execute("clear-faults")
            try await run("bob") { account in
                #expect(try await account.get(AgentAccount.pendingActions) == 0)
                try await account.wait(AgentInbox.unreadCount, is: 1)
            }
            #expect(await sandbox.inbox("anna").row(shared)?.isRead == false)
            try await run("anna") { account in try await account.wait(AgentAccount.pendingActions, is: 0) }
            #expect(await sandbox.inbox("anna").row(shared)?.isRead == true)
            #expect(await sandbox.inbox("bob").row(shared)?.isRead == false)
        }
    }

    @Test("A second agent on another bus does not use the same state file, and names the process that does")
    func anotherBus() async throws {
        try await TemporaryFile.with(AgentConfiguration.account(url: "http://127.0.0.1:9")) { file in
            try await BuiltAgent.keepingState(beside: file) { _ in
                try await SessionBus.running {
                    let outcome = try await Programs.run(
                        "feedbell-agent",
                        ["--config", file.path],
                        environment: ["XDG_STATE_HOME": .some(file.directory + "/state")]
                    )
                    #expect(outcome.status == .exited(3), "\(outcome.errors)")
                    #expect(outcome.errors.contains("Another feedbell-agent (process "), "\(outcome.errors)")
                    #expect(!outcome.errors.contains("notice: ready"), "\(outcome.errors)")
                    #expect(outcome.errors.contains("/state/feedbell/feedbell.sqlite3\""), "\(outcome.errors)")
                }
            }
        }
    }

    @Test(
        "An action that always fails delays no others, and is reported until the service rejects it",
        .builtAgent(configuration: Self.single)
    )
    func stuckAction() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        var ids: [String] = []
        for number in 1...3 {
            ids.append(try await sandbox.publish(["header": .string("Nr \(number)"), "text": "x"]))
            _ = try await agent.popup()
        }
        let signals = try await agent.account.signals(of: AgentInbox.self)
        await sandbox.inject(failures("notifications/\(ids[0])/read", status: 500, times: 1_000))
        try await agent.account.call(AgentInbox.markRead, [ids[0]])
        try await agent.account.call(AgentInbox.archive, [ids[1]])
        try await agent.account.call(AgentInbox.markRead, [ids[2]])
        try await agent.waitForRequest("archive", of: ids[1])
        try await agent.waitForRequest("read", of: ids[2])
        try await agent.account.wait(AgentAccount.pendingActions, is: 1)
        try await agent.account.wait(AgentAccount.pendingError) { !$0.elements.1.isEmpty }
        let status = try await Programs.run("feedbell", ["status"])
        #expect(status.status == .exited(0), "\(status.errors)")
        #expect(status.output.contains("1 pending"))
        #expect(status.output.contains("An action is being retried: "), "\(status.output)")
        let json = try await Programs.run("feedbell", ["status", "--json"])
        #expect(json.status == .exited(0), "\(json.errors)")
        #expect(json.output.contains(#""pending_error":""#) && !json.output.contains(#""pending_error":"""#))

        // No attempt comes between the two.
        agent.program.send(SIGSTOP)
        try await sandbox.execute("clear-faults")
        await sandbox.inject(
            .status(
                403,
                type: "PERMISSION_DENIED",
                method: "PATCH",
                path: "/v1/feed/notifications/\(ids[0])/read",
                times: 1_000
            )
        )
        agent.program.send(SIGCONT)
        let failure = try await signals.pick { try AgentInbox.actionFailed.decode($0) }
        let (action, failed, _, _) = try #require(failure)
        #expect(action == "MarkRead" && failed == [ids[0]])
        try await agent.account.wait(AgentAccount.pendingActions, is: 0)
        try await agent.account.wait(AgentAccount.pendingError, is: Structure("", ""))
    }

    @Test("An id that the service does not know is NotFound at once", .builtAgent())
    func unknownID() async throws {
        let agent = BuiltAgent.current
        // The account is online before its inbox is loaded.
        try await waiting(for: "the list") { (try? await agent.account.call(AgentInbox.list, [:])) != nil }
        let error = await #expect(throws: DBusError.self) {
            try await agent.account.call(AgentInbox.markRead, ["zzz"])
        }
        #expect(error?.name == AgentErrors.notFound)
        let outcome = try await Programs.run("feedbell", ["read", "zzz"])
        #expect(outcome.status == .exited(5), "\(outcome.errors)")
    }
}

extension BuiltAgent {
    /// Waits until the agent has closed a popup.
    fileprivate func closed(_ id: UInt32) async throws {
        try await waiting(for: "a closed popup", seeing: { await server.closeCalls }) { $0.contains(id) }
    }
}
