import Agent
import AgentInterface
import AgentTestSupport
import Basics
import DBus
import Inbox
import Sandbox
import TestSupport
import Testing

/// What a click opens, with a desktop portal that says so.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct LinksOnTheBusTests {
    /// The ways in which a user opens a notification.
    enum Way: String, CaseIterable {
        case popup, open, invoke, application
    }

    private struct Desktop {
        let agent: InProcessAgent
        let popups: TerminalServer
        let portal: PortalServer

        /// - Returns: Why nothing was opened; nil: the caller is not told.
        func open(_ id: String, _ way: Way, popup: UInt32) async throws -> String? {
            if way == .popup {
                try await popups.invoke(id: popup)
                return nil
            }
            do throws(DBusError) {
                switch way {
                case .popup: break
                case .open: try await agent.account.call(AgentInbox.open, id, [:])
                case .invoke: try await agent.account.call(AgentInbox.invoke, id, "subtext", [:])
                case .application:
                    try await Proxy(agent.bus, AgentNames.applicationName, AgentNames.applicationPath)
                        .call(DesktopApplication.activateAction, "open", [.string(id)], [:])
                }
                return nil
            } catch {
                guard error.name == AgentErrors.notOpened else { throw error }
                return error.message
            }
        }
    }

    private func with(
        _ keys: String = "",
        _ manner: PortalServer.Manner = .answers(0),
        _ body: (Desktop) async throws -> Void
    ) async throws {
        try await PortalServer.with(manner) { portal, _ in
            try await withBus { bus in
                let server = TerminalServer(bus: bus)
                try await server.serving {
                    try await InProcessAgent.with(popups: keys) { agent in
                        try await body(Desktop(agent: agent, popups: server, portal: portal))
                    }
                }
            }
        }
    }

    /// A notification whose parts have no addresses of their own.
    private func notification(_ id: String = "n1", url: String) -> Notification {
        var notification = Notification.sample(id, url: url)
        (notification.subtextURL, notification.avatarURL) = ("", "")
        return notification
    }

    @Test(
        "Every way to open a notification opens the URL that its address means",
        arguments: Way.allCases,
        [
            ("example.com/orders/17", "https://example.com/orders/17"), ("//example.com/x", "https://example.com/x"),
            ("localhost:3000/x?a&amp;b", "https://localhost:3000/x?a&b"), ("/orders", "https://app.example.com/orders"),
            ("?q=1", "https://app.example.com/start?q=1"),
        ]
    )
    func opens(way: Way, address: (written: String, opened: String)) async throws {
        try await with("link_base = \"https://app.example.com/start\"\n") { desktop in
            try await desktop.agent.service().arrive(notification(url: address.written))
            let popup = try #require(await desktop.popups.notifications.next())
            #expect(try await desktop.open("n1", way, popup: popup.id) == nil)
            #expect(await desktop.portal.requests.next()?.url == address.opened)
            #expect(try await desktop.agent.service().applied.next() == .interacted("n1"))
            #expect(try await desktop.agent.account.call(AgentInbox.get, "n1")["url"] == .string(address.opened))
        }
    }

    @Test("A notification that is not loaded is requested once when it is opened", arguments: [Way.open, .invoke])
    func oneRequest(way: Way) async throws {
        try await with { desktop in
            let service = try desktop.agent.service()
            service.send(.connection(Connection(state: .online, since: 1)))
            try await desktop.agent.account.wait(AgentAccount.state, is: "online")
            await service.store(notification("other", url: "https://example.com/1"))
            #expect(try await desktop.open("other", way, popup: 0) == nil)
            #expect(await service.applied.next() == .interacted("other"))
            #expect(await service.detailRequests == 1)
        }
    }

    @Test("With archive_on_click, what is opened is archived, and undo brings it back", arguments: Way.allCases)
    func archives(way: Way) async throws {
        try await with("[inbox]\narchive_on_click = true\n") { desktop in
            let (agent, service) = (desktop.agent, try desktop.agent.service())
            #expect(try await agent.account.get(AgentAccount.capabilities).contains("archive-on-click"))
            await service.arrive(notification(url: "https://example.com/1"))
            let popup = try #require(await desktop.popups.notifications.next())
            #expect(try await desktop.open("n1", way, popup: popup.id) == nil)
            #expect(await desktop.portal.requests.next()?.url == "https://example.com/1")
            #expect(await service.applied.next() == .interacted("n1"))
            // A click on a popup has no reply.
            var undone: (String, String, [String])?
            try await waiting(for: "an action to undo") {
                undone = try? await agent.root.call(AgentRoot.undo, "")
                return undone != nil
            }
            #expect(try #require(undone) == ("work", "Archive", ["n1"]))
        }
    }

    @Test("With archive_on_click, what opens nothing stays, and a change of the key is published") func stays()
        async throws
    {
        try await with("[inbox]\narchive_on_click = true\n") { desktop in
            let agent = desktop.agent
            try await agent.service().arrive(notification(url: ""))
            _ = await desktop.popups.notifications.next()
            let reason = try await desktop.open("n1", .open, popup: 0)
            #expect(reason != nil)
            #expect(try await agent.service().applied.next() == .interacted("n1"))
            #expect(try await agent.account.call(AgentInbox.get, "n1")["archived"] == .bool(false))
            try agent.configuration.write(InProcessAgent.text(["work"]))
            try await agent.root.call(AgentRoot.reload)
            try await agent.account.wait(AgentAccount.capabilities) { !$0.contains("archive-on-click") }
        }
    }

    /// Each with the sentence for programs and the one for people.
    private static let refused = [
        (
            "javascript:alert(1)", "Links of the scheme \"javascript\" are not opened.",
            "Links that begin with \"javascript:\" are not opened, because they may start programs."
        ),
        (
            "slack:x", "Links of the scheme \"slack\" are not opened. To allow them, add it to popups.open_schemes.",
            "Links that begin with \"slack:\" are not opened, because they may start programs."
        ),
        (
            "/orders",
            "Its link names no website. Set link_base of the account \"work\" to that of its app.",
            "Its link names no website. Ask your administrator to name that of the account \"work\"."
        ),
        ("orders/17", "Its link is not a valid address.", "Its link is not a valid address."),
    ]

    @Test(
        "An address that cannot be opened marks nothing, and a sentence says why",
        arguments: Way.allCases,
        refused
    )
    func refuses(way: Way, address: (written: String, reason: String, words: String)) async throws {
        try await with { desktop in
            let service = try desktop.agent.service()
            await service.arrive(notification(url: address.written))
            let popup = try #require(await desktop.popups.notifications.next())
            let reason = try await desktop.open("n1", way, popup: popup.id)
            if [.popup, .application].contains(way) {
                let notice = try #require(await desktop.popups.notifications.next())
                #expect(reason == nil && notice.summary == "Link not opened" && notice.body == address.words)
            } else {
                #expect(reason == address.reason)
            }
            // The next change is the first one.
            try await desktop.agent.account.call(AgentInbox.markRead, ["n1"])
            #expect(await service.applied.next() == .read("n1"))
        }
    }

    @Test("A program that shows the reason to people gets it in words for them", arguments: refused)
    func words(address: (written: String, reason: String, words: String)) async throws {
        try await with { desktop in
            await (try desktop.agent.service()).arrive(notification(url: address.written))
            _ = await desktop.popups.notifications.next()
            let error = await #expect(throws: DBusError.self) {
                try await desktop.agent.account.call(AgentInbox.open, "n1", ["translated": .bool(true)])
            }
            #expect(error?.message == address.words)
        }
    }

    @Test("Relative addresses belong to the site of inbox_url, unless link_base names another") func base() async throws
    {
        let page = "inbox_url = \"http://app.example.com:8080/inbox?x\"\n"
        for (keys, origin) in [
            (page, "http://app.example.com:8080"), (page + "link_base = \"https://b.example\"\n", "https://b.example"),
        ] {
            try await with(keys) { desktop in
                var item = notification(url: "/orders")
                (item.body, item.subtextURL, item.actions[0].url) = ("[a](/a) and [b](?b)", "/s", "")
                try await desktop.agent.service().store(item)
                let read = NotificationRecord(try await desktop.agent.account.call(AgentInbox.get, "n1"))
                #expect(read.url == "\(origin)/orders" && read.subtextURL == "\(origin)/s" && read.avatarURL == "")
                #expect(read.markup == "<a href=\"\(origin)/a\">a</a> and <a href=\"\(origin)/?b\">b</a>")
                #expect(read.actions.map(NotificationActionRecord.init).map(\.url) == [""])
                var requests = desktop.portal.requests.makeAsyncIterator()
                for (action, path) in [
                    ("subtext", "/s"), ("text-1", "/a"), ("text-2", "/?b"), ("buy", "/orders"), ("avatar", "/orders"),
                ] {
                    try await desktop.agent.account.call(AgentInbox.invoke, "n1", action, [:])
                    #expect(await requests.next()?.url == origin + path)
                }
            }
        }
    }

    @Test("A button without an address of its own opens the notification's") func button() async throws {
        try await with { desktop in
            var item = notification(url: "https://example.com/sale")
            item.actions[0].url = ""
            try await desktop.agent.service().arrive(item)
            let popup = try #require(await desktop.popups.notifications.next())
            try await desktop.popups.invoke(id: popup.id, action: "buy")
            #expect(await desktop.portal.requests.next()?.url == "https://example.com/sale")
            #expect(try await desktop.agent.service().applied.next() == .interacted("n1"))
        }
    }

    @Test("A failure after the check is a sentence, and the mark stays") func failure() async throws {
        try await with("", .answers(1)) { desktop in
            let service = try desktop.agent.service()
            await service.arrive(notification(url: "example.com"))
            let popup = try #require(await desktop.popups.notifications.next())
            #expect(try await desktop.open("n1", .open, popup: popup.id) == "No program was chosen to open the link.")
            #expect(await service.applied.next() == .interacted("n1"))
        }
    }

    @Test("A link that the portal asks the user about keeps no other click waiting, nor the agent's end") func chooser()
        async throws
    {
        try await with("", .asksUser) { desktop in
            let service = try desktop.agent.service()
            var requests = desktop.portal.requests.makeAsyncIterator()
            for number in 1...6 {
                await service.store(notification("n\(number)", url: "https://example.com/\(number)"))
                let application = Proxy(desktop.agent.bus, AgentNames.applicationName, AgentNames.applicationPath)
                try await application.call(DesktopApplication.activateAction, "open", [.string("n\(number)")], [:])
                #expect(await requests.next()?.url == "https://example.com/\(number)")
            }
        }
    }
}
