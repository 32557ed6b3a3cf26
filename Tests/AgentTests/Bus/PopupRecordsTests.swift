import AgentInterface
import Basics
import DBus
import FoundationEssentials
import Inbox
import NotificationTerminal
import Store
import TestSupport
import Testing

@testable import Agent

/// Records that are in the journal at once, and in the database later.
@Suite(.sessionBus, .timeLimit(.minutes(1))) struct PopupRecordsTests {
    private static func arrival(_ ids: [String: Int64]) -> StateStore.Arrivals { .init(owner: "work", created: ids) }

    @Test("An arrival is new once, also if an earlier run has recorded it, until the watermark covers it")
    func arrivals() {
        var records = PopupRecords(journal: nil)
        records.restore(Self.arrival(["a": 10]))
        #expect(records.add(Self.arrival(["a": 10])) == [])
        #expect(records.isEmpty)
        #expect(records.add(Self.arrival(["a": 10, "b": 20])) == ["b"])
        #expect(records.add(.init(owner: "home", created: ["b": 20])) == ["b"])
        #expect(records.add(Self.arrival(["b": 20])) == [])
        records.add([.delivered(owner: "work", .init(watermark: 15))])
        #expect(records.add(Self.arrival(["a": 10, "b": 20])) == ["a"])
    }

    @Test("The journal is there until the database has what is in it, also what was added meanwhile")
    func journal() async throws {
        try await TemporaryFile.with("", named: "state") { file in
            let path = file.path + "-popups"
            var records = PopupRecords(journal: PopupJournal(path: path))
            #expect(records.isEmpty && records.canWait)
            _ = records.add(Self.arrival(["a": 10]))
            let first = records.take()
            _ = records.add(Self.arrival(["b": 20]))
            records.finish(first, isInFile: true)
            #expect(FileManager.default.fileExists(atPath: path))
            let second = records.take()
            #expect(second.changes == [.arrived(Self.arrival(["b": 20]))])
            records.finish(second, isInFile: false)
            #expect(FileManager.default.fileExists(atPath: path), "only memory has it")
            _ = records.add(Self.arrival(["c": 30]))
            let third = records.take()
            records.finish(third, isInFile: true)
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(records.isEmpty && records.canWait)
        }
    }

    @Test("In a flood, what is recorded is saved soon, and the journal stays short") func flood() async throws {
        try await TemporaryFile.with("", named: "state") { file in
            let journal = PopupJournal(path: file.path + "-popups")
            var records = PopupRecords(journal: journal)
            var number: Int64 = 0
            var longest = 0
            for _ in 0..<20 {
                while records.canWait {
                    number += 1
                    _ = records.add(Self.arrival([String(repeating: "x", count: 200) + "\(number)": number]))
                }
                let batch = records.take()
                #expect(batch.changes.count == 200)
                _ = records.add(Self.arrival(["during the write \(number)": number]))
                records.finish(batch, isInFile: true)
                longest = max(longest, journal.size)
            }
            #expect(longest > 0 && longest < 200_000)
        }
    }

    @Test("Without a journal, or one that cannot be written, what is recorded has to be saved at once")
    func unsafe() {
        #expect(!PopupRecords(journal: nil).canWait)
        var records = PopupRecords(journal: PopupJournal(path: "/proc/nowhere/popups"))
        #expect(records.add(Self.arrival(["a": 10])) == ["a"])
        #expect(!records.canWait && !records.isEmpty)
        #expect(records.failure?.description == "Cannot write \"/proc/nowhere/popups\": No such file or directory")
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
                let arrived = try await signals.first { try AgentInbox.notificationArrived.decode($0)?.0 == "n1" }
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
