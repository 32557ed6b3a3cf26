import AgentInterface
import DBus
import NotificationTerminal
import Sandbox
import TestSupport
import Testing

/// The main job, with the built agent: a notification arrives, pops up, is clicked, and counts as interacted.
@Suite(.sessionBus, .timeLimit(.minutes(1))) struct ClickTests {
    @Test("A click opens the link and marks the notification as interacted")
    func click() async throws {
        try await AgentFixture.with { fixture in
            let id = try await fixture.sandbox.publish([
                "header": "Build <b>4711</b> finished", "text": "main built, **all** tests & checks passed",
                "subtext": ["text": "CI"], "url": "https://ci.example.com/4711", "n_category": "builds",
                "actions": [["name": "Log", "url": "https://ci.example.com/4711/log"], ["name": "Later", "url": ""]],
            ])
            let popup = try await fixture.popup()
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
            try await fixture.server.invoke(id: popup.id, token: "wayland-token")
            try await fixture.request("interacted", id)
            #expect(
                try await fixture.opened.next() == ["https://ci.example.com/4711", "wayland-token", "wayland-token"]
            )
        }
    }

    @Test("A button opens its own link") func button() async throws {
        try await AgentFixture.with { fixture in
            let id = try await fixture.sandbox.publish([
                "header": "Sale", "text": "x", "url": "https://example.com",
                "actions": [["name": "Buy", "url": "https://example.com/buy"]],
            ])
            try await fixture.server.invoke(id: fixture.popup().id, action: "first-button")
            try await fixture.request("interacted", id)
            #expect(
                try await fixture.opened.next() == ["https://example.com/buy", "none", "none"],
                "a stale token is not passed on"
            )
        }
    }

    @Test func thePortalIsPreferred() async throws {
        try await AgentFixture.with { fixture in
            try await withBus { bus in
                let (requests, input) = AsyncStream<[String]>.makeStream()
                var portal = ExportedObject("/org/freedesktop/portal/desktop")
                portal.handle(FakePortal.openURI) { _, url, options in
                    input.yield([url, try options.value("activation_token") ?? "none"])
                    return "/org/freedesktop/portal/desktop/request/1"
                }
                try await bus.export(portal)
                _ = try await bus.requestName("org.freedesktop.portal.Desktop")
                let id = try await fixture.sandbox.publish([
                    "header": "Sale", "text": "x", "url": "https://example.com/ü x",
                ])
                try await fixture.server.invoke(id: fixture.popup().id, token: "t1")
                #expect(await requests.next() == ["https://example.com/%C3%BC%20x", "t1"])
                try await fixture.request("interacted", id)
            }
        }
    }

    @Test("A dismissal marks as seen, an expired popup does not") func dismissal() async throws {
        try await AgentFixture.with { fixture in
            let expiring = try await fixture.sandbox.publish(["header": "One", "text": "x"])
            await fixture.server.expire(id: try await fixture.popup().id)
            let dismissed = try await fixture.sandbox.publish(["header": "Two", "text": "x"])
            try await fixture.server.dismiss(id: fixture.popup().id)
            let request = try await fixture.sandbox.waitForRequest { $0.path == "/v1/feed/bulk/notifications/seen" }
            #expect(request.json?["notification_ids"] == [.string(dismissed)])
            #expect(await fixture.sandbox.inbox("anna").row(expiring)?["seen_on"] == .null)
        }
    }

    @Test("Dangerous links are neither offered nor opened") func dangerousLinks() async throws {
        try await AgentFixture.with { fixture in
            let id = try await fixture.sandbox.publish([
                "header": "Evil", "text": "x", "url": "file:///etc/passwd",
                "actions": [["name": "Run", "url": "javascript:alert(1)"]],
            ])
            let popup = try await fixture.popup()
            #expect(popup.actions == ["default", "Done"])
            try await fixture.server.invoke(id: popup.id)
            try await fixture.request("interacted", id)
            try await fixture.account.call(AgentInbox.open, id, [:])
            let safe = try await fixture.sandbox.publish([
                "header": "Safe", "text": "x", "url": "https://example.com/safe",
            ])
            try await fixture.server.invoke(id: fixture.popup().id)
            try await fixture.request("interacted", safe)
            #expect(try await fixture.opened.next().first == "https://example.com/safe", "nothing was opened before it")
        }
    }

    @Test func aServerWithoutActionsAndMarkup() async throws {
        try await AgentFixture.with(capabilities: ["body"], configuration: "[popups]\ntimeout = \"never\"\n") {
            fixture in
            _ = try await fixture.sandbox.publish([
                "header": "Sale", "text": "**bold** & <i>x</i>", "url": "https://example.com",
            ])
            let popup = try await fixture.popup()
            #expect(popup.body == "bold & x")
            #expect(popup.actions == [])
            #expect(popup.expireTimeout == -1)
        }
    }

    @Test func hostileTextsAndExpiredNotifications() async throws {
        try await AgentFixture.with { fixture in
            _ = try await fixture.sandbox.publish(["header": "Gone", "text": "x", "expiry": 1])
            _ = try await fixture.sandbox.publish([
                "header": .string("A\u{0}\u{1b}[31m\u{202e}B\n" + String(repeating: "T", count: 10_000)),
                "text": .string(String(repeating: "<b>&\u{7} ", count: 20_000)),
            ])
            let popup = try await fixture.popup()
            #expect(popup.summary.hasPrefix("A[31mB TTT"))
            #expect(popup.summary.count == 80)
            #expect(popup.body.count < 20_000)
            #expect(popup.body.unicodeScalars.allSatisfy { $0.value >= 0x20 })
        }
    }

    @Test("Popup ids of a previous notification server are ignored") func newServer() async throws {
        try await AgentFixture.with { fixture in
            let first = try await fixture.sandbox.publish(["header": "First", "text": "x"])
            #expect(try await fixture.popup().id == 1)
            _ = try await fixture.agent.wait(for: "popup shown id=1")
            try await fixture.bus.releaseName(FreedesktopNotifications.busName)
            try await withBus { bus in
                let server = TerminalServer(bus: bus)
                try await server.serving {
                    let second = try await fixture.sandbox.publish(["header": "Second", "text": "x"])
                    let popup = try #require(await server.notifications.next())
                    #expect(popup.summary == "Second", "what was shown already is not shown again")
                    #expect(popup.id == 1)
                    try await server.invoke(id: 1)
                    try await fixture.request("interacted", second)
                    #expect(await fixture.sandbox.inbox("anna").row(first)?["interacted_on"] == .null)
                }
            }
        }
    }
}

/// The portal's interface, as far as it is called.
enum FakePortal: Interface {
    static let name: InterfaceName = "org.freedesktop.portal.OpenURI"
    static let openURI = Method(
        "OpenURI",
        in: (Argument<String>("parent_window"), Argument<String>("uri"), Argument<[String: Value]>("options")),
        out: (Argument<ObjectPath>("handle"))
    )
    static let members: [any Member] = [openURI]
}
