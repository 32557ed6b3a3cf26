import AgentInterface
import AgentTestSupport
import DBus
import Foundation
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The copy of the inbox on this computer: what is listed without a connection, and what is searched.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct CachedInboxTests {
    @Test(
        "After a restart without the service the inbox is what it was, until the service reports it",
        arguments: TestedService.allCases
    )
    func restartWithoutService(service: TestedService) async throws {
        var options = service.options
        options.port = try LastingPort.next()
        let url = "http://127.0.0.1:\(options.port)"
        try await TemporaryFile.with(service.account(at: url)) { file in
            var (ids, listed): ([String], [[String: Value]]) = ([], [])
            try await Sandbox.with(options) { sandbox in
                for number in 1...30 { ids.append(try await sandbox.publish(service.fields("Nr \(number)"))) }
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await agent.account.wait(AgentInbox.unreadCount, is: 30)
                    listed = try await Self.list(agent, ["limit": .uint32(30)])
                    #expect(listed.count == 30)
                    #expect(try await agent.account.get(AgentInbox.asOf) == 0)
                }
            }
            try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
                try await agent.account.wait(AgentAccount.state, is: "offline")
                let asOf = try await agent.account.get(AgentInbox.asOf)
                #expect(abs(Int64(Date().timeIntervalSince1970 * 1000) - asOf) < 120_000)
                #expect(try await agent.account.get(AgentInbox.unreadCount) == 30)
                #expect(try await Self.list(agent, ["limit": .uint32(30)]) == listed)
                #expect(try await Self.list(agent, ["text": .string("NR 17")]) == [listed[13]])
                #expect(try await Self.list(agent, ["ids": [ids[2]].dbusValue]) == [listed[27]])
                #expect(try await agent.account.call(AgentInbox.get, ids[0]) == listed[29], "it is not loaded")
                try await agent.account.call(AgentInbox.markRead, [ids[29]])
                #expect(try await agent.account.get(AgentInbox.unreadCount) == 29)
                let read = try await Self.list(agent, ["unread": .bool(false), "limit": .uint32(5)])
                #expect(read.map { NotificationRecord($0).id } == [ids[29]])
                #expect(try await Self.list(agent, ["text": .string("30"), "unread": .bool(true)]).isEmpty)
                try await Self.commands(name: "work")

                try await Sandbox.with(options) { sandbox in
                    let id = try await sandbox.publish(service.fields("Other"))
                    try await agent.account.wait(AgentInbox.asOf, is: 0)
                    #expect(try await Self.list(agent, [:]).map { NotificationRecord($0).id } == [id])
                    #expect(try await Self.list(agent, ["text": .string("nr")]).isEmpty)
                    #expect(try await Self.list(agent, ["text": .string("oth")]).count == 1)
                }
                try await agent.account.wait(AgentInbox.asOf) { $0 > asOf }
            }
        }
    }

    @Test("A search for no word says so", .sandbox(users: ["anna"])) func noWord() async throws {
        try await BuiltAgent.with(AgentConfiguration.account()) { agent in
            try await agent.account.wait(AgentAccount.state, is: "online")
            for text in ["", "!?", "\" -"] {
                let error = await #expect(throws: DBusError.self) {
                    try await Self.list(agent, ["text": .string(text)])
                }
                #expect(error?.name == .invalidArgs && error?.message.contains("no word") == true)
            }
        }
    }

    private static func commands(name: String) async throws {
        let status = try await Programs.run("feedbell", ["status"])
        #expect(status.status == .exited(0), "\(status.errors)")
        #expect(status.output.contains(" unread, as of "), "\(status.output)")
        // Between attempts, or during one.
        #expect(["offline", "connecting"].contains { status.output.contains("\($0) since ") }, "\(status.output)")
        let found = try await Programs.run("feedbell", ["list", "--search", "nr 17"])
        #expect(found.status == .exited(0), "\(found.errors)")
        #expect(found.output.hasSuffix("\tNr 17\n"), "\(found.output) \(found.errors)")
    }

    @Test("Of a removed account, no file has anything any longer", .sandbox(users: ["anna", "bob"]))
    func removedAccount() async throws {
        let sandbox = Sandbox.current
        let texts = ["work": "Cardamom", "home": "Juniper"]
        let home = AgentConfiguration.account("home", user: "bob")
        try await TemporaryFile.with(AgentConfiguration.account() + home) { file in
            try await BuiltAgent.keepingState(beside: file) { agent in
                for (name, user) in ["work": "anna", "home": "bob"] {
                    _ = try await sandbox.publish(["header": .string(texts[name]!), "text": "x"], to: Recipient(user))
                    try await agent.waitForList(count: 1, of: name)
                    let found = try await agent.account(name).call(AgentInbox.list, ["text": .string(texts[name]!)])
                    #expect(found.count == 1)
                }
                #expect(try Self.stateFiles(file).contains { $0.contains("Cardamom") })
                try home.write(toFile: file.path, atomically: true, encoding: .utf8)
                try await agent.root.call(AgentRoot.reload)
                // Listing waits for the thread of the disk.
                #expect(try await agent.account("home").call(AgentInbox.list, ["text": .string("juni")]).count == 1)
                #expect(try Self.stateFiles(file).allSatisfy { !$0.contains("Cardamom") })
            }
        }
    }

    @Test("With keep = 0 nothing is on disk, and a search says so", .sandbox(users: ["anna"])) func nothingKept()
        async throws
    {
        try await TemporaryFile.with(AgentConfiguration.account() + "[inbox]\nkeep = 0\n") { file in
            try await BuiltAgent.keepingState(beside: file) { agent in
                _ = try await Sandbox.current.publish(["header": "Cardamom", "text": "x"])
                try await agent.account.wait(AgentInbox.totalCount, is: 1)
                let error = await #expect(throws: DBusError.self) { try await Self.list(agent, ["text": .string("c")]) }
                #expect(error?.name == AgentErrors.notSupported && error?.message.contains("keep is 0") == true)
                let directory = file.directory + "/state/feedbell"
                #expect(
                    try !FileManager.default.contentsOfDirectory(atPath: directory).contains { $0.hasPrefix("inbox") }
                )
            }
        }
    }

    @Test("After any history with kills, list and search are those of a new agent", arguments: [1, 2, 3] as [UInt64])
    func history(seed: UInt64) async throws {
        let options = SandboxOptions(users: ["anna"])
        try await Sandbox.with(options) { sandbox in
            var random = SeededGenerator(seed: seed)
            try await TemporaryFile.with(AgentConfiguration.account(url: sandbox.baseURL)) { file in
                for round in 0..<5 {
                    try await BuiltAgent.keepingState(beside: file) { agent in
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        if round > 0 { _ = try await Self.list(agent, ["limit": .uint32(30)]) }
                        try await Self.change(sandbox, &random)
                        try await Task.sleep(for: .milliseconds(Int64.random(in: 0...1_500, using: &random)))
                        if Bool.random(using: &random) {
                            agent.program.send(SIGKILL)
                            await agent.program.ended()
                        }
                    }
                    if round == 3 { try Self.damage(file) }
                    try await Self.change(sandbox, &random)
                }
                let all: [String: Value] = ["limit": .uint32(1_000)]
                let search: [String: Value] = ["text": .string("even"), "limit": .uint32(1_000)]
                var (expected, found): ([[String: Value]], [[String: Value]]) = ([], [])
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await Self.waitUntilCurrent(agent)
                    expected = try await Self.list(agent, all)
                    found = try await Self.list(agent, search)
                }
                #expect(expected.count == (await sandbox.inbox("anna").rows.filter { !$0.isArchived }.count))
                try await TemporaryFile.with(AgentConfiguration.account(url: sandbox.baseURL)) { file in
                    try await BuiltAgent.keepingState(beside: file) { agent in
                        try await Self.waitUntilCurrent(agent)
                        #expect(try await Self.list(agent, all) == expected)
                        #expect(try await Self.list(agent, search) == found)
                    }
                }
                #expect(found == expected.filter { NotificationRecord($0).title.hasPrefix("even") })
            }
        }
    }

    /// New notifications, and actions of another device.
    private static func change(_ sandbox: Sandbox, _ random: inout SeededGenerator) async throws {
        for _ in 0..<15 {
            let number = Int.random(in: 0..<1_000, using: &random)
            let title = number.isMultiple(of: 2) ? "even \(number)" : "odd \(number)"
            _ = try await sandbox.publish(["header": .string(title), "text": "x"])
        }
        let ids = await sandbox.inbox("anna").rows.map(\.id)
        for _ in 0..<6 {
            let id = ids.randomElement(using: &random)!
            switch Int.random(in: 0..<4, using: &random) {
            case 0: _ = try? await sandbox.execute("remove", ["n_id": .string(id)])
            case 1: _ = try? await sandbox.execute("act", ["n_id": .string(id), "action": "archive"])
            default: _ = try? await sandbox.execute("act", ["n_id": .string(id), "action": "read"])
            }
        }
    }

    private static func damage(_ file: TemporaryFile) throws {
        let path = file.directory + "/state/feedbell/inbox.sqlite3"
        var contents = try Data(contentsOf: URL(filePath: path))
        contents.resetBytes(in: (contents.count / 3)..<contents.count)
        try contents.write(to: URL(filePath: path))
    }

    private static func waitUntilCurrent(_ agent: BuiltAgent) async throws {
        try await agent.account.wait(AgentAccount.state, is: "online")
        try await agent.account.wait(AgentAccount.lastEvent) { $0 != 0 }
        try await agent.account.wait(AgentInbox.asOf, is: 0)
    }

    private static func list(_ agent: BuiltAgent, _ options: [String: Value]) async throws -> [[String: Value]] {
        try await agent.account.call(AgentInbox.list, options)
    }

    private static func stateFiles(_ file: TemporaryFile) throws -> [String] {
        let directory = file.directory + "/state/feedbell"
        return try FileManager.default.contentsOfDirectory(atPath: directory).map { name in
            String(decoding: try Data(contentsOf: URL(filePath: "\(directory)/\(name)")), as: UTF8.self)
        }
    }
}
