import AgentInterface
import DBus
import FoundationEssentials
import Glibc
import NotificationTerminal
import Sandbox
import TestSupport
import Testing

/// The network, the service and the notification server are not there, come late, go away or talk nonsense.
@Suite(.sessionBus, .timeLimit(.minutes(2))) struct OutageTests {
    @Test("Notifications are shown when the notification server appears late")
    func lateServer() async throws {
        try await Sandbox.with(SandboxOptions(users: ["anna"])) { sandbox in
            try await AgentProcess.alone(AgentConfiguration.account("work", user: "anna", url: sandbox.baseURL)) {
                _,
                bus in
                _ = try await sandbox.waitForConnection()
                try await AgentProcess.state(bus, is: "online")
                for number in 1...3 { _ = try await sandbox.publish(["header": .string("Nr \(number)"), "text": "x"]) }
                let account = Proxy(bus, AgentNames.busName, AgentNames.accountPath("work"))
                while try await account.get(AgentInbox.totalCount) < 3 { try await Task.sleep(for: .milliseconds(5)) }
                let server = TerminalServer(bus: bus)
                try await server.serving {
                    var shown: [String?] = []
                    for _ in 1...3 { shown.append(await server.notifications.next()?.summary) }
                    #expect(shown == ["Nr 1", "Nr 2", "Nr 3"])
                }
            }
        }
    }

    @Test("It connects by itself to a service that comes late (12.27)") func theServiceComesLateAndGoesAway()
        async throws
    {
        let port = try freePort()
        let text = AgentConfiguration.account("work", user: "anna", url: "http://127.0.0.1:\(port)")
        try await AgentProcess.alone(text, environment: AgentProcess.shortWaits) { agent, bus in
            try await AgentProcess.state(bus, is: "offline")
            let account = Proxy(bus, AgentNames.busName, AgentNames.accountPath("work"))
            try await account.wait(AgentAccount.lastError) {
                $0.elements.0 == AgentErrors.offline.text && !$0.elements.1.isEmpty
            }
            var options = SandboxOptions(users: ["anna"])
            options.port = port
            try await Sandbox.with(options) { sandbox in
                try await AgentProcess.state(bus, is: "online")
                try await account.wait(AgentAccount.lastError, is: Structure("", ""))
                #expect(await sandbox.violations.isEmpty)
            }
            try await AgentProcess.state(bus, is: "offline")
            try await account.wait(AgentAccount.nextAttempt) { $0 > 0 }
        }
    }

    @Test(
        "Notifications published during an outage are shown once",
        arguments: [
            SandboxCommand.drop(.hangUp(.reset)), .drop(.hangUp(.close(code: 1001))), .drop(.disconnect),
            .drop(.engineClose),
        ]
    ) func outage(_ drop: SandboxCommand) async throws {
        try await AgentFixture.with(environment: AgentProcess.shortWaits, options: { $0.recovery = false }) { fixture in
            _ = try await fixture.sandbox.publish(["header": "Before", "text": "x"])
            #expect(try await fixture.popup().summary == "Before")
            try await fixture.sandbox.perform(.refuse(ConnectRefusal(message: "later"), times: 1))
            try await fixture.sandbox.perform(drop)
            try await fixture.sandbox.waitForNoConnections()
            _ = try await fixture.sandbox.publish(["header": "Meanwhile", "text": "x"])
            #expect(try await fixture.popup().summary == "Meanwhile")
            _ = try await fixture.sandbox.publish(["header": "After", "text": "x"])
            #expect(try await fixture.popup().summary == "After")
        }
    }

    @Test(
        "A failed request for details is retried a limited number of times",
        arguments: [
            RequestFault(.respond(Self.captivePortal)), .status(401), .status(403), .status(404), .status(429),
            .status(500), .status(503),
            RequestFault(.respond(ServiceResponse(status: 200, body: []))), RequestFault(.closeMidBody),
            RequestFault(.reset), RequestFault(.large(bytes: 100_000_000)),
            RequestFault(.endless), RequestFault(.slowLoris(milliseconds: 50)),
        ]
    ) func invalidAnswers(_ fault: RequestFault) async throws {
        try await AgentFixture.with { fixture in
            var fault = fault
            fault.path = "/v1/feed/notifications/"
            fault.times = 1
            try await fixture.sandbox.perform(.fault(fault))
            let id = try await fixture.sandbox.publish(["header": "Sale", "text": "x"])
            #expect(try await fixture.popup().summary == "Sale", "the details were asked for again")
            let details = await fixture.sandbox.requests.filter { $0.path == "/v1/feed/notifications/\(id)" }
            #expect(details.count <= 5, "no busy loop")
        }
    }

    @Test(
        "Invalid answers at the start are reported and retried",
        arguments: [
            RequestFault.status(401), .status(503), RequestFault(.respond(Self.captivePortal)), RequestFault(.reset),
        ]
    ) func invalidFirstAnswers(_ fault: RequestFault) async throws {
        try await Sandbox.with(SandboxOptions(users: ["anna"])) { sandbox in
            var fault = fault
            fault.path = "/v1/feed/"
            fault.times = 1_000_000
            try await sandbox.perform(.fault(fault))
            let isRefusal = fault == .status(401, path: "/v1/feed/", times: 1_000_000)
            let text = AgentConfiguration.account("work", user: "anna", url: sandbox.baseURL)
            try await AgentProcess.alone(text, environment: isRefusal ? AgentProcess.shortWaits : [:]) { _, bus in
                try await AgentProcess.state(bus, is: isRefusal ? "unauthorized" : "offline")
                let account = Proxy(bus, AgentNames.busName, AgentNames.accountPath("work"))
                let name = (isRefusal ? AgentErrors.unauthorized : AgentErrors.offline).text
                let advice = "Check the account's public_key, and its token if it has one."
                try await account.wait(AgentAccount.lastError) {
                    $0.elements.0 == name && $0.elements.1.hasSuffix(".") && $0.elements.1.contains(advice) == isRefusal
                }
                // Its waits between attempts are longer than a tenth of a second, or than a twentieth of half a minute.
                let path = "/v1/feed/notifications"
                let times = try await sandbox.wait { state in
                    let times = state.requests.filter { $0.path == path }.map(\.time)
                    return times.count >= 3 ? times : nil
                }
                let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
                #expect(gaps.allSatisfy { $0 >= (isRefusal ? 1_500 : 100) - 5 }, "no busy loop: \(gaps)")
                try await sandbox.perform(.clearFaults)
                try await AgentProcess.state(bus, is: "online")
            }
        }
    }

    @Test func oddFramesAndAMalformedRow() async throws {
        try await AgentFixture.with(user: "team/anna b+c@example.com") { fixture in
            try await fixture.sandbox.perform(.publishRaw(["n_id": "x", "created_on": "yesterday"]))
            try await fixture.sandbox.perform(.emit("something_new", [["x": 1]], as: .init()))
            try await fixture.sandbox.perform(.frame("6"))
            try await fixture.sandbox.perform(.frame("451-[\"x\",{\"_placeholder\":true,\"num\":0}]"))
            try await fixture.sandbox.perform(.binaryFrame([1, 2, 3]))
            try await fixture.sandbox.perform(.frame("42[\"new_notification\",17]"))
            try await fixture.sandbox.perform(.frame("42{nonsense"))
            let commands: [SandboxCommand] = [
                .publish([["header": "Twice", "text": "x"]], as: .init(copies: 3)),
                .publish([["header": "Acknowledged", "text": "x"]], as: .init(wantsAck: true)),
                .publish([["header": "Trailing", "text": "x"]], as: .init(trailing: ["a", "1754346745613-0"])),
            ]
            for command in commands { try await fixture.sandbox.perform(command) }
            var shown: [String] = []
            for _ in commands { shown.append(try await fixture.popup().summary) }
            #expect(shown == ["Twice", "Acknowledged", "Trailing"])
            _ = try await fixture.sandbox.wait { state in state.realtime.acks.first }
            var listed: [[String: Value]] = []
            while listed.count < commands.count {
                listed = try await fixture.account.call(AgentInbox.list, [:])
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(listed.count == commands.count, "only the malformed row is missing")
        }
    }

    @Test func severalAccountsAtOnce() async throws {
        try await Sandbox.with(SandboxOptions(users: ["anna", "bob"])) { sandbox in
            let configuration = ["anna", "bob"].map { AgentConfiguration.account($0, user: $0, url: sandbox.baseURL) }
                .joined()
            try await AgentProcess.alone(configuration) { _, bus in
                let server = TerminalServer(bus: bus)
                try await server.serving {
                    for name in ["anna", "bob"] { try await AgentProcess.state(bus, account: name, is: "online") }
                    _ = try await sandbox.wait { state in
                        state.realtime.connections.values.count { $0.member != nil } == 2 ? true : nil
                    }
                    let toBob = try await sandbox.publish(["header": "For Bob", "text": "x"], to: Recipient("bob"))
                    let popup = try #require(await server.notifications.next())
                    #expect(popup.summary == "For Bob")
                    try await server.invoke(id: popup.id)
                    let request = try await sandbox.waitForRequest { $0.path.hasSuffix("\(toBob)/interacted") }
                    #expect(request.parameters["distinct_id"] == "bob")
                    let counts = try await Proxy(bus, AgentNames.busName, AgentNames.accountPath("anna")).get(
                        AgentInbox.totalCount
                    )
                    #expect(counts == 0)
                }
            }
        }
    }

    @Test func aTokenIsReadAndRenewed() async throws {
        try await TemporaryFile.with("", named: "token") { file in
            try await Sandbox.with(SandboxOptions(users: ["anna"], requireToken: true)) { sandbox in
                try file.write(try await sandbox.token(for: Recipient("anna"), lifetime: 3600) + "\n")
                let configuration =
                    AgentConfiguration.account("work", user: "anna", url: sandbox.baseURL, hasToken: false)
                    + "token_command = [\"cat\", \"\(file.path)\"]\n"
                try await AgentProcess.alone(configuration) { agent, bus in
                    try await AgentProcess.state(bus, is: "online")
                    try await sandbox.perform(.rotateTokens)
                    try file.write(try await sandbox.token(for: Recipient("anna"), lifetime: 3600) + "\n")
                    let server = TerminalServer(bus: bus)
                    try await server.serving {
                        _ = try await sandbox.waitForConnection()
                        _ = try await sandbox.publish(["header": "Renewed", "text": "x"])
                        #expect(await server.notifications.next()?.summary == "Renewed")
                    }
                    let secrets = try String(decoding: Data(contentsOf: URL(filePath: file.path)), as: UTF8.self)
                    #expect(!agent.log.contains { $0.contains(secrets.dropLast()) })
                }
                #expect(await sandbox.violations.isEmpty)
            }
        }
    }

    /// What a captive portal answers.
    private static let captivePortal = ServiceResponse(
        status: 200,
        headers: ["Content-Type": "text/html"],
        body: Array("<html>Please sign in</html>".utf8)
    )

    /// A port without a listener.
    private func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        try #require(port)
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
