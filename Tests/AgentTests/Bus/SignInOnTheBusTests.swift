import Agent
import AgentInterface
import Basics
import DBus
import Inbox
import TestSupport
import Testing

/// An account whose service no longer lets its user in.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct SignInOnTheBusTests {
    private static func unauthorized(_ sentence: String) -> ServiceEvent {
        let failure = ServiceFailure(.unauthorized, sentence)
        let since = Timestamp(milliseconds: 1)
        return .connection(Connection(state: .unauthorized, since: since, failure: failure))
    }

    @Test("One popup asks to sign in again, has a button, and is closed when the account is online") func popup()
        async throws
    {
        let shown = Mailbox<(id: UInt32, summary: String, actions: [String])>()
        let closed = Mailbox<UInt32>()
        let count = Counter()
        try await withBus { bus in
            var object = ExportedObject(FreedesktopNotifications.path)
            object.handle(FreedesktopNotifications.getServerInformation) { ("test", "test", "1", "1.2") }
            object.handle(FreedesktopNotifications.getCapabilities) { ["actions", "body"] }
            object.handle(FreedesktopNotifications.closeNotification) { closed.send($0) }
            object.handle(FreedesktopNotifications.notify) { _, _, _, summary, _, actions, _, _ in
                let id = await count.next()
                shown.send((id, summary, actions))
                return id
            }
            try await bus.export(object)
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            let clock = ManualClock()
            try await InProcessAgent.with(environment: AgentEnvironment(clock: clock)) { agent in
                let service = try agent.service()
                service.send(Self.unauthorized("No."))
                await clock.sleeper(for: .seconds(8))
                clock.advance(by: .seconds(8))
                let popup = try #require(await shown.messages.next())
                #expect(popup.summary == "Sign in again: work")
                #expect(popup.actions.count == 4)
                // Another refusal is no other reason, nor is an attempt before it.
                service.send(.connection(Connection(state: .connecting, since: Timestamp(milliseconds: 1))))
                service.send(Self.unauthorized("Still no."))
                try await agent.account.wait(AgentAccount.lastError) { $0.elements.1 == "Still no." }
                service.send(.connection(Connection(state: .online, since: Timestamp(milliseconds: 2))))
                #expect(await closed.messages.next() == popup.id)
                #expect(await count.value == 1)
            }
        }
    }

    @Test(
        "The last error says whether an account without a token was signed out, which alone needs no attention",
        .inProcessAgent()
    )
    func missingToken() async throws {
        let agent = InProcessAgent.current
        let service = try agent.service()
        let cases: [(ServiceFailure.MissingToken?, String, String, Bool)] = [
            (.notSignedIn, "NotSignedIn", "No file.", true),
            (.signedOut, "SignedOut", "Signed out. Sign in: feedbell accounts token work", false),
            (nil, "Unauthorized", "No file.", true),
        ]
        for (missing, name, sentence, needsAttention) in cases {
            var failure = ServiceFailure(.unauthorized, "No file.")
            failure.missingToken = missing
            service.send(.connection(Connection(state: .unauthorized, since: 1, failure: failure)))
            try await agent.account.wait(AgentAccount.lastError) { $0.elements.0 == "org.feedbell.Error.\(name)" }
            #expect(try await agent.account.get(AgentAccount.lastError).elements.1 == sentence)
            #expect(try await agent.account.get(AgentAccount.attentionNeeded) == needsAttention)
            #expect(try await agent.root.get(AgentRoot.attentionNeeded) == needsAttention)
        }
    }

    @Test("What the connection waits for on this computer is its last error, until it is over", .inProcessAgent())
    func delay() async throws {
        let agent = InProcessAgent.current
        let service = try agent.service()
        service.send(.delayed(ServiceFailure(.transient, "\"pass\" (token_command) has not ended yet.")))
        try await agent.account.wait(AgentAccount.lastError) { $0.elements.1.contains("\"pass\"") }
        #expect(try await agent.account.get(AgentAccount.state) == "connecting")
        #expect(try await !agent.account.get(AgentAccount.attentionNeeded))
        service.send(.delayed(nil))
        try await agent.account.wait(AgentAccount.lastError) { $0.elements.1.isEmpty }
    }
}

private actor Counter {
    private(set) var value: UInt32 = 0

    func next() -> UInt32 {
        value += 1
        return value
    }
}
