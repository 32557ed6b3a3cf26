import AgentInterface
import Basics
import DBus
import FoundationEssentials
import Inbox
import Logging
import Sandbox
import TestSupport
import Testing

@testable import Agent

/// Records of notifications and popups.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct PopupRecordsTests {
    @Test("An arrival is new once, also if an earlier run has recorded it, until the watermark covers it")
    func arrivals() {
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var memory = PopupMemory(store: StateStore(), logger: log)
        memory.add(arrivals: ["a": 10], of: "work")
        #expect(memory.record(arrivals: ["a": 10], of: "work") == [])
        #expect(memory.record(arrivals: ["a": 10, "b": 20], of: "work") == ["b"])
        #expect(memory.record(arrivals: ["b": 20], of: "home") == ["b"])
        #expect(memory.record(arrivals: ["b": 20], of: "work") == [])
        memory.record([.delivered(account: "work", [:], watermark: Timestamp(milliseconds: 15))])
        #expect(memory.record(arrivals: ["a": 10, "b": 20], of: "work") == ["a"])
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
                try await agent.service().arrive(.sample("n0"))
                _ = await calls.messages.next()
                try await agent.service().arrive(.sample("n1", title: "silent"))
                _ = await calls.messages.next()
                let arrived = try await signals.next { try AgentInbox.notificationArrived.decode($0)?.0 == "n1" }
                #expect(arrived != nil)
                answer.finish()
            }
        }
    }

    @Test("A closed popup is removed from the database without a further popup, at the latest when the agent ends")
    func closedPopup() async throws {
        let store = StateStore()
        try await withBus { bus in
            let server = TerminalServer(bus: bus)
            try await server.serving {
                for waits in [true, false] {
                    try await InProcessAgent.with(store: store) { agent in
                        try await agent.service().arrive(.sample(waits ? "n1" : "n2"))
                        let popup = try #require(await server.notifications.next())
                        try await store.waitForPopups { !$0.isEmpty }
                        await server.expire(id: popup.id)
                        if waits { try await store.waitForPopups { $0.isEmpty } }
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
