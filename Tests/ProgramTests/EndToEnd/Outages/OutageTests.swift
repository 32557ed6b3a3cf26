import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import TestSupport
import Testing

/// The network, the service and the notification server are not there, come late, go away or talk nonsense.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct OutageTests {
    @Test("Notifications are shown when the notification server appears late", .sandbox(users: ["anna"]))
    func lateServer() async throws {
        let sandbox = Sandbox.current
        try await BuiltAgent.alone(AgentConfiguration.account(url: sandbox.baseURL)) { agent in
            _ = try await sandbox.waitForConnection()
            try await agent.account.wait(AgentAccount.state, is: "online")
            for number in 1...3 { _ = try await sandbox.publish(["header": .string("Nr \(number)"), "text": "x"]) }
            let account = agent.account
            try await account.wait(AgentInbox.totalCount) { $0 >= 3 }
            try await agent.server.serving {
                var shown: [String?] = []
                for _ in 1...3 { shown.append(await agent.server.notifications.next()?.summary) }
                #expect(shown == ["Nr 1", "Nr 2", "Nr 3"])
            }
        }
    }

    @Test("The agent connects by itself to a service that starts late", arguments: TestedService.allCases)
    func lateService(service: TestedService) async throws {
        let port = try LastingPort.next()
        let text = service.account(at: "http://127.0.0.1:\(port)")
        try await BuiltAgent.alone(text, environment: BuiltAgent.shortWaits) { agent in
            try await agent.account.wait(AgentAccount.state, is: "offline")
            let account = agent.account
            try await account.wait(AgentAccount.lastError) {
                $0.elements.0 == AgentErrors.offline.text && !$0.elements.1.isEmpty
            }
            var options = service.options
            options.port = port
            try await Sandbox.with(options) { sandbox in
                try await agent.account.wait(AgentAccount.state, is: "online")
                try await account.wait(AgentAccount.lastError, is: Structure("", ""))
                #expect(await sandbox.violations.isEmpty)
            }
            try await agent.account.wait(AgentAccount.state, is: "offline")
            try await account.wait(AgentAccount.nextAttempt) { $0 > 0 }
        }
    }

    @Test(
        "Unknown frames and a malformed row do not hide other notifications",
        .builtAgent(user: "team/anna b+c@example.com")
    ) func unknownFrames() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        try await sandbox.execute("publish-raw", ["row": ["n_id": "x", "created_on": "yesterday"]])
        try await sandbox.execute("emit", ["event": "something_new", "arguments": [["x": 1]]])
        try await sandbox.execute("frame", ["text": "6"])
        try await sandbox.execute("frame", ["text": "451-[\"x\",{\"_placeholder\":true,\"num\":0}]"])
        try await sandbox.execute("frame", ["binary": [1, 2, 3]])
        try await sandbox.execute("frame", ["text": "42[\"new_notification\",17]"])
        try await sandbox.execute("frame", ["text": "42{nonsense"])
        let notifications: [JSON] = [
            ["header": "Twice", "text": "x", "copies": 3], ["header": "Acknowledged", "text": "x", "ack": true],
            ["header": "Trailing", "text": "x", "trailing": ["a", "1754346745613-0"]],
        ]
        for notification in notifications { try await sandbox.execute("publish", notification) }
        var shown: [String] = []
        for _ in notifications { shown.append(try await agent.popup().summary) }
        #expect(shown == ["Twice", "Acknowledged", "Trailing"])
        _ = try await sandbox.wait { state in state.realtime.acks.first }
        let listed = try await waiting(for: "all rows") {
            try await agent.account.call(AgentInbox.list, [:])
        } until: {
            $0.count >= notifications.count
        }
        #expect(listed.count == notifications.count, "only the malformed row is missing")
    }

    @Test("Two accounts are online at once, and a click acts for its own account", .sandbox(users: ["anna", "bob"]))
    func twoAccounts() async throws {
        let sandbox = Sandbox.current
        let configuration = ["anna", "bob"].map { AgentConfiguration.account($0, user: $0, url: sandbox.baseURL) }
            .joined()
        try await BuiltAgent.alone(configuration) { agent in
            try await agent.server.serving {
                for name in ["anna", "bob"] { try await agent.account(name).wait(AgentAccount.state, is: "online") }
                _ = try await sandbox.wait { state in
                    state.realtime.connections.values.count { $0.member != nil } == 2 ? true : nil
                }
                let toBob = try await sandbox.publish(["header": "For Bob", "text": "x"], to: Recipient("bob"))
                let popup = try await agent.popup()
                #expect(popup.summary == "For Bob")
                try await agent.server.invoke(id: popup.id)
                let request = try await sandbox.waitForRequest { $0.path.hasSuffix("\(toBob)/interacted") }
                #expect(request.parameters["distinct_id"] == "bob")
                let counts = try await agent.account("anna").get(
                    AgentInbox.totalCount
                )
                #expect(counts == 0)
            }
        }
    }

    @Test("A rejected token is read again from its command, and is never logged", .sandbox(users: ["anna"]))
    func renewedToken() async throws {
        try await TemporaryFile.with("", named: "token") { file in
            let sandbox = Sandbox.current
            try file.write(try await sandbox.token(for: Recipient("anna"), lifetime: 3600) + "\n")
            let configuration =
                AgentConfiguration.account(url: sandbox.baseURL, hasToken: false)
                + "token_command = [\"cat\", \"\(file.path)\"]\n"
            try await BuiltAgent.alone(configuration) { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
                // Before the old one is rejected: a command that still prints it is run again only after a while.
                let generation = await sandbox.state.service.tokenGeneration + 1
                let next = try await sandbox.execute("token", ["generation": .integer(Int64(generation))])
                try file.write((next["token"]?.string ?? "") + "\n")
                try await sandbox.execute("rotate-tokens")
                try await agent.server.serving {
                    _ = try await sandbox.waitForConnection()
                    _ = try await sandbox.publish(["header": "Renewed", "text": "x"])
                    #expect(await agent.server.notifications.next()?.summary == "Renewed")
                }
                let secrets = try String(decoding: Data(contentsOf: URL(filePath: file.path)), as: UTF8.self)
                #expect(!agent.program.log.contains { $0.contains(secrets.dropLast()) })
            }
            #expect(await sandbox.violations.isEmpty)
        }
    }
}
