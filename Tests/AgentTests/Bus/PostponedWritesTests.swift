import AgentInterface
import Basics
import DBus
import Inbox
import NotificationTerminal
import Store
import TestSupport
import Testing

@testable import Agent

/// What is written together with the next popup, and what cannot wait for one.
@Suite(.sessionBus, .timeLimit(.minutes(1))) struct PostponedWritesTests {
    private func arrival(_ id: String) -> PopupWrite.Arrivals {
        PopupWrite.Arrivals(rows: .init(owner: "work", created: [id: 1])) { _ in }
    }

    private func ids(_ write: PopupWrite?) -> [String] { write?.arrivals.flatMap(\.rows.created.keys) ?? [] }

    private static let forgotten = Popups.Effect.forget(server: "s", ids: [5])
    private static let shown = Popups.Effect.delivered(account: "work", [:], watermark: nil)

    @Test("A closed popup is forgotten before the next one is kept, which may have its id") func order() {
        var postponed = PostponedWrites()
        #expect(postponed.add(PopupWrite(ends: [Self.forgotten])) == nil)
        postponed.postpone(arrival("a"))
        #expect(postponed.hasArrivals)
        let write = postponed.add(PopupWrite(arrivals: [arrival("b")], kept: [Self.shown]))
        #expect(ids(write) == ["a", "b"])
        #expect(write?.kept == [Self.forgotten, Self.shown])
        #expect(write?.ends == [])
        #expect(!postponed.hasArrivals && postponed.flush() == nil)
    }

    @Test("A change that someone waits for is not postponed") func urgent() {
        let writes = [
            PopupWrite(ends: [Self.forgotten, .close(id: 5)]),
            PopupWrite(isKept: Completion(), ends: [Self.forgotten]),
            PopupWrite(isFull: true, ends: [Self.forgotten]),
            PopupWrite(responses: [.seen([])], ends: [Self.forgotten]),
            PopupWrite(ends: [Self.forgotten], calls: [PopupCall(server: "s", isKnown: true, method: .close(5))]),
        ]
        for write in writes {
            var postponed = PostponedWrites()
            #expect(postponed.add(write)?.ends == write.ends)
            #expect(postponed.flush() == nil)
        }
    }

    @Test("Everything that waits is written in the end") func flush() {
        var postponed = PostponedWrites()
        _ = postponed.add(PopupWrite(ends: [Self.forgotten]))
        postponed.postpone(arrival("a"))
        let write = postponed.flush()
        #expect(ids(write) == ["a"])
        #expect(write?.kept == [Self.forgotten])
    }

    @Test("An arrival is signalled although the notification server does not answer") func silentServer() async throws {
        let (calls, answer) = (Mailbox<Void>(), Completion())
        var server = ExportedObject(FreedesktopNotifications.path)
        server.handle(FreedesktopNotifications.getServerInformation) { ("silent", "test", "1", "1.2") }
        server.handle(FreedesktopNotifications.getCapabilities) { TerminalServer.defaultCapabilities }
        server.handle(FreedesktopNotifications.notify) { _, _, _, summary, _, _, _, _ in
            calls.send()
            if summary == "silent" { await answer.wait() }
            return 1
        }
        try await withBus { [server] bus in
            try await bus.export(server)
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            try await InProcessAgent.with { agent in
                let signals = try await agent.account.signals(of: AgentInbox.self)
                // When this one is shown, the agent knows its server.
                try await agent.provider().arrive(.sample("n0"))
                _ = await calls.messages.next()
                try await agent.provider().arrive(.sample("n1", title: "silent"))
                _ = await calls.messages.next()
                let arrived = try await signals.first { try AgentInbox.notificationArrived.decode($0)?.0 == "n1" }
                #expect(arrived != nil)
                answer.finish()
            }
        }
    }

    @Test("A closed popup is forgotten although no other popup follows, at the latest when the agent ends")
    func forgotten() async throws {
        let store = StateStore()
        try await withBus { bus in
            let server = TerminalServer(bus: bus)
            try await server.serving {
                for waits in [true, false] {
                    try await InProcessAgent.with(store: store) { agent in
                        try await agent.provider().arrive(.sample(waits ? "n1" : "n2"))
                        let popup = try #require(await server.notifications.next())
                        while try await store.popups().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
                        await server.expire(id: popup.id)
                        while waits, try await !store.popups().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
                        // An answer on the server's connection comes after its signals.
                        let account = Proxy(bus, AgentNames.busName, AgentNames.accountPath("work"))
                        if !waits { _ = try await account.get(AgentInbox.totalCount) }
                    }
                    #expect(try await store.popups().isEmpty)
                }
            }
        }
    }
}
