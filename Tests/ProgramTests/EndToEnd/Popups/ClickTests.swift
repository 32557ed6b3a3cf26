import AgentInterface
import AgentTestSupport
import Basics
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The main job, with the built agent: a notification arrives, pops up, is clicked, and counts as interacted.
@Suite(.sessionBus, .builtAgent(), .timeLimit(.minutes(5))) struct ClickTests {
    private let sandbox = Sandbox.current
    private let agent = BuiltAgent.current

    @Test("A click opens the link and marks the notification as interacted")
    func click() async throws {
        let id = try await sandbox.publish([
            "header": "Build <b>4711</b> finished", "text": "main built, **all** tests & checks passed",
            "subtext": ["text": "CI"], "url": "https://ci.example.com/4711", "n_category": "builds",
            "actions": [["name": "Log", "url": "https://ci.example.com/4711/log"], ["name": "Later", "url": ""]],
        ])
        let popup = try await agent.popup()
        #expect(popup.appName == "Feedbell")
        #expect(popup.replacesID == 0)
        #expect(popup.summary == "Build <b>4711</b> finished")
        #expect(popup.body == "main built, <b>all</b> tests &amp; checks passed\n<i>CI</i>")
        #expect(popup.actions == ["default", "Open", "first-button", "Log", "second-button", "Later"])
        #expect(popup.expireTimeout == -1)
        #expect(
            popup.hints == [
                "urgency": .byte(1), "desktop-entry": .string("org.feedbell.Agent"),
                "category": .string("x-feedbell.inbox.builds"),
            ]
        )
        try await agent.server.invoke(id: popup.id, token: "wayland-token")
        try await agent.waitForRequest("interacted", of: id)
        #expect(
            try await agent.opened.next() == ["https://ci.example.com/4711", "wayland-token", "wayland-token"]
        )
    }

    @Test("A button opens its own link") func button() async throws {
        let id = try await sandbox.publish([
            "header": "Sale", "text": "x", "url": "https://example.com",
            "actions": [["name": "Buy", "url": "https://example.com/buy"]],
        ])
        try await agent.server.invoke(id: agent.popup().id, action: "first-button")
        try await agent.waitForRequest("interacted", of: id)
        #expect(
            try await agent.opened.next() == ["https://example.com/buy", "none", "none"],
            "a stale token is not passed on"
        )
    }

    @Test(
        "The configured buttons mark as read, archive and snooze, and open nothing",
        .builtAgent(configuration: "[popups]\nbuttons = [\"read\", \"archive\", \"snooze\"]\n")
    )
    func ownButtons() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        var ids: [String] = []
        for number in 1...3 {
            ids.append(try await sandbox.publish(["header": .string("Nr \(number)"), "text": "x"]))
            let popup = try await agent.popup()
            let buttons = [
                "feedbell-read", "Mark as read", "feedbell-archive", "Archive", "feedbell-snooze", "In an hour",
            ]
            #expect(popup.actions == ["default", "Done"] + buttons)
            try await agent.server.invoke(id: popup.id, action: popup.actions[2 * number])
        }
        try await agent.waitForRequest("read", of: ids[0])
        try await agent.waitForRequest("archive", of: ids[1])
        try await waiting(for: "a snoozed notification") {
            try await !agent.account.call(AgentInbox.list, ["snoozed": .bool(true)]).isEmpty
        }
        let snoozed = NotificationRecord(try await agent.account.call(AgentInbox.get, ids[2])).snoozed
        let hour = Int64(Date().timeIntervalSince1970 * 1000) + 3_600_000
        #expect((hour - 60_000...hour).contains(snoozed))
        #expect(await !sandbox.requests.contains { $0.path.hasSuffix("/interacted") })
    }

    @Test("Invoke does what a click on the button does") func invoke() async throws {
        let id = try await sandbox.publish([
            "header": "Sale", "text": "x", "url": "https://example.com",
            "actions": [["name": "Buy", "url": "https://example.com/buy"], ["name": "Later", "url": ""]],
        ])
        let popup = try await agent.popup()
        let item = NotificationRecord(try await agent.account.call(AgentInbox.get, id))
        let buttons = item.actions.map(NotificationActionRecord.init)
        #expect(buttons.map(\.label) == ["Buy", "Later"] && buttons.map(\.url) == ["https://example.com/buy", ""])
        #expect(buttons.map(\.isPrimary) == [true, false])
        #expect(buttons.map(\.id) == [popup.actions[2], popup.actions[4]])
        let data = ["activation-token": Value.string("t")]
        let error = await #expect(throws: DBusError.self) {
            try await agent.account.call(AgentInbox.invoke, id, "Buy", data)
        }
        #expect(
            error?.message
                == "The notification has no button \"Buy\". Use one of \"first-button\", \"second-button\"."
        )
        let command = try await Programs.run(
            "feedbell",
            ["open", id, "--button", buttons[0].id],
            environment: ["XDG_ACTIVATION_TOKEN": "c"]
        )
        #expect(command.status == .exited(0), "\(command.errors)")
        try await agent.waitForRequest("interacted", of: id)
        #expect(try await agent.opened.next() == ["https://example.com/buy", "c", "c"])
        try await agent.account.call(AgentInbox.invoke, id, buttons[0].id, data)
        #expect(try await agent.opened.next() == ["https://example.com/buy", "t", "t"])
    }

    @Test("Buttons and links of text, subtext and picture are opened after the popup is gone, and when archived")
    func linksWithoutAPopup() async throws {
        let id = try await sandbox.publish([
            "header": "Sale", "text": "x [y](https://example.com/y)",
            "actions": [["name": "Buy", "url": "https://example.com/buy"]],
            "subtext": ["text": "Shop", "action_url": "https://example.com/shop"],
            "avatar": ["avatar_url": "https://example.com/a.png", "action_url": "https://example.com/anna"],
        ])
        let popup = try await agent.popup()
        let item = NotificationRecord(try await agent.account.call(AgentInbox.get, id))
        #expect(item.subtextURL == "https://example.com/shop" && item.avatarURL == "https://example.com/anna")
        await agent.server.expire(id: popup.id)
        let links = ["first-button": "buy", "text-1": "y", "subtext": "shop", "avatar": "anna"]
        for (button, page) in links {
            let command = try await Programs.run("feedbell", ["open", id, "--button", button])
            #expect(command.status == .exited(0), "\(command.errors)")
            #expect(try await agent.opened.next().first == "https://example.com/\(page)")
        }
        let show = try await Programs.run("feedbell", ["show", id])
        #expect(show.status == .exited(0), "\(show.errors)")
        #expect(
            show.output.contains(
                """
                [first-button] Buy — https://example.com/buy
                [subtext] Shop — https://example.com/shop
                [avatar] Picture — https://example.com/anna

                """
            )
        )
        // Not loaded any more.
        try await sandbox.execute("act", ["n_id": .string(id), "action": "archive"])
        try await agent.waitForList(count: 0)
        let archived = try await Programs.run("feedbell", ["open", id, "--button", "subtext"])
        #expect(archived.status == .exited(0), "\(archived.errors)")
        #expect(try await agent.opened.next().first == "https://example.com/shop")
    }

    @Test("Links are opened with the desktop portal if there is one") func portal() async throws {
        try await withBus { bus in
            let requests = Mailbox<[String]>()
            var portal = ExportedObject("/org/freedesktop/portal/desktop")
            portal.handle(FakePortal.openURI) { _, url, options in
                requests.send([url, try options.value("activation_token") ?? "none"])
                return "/org/freedesktop/portal/desktop/request/1"
            }
            try await bus.export(portal)
            _ = try await bus.requestName("org.freedesktop.portal.Desktop")
            let id = try await sandbox.publish([
                "header": "Sale", "text": "x", "url": "https://example.com/ü x",
            ])
            try await agent.server.invoke(id: agent.popup().id, token: "t1")
            #expect(await requests.messages.next() == ["https://example.com/%C3%BC%20x", "t1"])
            try await agent.waitForRequest("interacted", of: id)
        }
    }

    @Test(
        "What the portal does not open, the next opener opens once; what the user cancels, nothing",
        arguments: [1, 2]
    )
    func portalOpensNothing(response: UInt32) async throws {
        let id = try await sandbox.publish(["header": "Sale", "text": "x", "url": "example.com/sale"])
        _ = try await agent.popup()
        try await PortalServer.with(.answers(response)) { portal, _ in
            let command = try await Programs.run("feedbell", ["open", id])
            if response == 1 {
                #expect(command.status == .exited(5))
                #expect(command.errors.contains("No program was chosen to open the link."))
            } else {
                #expect(command.status == .exited(0), "\(command.errors)")
                #expect(try await agent.opened.next().first == "https://example.com/sale")
            }
            #expect(await portal.requests.next()?.url == "https://example.com/sale")
            #expect(!FileManager.default.fileExists(atPath: agent.opened.directory + "/opened"))
        }
        try await agent.waitForRequest("interacted", of: id)
    }

    @Test("A dismissal marks as seen, an expired popup does not") func dismissal() async throws {
        let expiring = try await sandbox.publish(["header": "One", "text": "x"])
        let first = try await agent.popup().id
        let dismissed = try await sandbox.publish(["header": "Two", "text": "x"])
        let second = try await agent.popup().id
        await agent.server.expire(id: first)
        try await agent.server.dismiss(id: second)
        let request = try await sandbox.waitForRequest { $0.path == "/v1/feed/bulk/notifications/seen" }
        #expect(request.json?["notification_ids"] == [.string(dismissed)])
        #expect(await sandbox.inbox("anna").row(expiring)?["seen_on"] == .null)
    }

    @Test("A click on a popup that cannot open its link says so in a popup, and counts") func unopenedLink()
        async throws
    {
        let script = agent.opened.directory + "/xdg-open"
        try Data("#!/bin/sh\nexit 3\n".utf8).write(to: URL(filePath: script))
        let id = try await sandbox.publish(["header": "Sale", "text": "x", "url": "https://example.com"])
        try await agent.server.invoke(id: agent.popup().id)
        let notice = try await agent.popup()
        #expect(notice.summary == "Link not opened")
        #expect(notice.body.hasPrefix("No program opens https links.") || notice.body.hasPrefix("There is no display"))
        try await agent.waitForRequest("interacted", of: id)
    }

    @Test("Dangerous links are neither offered nor opened") func dangerousLinks() async throws {
        let id = try await sandbox.publish([
            "header": "Evil", "text": "x", "url": "file:///etc/passwd",
            "actions": [["name": "Run", "url": "javascript:alert(1)"]],
        ])
        let popup = try await agent.popup()
        #expect(popup.actions == ["default", "Done"])
        try await agent.server.invoke(id: popup.id)
        #expect(try await agent.popup().summary == "Link not opened")
        let error = await #expect(throws: DBusError.self) { try await agent.account.call(AgentInbox.open, id, [:]) }
        #expect(error?.name == AgentErrors.notOpened)
        #expect(error?.message.hasPrefix("Links of the scheme \"file\" are not opened.") == true)
        let safe = try await sandbox.publish([
            "header": "Safe", "text": "x", "url": "https://example.com/safe",
        ])
        try await agent.server.invoke(id: agent.popup().id)
        try await agent.waitForRequest("interacted", of: safe)
        #expect(try await agent.opened.next().first == "https://example.com/safe", "nothing was opened before it")
        #expect(await sandbox.inbox("anna").row(id)?["interacted_on"] == .null, "what opens nothing is not marked")
    }

    @Test(
        "A notification server without actions and markup gets plain text",
        .builtAgent(capabilities: ["body"], configuration: "[popups]\ntimeout = \"never\"\n")
    )
    func plainServer() async throws {
        _ = try await sandbox.publish([
            "header": "Sale", "text": "**bold** & <i>x</i>", "url": "https://example.com",
        ])
        let popup = try await agent.popup()
        #expect(popup.body == "bold & x")
        #expect(popup.actions == [])
        #expect(popup.expireTimeout == -1)
    }

    @Test("Control characters and long texts are removed, and expired notifications have no popup") func hostileTexts()
        async throws
    {
        _ = try await sandbox.publish(["header": "Gone", "text": "x", "expiry": 1])
        _ = try await sandbox.publish([
            "header": .string("A\u{0}\u{1b}[31m\u{202e}B\n" + String(repeating: "T", count: 10_000)),
            "text": .string(String(repeating: "<b>&\u{7} ", count: 20_000)),
        ])
        let popup = try await agent.popup()
        #expect(popup.summary.hasPrefix("A[31mB TTT"))
        #expect(popup.summary.count == 80)
        #expect(popup.body.count < 20_000)
        #expect(popup.body.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }

    @Test("Popup ids of a previous notification server are ignored") func newServer() async throws {
        let first = try await sandbox.publish(["header": "First", "text": "x"])
        #expect(try await agent.popup().id == 1)
        _ = try await agent.program.wait(for: "popup shown id=1")
        try await agent.bus.releaseName(FreedesktopNotifications.busName)
        try await withBus { bus in
            let server = TerminalServer(bus: bus)
            try await server.serving {
                let second = try await sandbox.publish(["header": "Second", "text": "x"])
                let popup = try #require(await server.notifications.next())
                #expect(popup.summary == "Second", "what was shown already is not shown again")
                #expect(popup.id == 1)
                try await server.invoke(id: 1)
                try await agent.waitForRequest("interacted", of: second)
                #expect(await sandbox.inbox("anna").row(first)?["interacted_on"] == .null)
            }
        }
    }
}
