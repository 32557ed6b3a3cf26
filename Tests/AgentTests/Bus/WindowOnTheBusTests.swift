import Agent
import AgentInterface
import AgentTestSupport
import Basics
import DBus
import Inbox
import Sandbox
import TestSupport
import Testing

/// How the agent opens the window, on the bus.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct WindowOnTheBusTests {
    private func withWindow(
        store: StateStore = StateStore(),
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: (InProcessAgent, TerminalServer, FakeWindow) async throws -> Void
    ) async throws {
        try await withBus { bus in
            let window = FakeWindow()
            try await window.own(bus)
            let server = TerminalServer(bus: bus)
            try await server.serving {
                try await InProcessAgent.with(environment: AgentEnvironment(clock: clock), store: store) { agent in
                    try await body(agent, server, window)
                }
            }
        }
    }

    private static func show(_ id: String) -> [Value] { [.structure([.string("work"), .string(id)])] }

    @Test("A click on a summary shows its newest notification in the window, with the token of the click")
    func summary() async throws {
        let store = StateStore()
        try await withWindow(store: store) { agent, server, window in
            var popups = server.notifications.makeAsyncIterator()
            for number in 1...3 {
                try await agent.service().arrive(.sample("n\(number)", title: "Nr \(number)"))
                #expect(await popups.next()?.summary == "Nr \(number)")
            }
            for number in 4...5 { try await agent.service().arrive(.sample("n\(number)", title: "Nr \(number)")) }
            let summary = try #require(await popups.next())
            #expect(summary.summary == "5 new notifications")
            // The agent has the server's reply: it knows which popup is clicked.
            try await waiting(for: "the recorded summary") {
                try await store.popups().values.flatMap(\.values).map(\.popup.summary)
            } until: {
                $0.contains(summary.summary)
            }
            try await server.invoke(id: summary.id, token: "token")
            let call = FakeWindow.Call.action("show", Self.show("n5"), token: .string("token"))
            #expect(await window.next() == call)
        }
    }

    @Test("A click on a notification without a link shows it in the window; one with a link opens the link")
    func noLink() async throws {
        try await withWindow { agent, server, window in
            var popups = server.notifications.makeAsyncIterator()
            try await agent.service().arrive(.sample("n1", url: "https://example.com"))
            try await agent.service().arrive(.sample("n2", url: ""))
            for _ in 1...2 {
                let popup = try #require(await popups.next())
                try await server.invoke(id: popup.id)
            }
            #expect(await window.next() == .action("show", Self.show("n2"), token: nil))
            // As GNOME calls it for a popup of an agent that has ended.
            try await agent.service().arrive(.sample("n3", url: ""))
            try await Proxy(agent.bus, AgentNames.applicationName, AgentNames.applicationPath)
                .call(DesktopApplication.activateAction, "open", [.string("n3")], [:])
            #expect(await window.next() == .action("show", Self.show("n3"), token: nil))
        }
    }

    @Test(
        "A click on the popup to sign in again opens the form for a token, or else what is wrong",
        arguments: [true, false]
    )
    func signIn(needsNewToken: Bool) async throws {
        let clock = ManualClock()
        try await withWindow(clock: clock) { agent, server, window in
            var failure = ServiceFailure(.unauthorized, "No.")
            failure.needsNewToken = needsNewToken
            let since = Timestamp(milliseconds: 1)
            let refusal = Connection(state: .unauthorized, since: since, failure: failure)
            try agent.service().send(.connection(refusal))
            await clock.sleeper(for: .seconds(8))
            clock.advance(by: .seconds(8))
            var popups = server.notifications.makeAsyncIterator()
            let popup = try #require(await popups.next())
            #expect(popup.summary == "Sign in again: work")
            try await agent.account.wait(AgentAccount.attentionNeeded, is: true)
            try await server.invoke(id: popup.id, token: "token")
            let name = needsNewToken ? "sign-in" : "find-problems"
            let parameter = [Value.structure([.string("work")])]
            #expect(await window.next() == .action(name, parameter, token: .string("token")))
        }
    }

    @Test("The menu entry opens the window as it is") func menuEntry() async throws {
        try await withWindow { agent, _, window in
            try await Proxy(agent.bus, AgentNames.applicationName, AgentNames.applicationPath)
                .call(DesktopApplication.activate, ["activation-token": .string("token")])
            #expect(await window.next() == .activate(token: .string("token")))
        }
    }
}
