import AgentInterface
import DBus
import Glibc
import NotificationTerminal
import Sandbox
import Subprocess
import TestSupport
import Testing

/// What concerns the whole inbox, loaded or not, shown or not: the built agent and the sandbox.
@Suite(.sessionBus, .timeLimit(.minutes(2))) struct WholeInboxTests {
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

    private func failures(_ path: String, status: Int = 503, times: Int = 1) -> SandboxCommand {
        .fault(.status(status, method: "PATCH", path: "/v1/feed/\(path)", times: times))
    }

    /// The service's clock may differ from this computer's.
    @Test(
        "Read-all that the service refuses at first does not read what comes later (11.2)",
        arguments: [0, -3_600_000, 3_600_000] as [Int64]
    )
    func readAllIsAboutWhatExisted(clockOffset: Int64) async throws {
        try await AgentFixture.with(configuration: Self.single, options: { $0.clockOffset = clockOffset }) { fixture in
            var old: [String] = []
            for number in 1...2 {
                old.append(try await fixture.sandbox.publish(["header": .string("Old \(number)"), "text": "x"]))
                _ = try await fixture.popup()
            }
            try await fixture.sandbox.perform(failures("mark_all_read"))
            try await fixture.account.call(AgentInbox.markAllRead)
            try await fixture.sandbox.waitForRequest { $0.path == "/v1/feed/mark_all_read" && $0.isSpoilt }
            try await fixture.sandbox.perform(.publish((1...5).map { ["header": .string("New \($0)"), "text": "x"] }))
            for _ in 1...5 { #expect(try await fixture.popup().summary.hasPrefix("New")) }
            try await fixture.account.wait(AgentAccount.pendingActions, is: 0)
            let rows = await fixture.sandbox.inbox("anna").rows
            #expect(Set(rows.filter(\.isRead).map(\.id)) == Set(old))
            #expect(rows.count == 7)
            try await fixture.account.wait(AgentInbox.unreadCount, is: 5)
        }
    }

    @Test("Read-all that is sent late is one request if nothing newer came (11.2)") func lateReadAllIsOneRequest()
        async throws
    {
        try await AgentFixture.with(configuration: Self.single) { fixture in
            for number in 1...3 {
                _ = try await fixture.sandbox.publish(["header": .string("Old \(number)"), "text": "x"])
                _ = try await fixture.popup()
            }
            try await fixture.sandbox.perform(failures("mark_all_read"))
            try await fixture.account.call(AgentInbox.markAllRead)
            try await fixture.account.wait(AgentAccount.pendingActions, is: 0)
            #expect(await fixture.sandbox.inbox("anna").rows.allSatisfy(\.isRead))
            let paths = await fixture.sandbox.requests.filter { $0.method == "PATCH" }.map(\.path)
            #expect(paths == ["/v1/feed/mark_all_read", "/v1/feed/mark_all_read"])
        }
    }

    @Test("A badge reset that is sent late does not hide what came later (11.2)") func lateBadgeReset() async throws {
        try await AgentFixture.with(configuration: Self.single) { fixture in
            _ = try await fixture.sandbox.publish(["header": "Old", "text": "x"])
            _ = try await fixture.popup()
            try await fixture.sandbox.perform(failures("reset_bell_count"))
            try await fixture.account.call(AgentInbox.resetBadge)
            try await fixture.sandbox.waitForRequest { $0.path == "/v1/feed/reset_bell_count" && $0.isSpoilt }
            _ = try await fixture.sandbox.publish(["header": "New", "text": "x"])
            _ = try await fixture.popup()
            try await fixture.account.wait(AgentAccount.pendingActions, is: 0)
            #expect(await fixture.sandbox.requests.count { $0.path == "/v1/feed/reset_bell_count" } == 1)
            try await fixture.account.wait(AgentInbox.badgeCount) { $0 > 0 }
        }
    }

    @Test("Unread notifications are counted by the service, loaded or not, whatever the tabs (11.7)")
    func unreadCount() async throws {
        try await AgentFixture.with(configuration: Self.tabs + Self.single) { fixture in
            func publish(_ count: Int, tag: String) async throws {
                let rows = (0..<count).map {
                    ["header": .string("\(tag) \($0)"), "text": "x", "tags": [.string(tag)]] as JSON
                }
                try await fixture.sandbox.perform(.publish(rows, announced: false))
            }
            try await publish(150, tag: "one")
            try await publish(200, tag: "two")
            let last = try await fixture.sandbox.publish(["header": "Last", "text": "x", "tags": ["two"]])
            try await fixture.account.wait(AgentInbox.unreadCount, is: 351)
            #expect(try await fixture.account.call(AgentInbox.list, [:]).count <= 200)
            try await fixture.account.call(AgentInbox.markRead, [last])
            try await fixture.account.wait(AgentInbox.unreadCount, is: 350)
            try await fixture.account.call(AgentInbox.setActiveStore, "two")
            try await fixture.account.wait(AgentInbox.activeStore, is: "two")
            #expect(try await fixture.account.get(AgentInbox.unreadCount) == 350)
            try await fixture.account.call(AgentInbox.markAllRead)
            try await fixture.account.wait(AgentInbox.unreadCount, is: 0)
            try await fixture.account.wait(AgentAccount.pendingActions, is: 0)
            #expect(try await fixture.account.get(AgentInbox.unreadCount) == 0)
        }
    }

    @Test(
        "Another tab keeps popups open and signals no removals; what is handled in it closes its popup (11.6, 11.12c)"
    )
    func tabs() async throws {
        try await AgentFixture.with(configuration: Self.tabs + Self.single) { fixture in
            let signals = try await fixture.account.signals(of: AgentInbox.self)
            let one = try await fixture.sandbox.publish(["header": "One", "text": "x", "tags": ["one"]])
            let popupOfOne = try await fixture.popup()
            let two = try await fixture.sandbox.publish(["header": "Two", "text": "x", "tags": ["two"]])
            let popupOfTwo = try await fixture.popup()
            try await fixture.account.call(AgentInbox.setActiveStore, "two")
            try await fixture.account.call(AgentInbox.setActiveStore, "one")
            try await fixture.account.call(AgentInbox.setActiveStore, "two")
            // The popup that comes afterwards shows that nothing was closed before.
            let third = try await fixture.sandbox.publish(["header": "Three", "text": "x", "tags": ["one"]])
            let popupOfThree = try await fixture.popup()
            #expect(await fixture.server.closeCalls.isEmpty)
            // Read elsewhere, and read here, while the other tab is shown.
            try await fixture.sandbox.perform(.act(.read, one, of: Recipient("anna")))
            try await fixture.closed(popupOfOne.id)
            try await fixture.account.call(AgentInbox.markRead, [third])
            try await fixture.closed(popupOfThree.id)
            try await fixture.sandbox.perform(.readAll(of: Recipient("anna")))
            try await fixture.closed(popupOfTwo.id)

            try await fixture.account.call(AgentInbox.archive, [two])
            var (arrived, removed) = ([String](), [String]())
            for await message in signals {
                if let (id, _) = try AgentInbox.notificationArrived.decode(message) { arrived.append(id) }
                if let id = try AgentInbox.notificationRemoved.decode(message) { removed.append(id) }
                if !removed.isEmpty { break }
            }
            #expect(arrived == [one, two, third])
            #expect(removed == [two], "only the archived one")
        }
    }

    @Test("What a pause holds back survives a change of tabs (11.6)") func pauseAndTabs() async throws {
        try await AgentFixture.with(configuration: Self.tabs + Self.single) { fixture in
            let root = Proxy(fixture.bus, AgentNames.busName, AgentNames.agentPath)
            try await root.call(AgentRoot.pause, 0)
            _ = try await fixture.sandbox.publish(["header": "Held", "text": "x", "tags": ["one"]])
            try await fixture.account.wait(AgentInbox.unreadCount, is: 1)
            try await fixture.account.call(AgentInbox.setActiveStore, "two")
            try await root.call(AgentRoot.resume)
            #expect(try await fixture.popup().summary == "Held")
        }
    }

    @Test("Actions of one user are never sent to the inbox of another under the same account name (11.5)")
    func anotherUser() async throws {
        try await Sandbox.with(SandboxOptions(users: ["anna", "bob"])) { sandbox in
            // The same id in both inboxes, as a row that was sent to both.
            for user in ["anna", "bob"] {
                let row: JSON = ["n_id": "shared", "header": "Hello", "text": "x"]
                try await sandbox.perform(.publish([row], to: Recipient(user)))
            }
            try await TemporaryFile.with("") { file in
                func run(_ user: String, _ body: (Proxy) async throws -> Void) async throws {
                    try file.write(AgentConfiguration.account("work", user: user, url: sandbox.baseURL))
                    try await withBus { bus in
                        try await AgentProcess.durable(file, bus) { _, account in
                            try await account.wait(AgentAccount.state, is: "online")
                            try await body(account)
                        }
                    }
                }
                let read = "/v1/feed/notifications/shared/read"
                try await sandbox.perform(.fault(.status(503, method: "PATCH", path: read, times: 1_000)))
                try await run("anna") { account in
                    try await account.call(AgentInbox.markRead, ["shared"])
                    #expect(try await account.get(AgentAccount.pendingActions) == 1)
                }
                try await sandbox.perform(.clearFaults)
                try await run("bob") { account in
                    #expect(try await account.get(AgentAccount.pendingActions) == 0)
                    try await account.wait(AgentInbox.unreadCount, is: 1)
                }
                #expect(await sandbox.inbox("anna").row("shared")?.isRead == false)
                try await run("anna") { account in try await account.wait(AgentAccount.pendingActions, is: 0) }
                #expect(await sandbox.inbox("anna").row("shared")?.isRead == true)
                #expect(await sandbox.inbox("bob").row("shared")?.isRead == false)
            }
        }
    }

    @Test("A second agent on another bus does not use the same state file, and names the process that does (11.9)")
    func anotherBus() async throws {
        try await TemporaryFile.with(AgentConfiguration.account("work", user: "anna", url: "http://127.0.0.1:9")) {
            file in
            try await withBus { bus in
                try await AgentProcess.durable(file, bus) { agent, _ in
                    try await SessionBus.running {
                        let outcome = try await Programs.run(
                            "feedbell-agent",
                            ["--config", file.path],
                            environment: ["XDG_STATE_HOME": .some(file.directory + "/state")]
                        )
                        #expect(outcome.status == .exited(3), "\(outcome.errors)")
                        #expect(outcome.errors.contains("Another feedbell-agent (process "), "\(outcome.errors)")
                        #expect(outcome.errors.contains("/state/feedbell/feedbell.sqlite3\""), "\(outcome.errors)")
                    }
                }
            }
        }
    }

    @Test("An action that always fails is reported, delays no others, and ends with a refusal (11.4)")
    func stuckAction() async throws {
        try await AgentFixture.with(configuration: Self.single) { fixture in
            var ids: [String] = []
            for number in 1...3 {
                ids.append(try await fixture.sandbox.publish(["header": .string("Nr \(number)"), "text": "x"]))
                _ = try await fixture.popup()
            }
            let signals = try await fixture.account.signals(of: AgentInbox.self)
            try await fixture.sandbox.perform(failures("notifications/\(ids[0])/read", status: 500, times: 1_000))
            try await fixture.account.call(AgentInbox.markRead, [ids[0]])
            try await fixture.account.call(AgentInbox.archive, [ids[1]])
            try await fixture.account.call(AgentInbox.markRead, [ids[2]])
            try await fixture.request("archive", ids[1])
            try await fixture.request("read", ids[2])
            try await fixture.account.wait(AgentAccount.pendingActions, is: 1)
            try await fixture.account.wait(AgentAccount.pendingError) { !$0.elements.1.isEmpty }
            let status = try await Programs.run("feedbell", ["status"])
            #expect(status.output.contains("1 pending"))
            #expect(status.output.contains("An action is being retried: "), "\(status.output)")
            let json = try await Programs.run("feedbell", ["status", "--json"])
            #expect(json.output.contains(#""pending_error":""#) && !json.output.contains(#""pending_error":"""#))

            // No attempt comes between the two.
            fixture.agent.send(SIGSTOP)
            try await fixture.sandbox.perform(.clearFaults)
            try await fixture.sandbox.perform(
                .fault(
                    .status(
                        403,
                        type: "PERMISSION_DENIED",
                        method: "PATCH",
                        path: "/v1/feed/notifications/\(ids[0])/read",
                        times: 1_000
                    )
                )
            )
            fixture.agent.send(SIGCONT)
            for await message in signals {
                guard let (action, failed, _, _) = try AgentInbox.actionFailed.decode(message) else { continue }
                #expect(action == "MarkRead" && failed == [ids[0]])
                break
            }
            try await fixture.account.wait(AgentAccount.pendingActions, is: 0)
            try await fixture.account.wait(AgentAccount.pendingError, is: Structure("", ""))
        }
    }

    @Test("An id that the service does not know is NotFound at once (11.12f)") func unknownID() async throws {
        try await AgentFixture.with { fixture in
            let error = await #expect(throws: DBusError.self) {
                try await fixture.account.call(AgentInbox.markRead, ["zzz"])
            }
            #expect(error?.name == AgentErrors.notFound)
            let outcome = try await Programs.run("feedbell", ["read", "zzz"])
            #expect(outcome.status == .exited(5), "\(outcome.errors)")
        }
    }
}

extension AgentFixture {
    /// Waits until the agent has closed a popup.
    fileprivate func closed(_ id: UInt32) async throws {
        while await !server.closeCalls.contains(id) { try await Task.sleep(for: .milliseconds(5)) }
    }
}
