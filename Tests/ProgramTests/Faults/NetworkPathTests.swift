import AgentInterface
import AgentTestSupport
import DBus
import Foundation
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Proxies, private CAs, login pages and unknown host names between the built agent and its service.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct NetworkPathTests {
    /// A name that leads nowhere but through the proxy.
    private static let host = "service.invalid"

    private enum Setting: Sendable, CaseIterable {
        case variable, desktop
    }

    @Test(
        "An account connects through a proxy to a host with a private CA",
        .sandbox(users: ["anna"]),
        arguments: Setting.allCases
    )
    private func proxyAndPrivateCA(setting: Setting) async throws {
        let sandbox = Sandbox.current
        try await TestAuthority.with { authority in
            let files = try await authority.issue(Self.host)
            try await Relay.with(to: sandbox.port, admission: .proxy(status: 200), tls: files) { relay in
                let text =
                    AgentConfiguration.account(url: "https://\(Self.host)")
                    + "ca_file = \"\(authority.file)\"\n"
                let proxy = "http://anna:geheim@127.0.0.1:\(relay.port)"
                let environment: [Environment.Key: String?] = setting == .variable ? ["HTTPS_PROXY": proxy] : [:]
                try await ProxyPortal.with { url in
                    url == "https://\(Self.host)/" && setting == .desktop ? [proxy] : ["direct://"]
                } _: {
                    try await BuiltAgent.with(text, environment: environment) { agent in
                        let id = try await sandbox.publish(["header": "Through", "text": "x"])
                        #expect(try await agent.popup().summary == "Through")
                        try await agent.account.call(AgentInbox.markRead, [id])
                        try await agent.waitForRequest("read", of: id)
                        #expect(!agent.program.log.contains { $0.contains("geheim") })
                    }
                    #expect(!relay.requests.isEmpty)
                    #expect(relay.requests.allSatisfy { $0.hasPrefix("CONNECT \(Self.host):443 HTTP/1.1\r\n") })
                    // The doctor's eyes go the same way.
                    let checked = try await TemporaryFile.with(text) { file in
                        try await Programs.run(
                            "feedbell-agent",
                            ["check", "--config", file.path],
                            environment: environment
                        )
                    }
                    #expect(checked.status == .exited(0), "\(checked.errors)")
                    let source = setting == .variable ? "HTTPS_PROXY" : "the desktop's settings"
                    let way = "through the proxy 127.0.0.1:\(relay.port) (\(source))."
                    #expect(checked.output.components(separatedBy: way).count == 4)
                    #expect(!checked.output.contains("problem") && !checked.output.contains("geheim"))
                }
            }
        }
    }

    /// The other account is not concerned, and nothing has to be started again.
    @Test("A CA file that appears later is used without a restart", .sandbox(users: ["anna"]))
    func lateCAFile() async throws {
        let sandbox = Sandbox.current
        try await TestAuthority.with { authority in
            let files = try await authority.issue("localhost")
            try await Relay.with(to: sandbox.port, tls: files) { relay in
                let later = authority.directory + "/later.pem"
                let text =
                    AgentConfiguration.account(url: "https://localhost:\(relay.port)")
                    + "ca_file = \"\(later)\"\n"
                    + AgentConfiguration.account("other", user: "anna", url: sandbox.baseURL)
                try await BuiltAgent.alone(text, environment: BuiltAgent.shortWaits) { agent in
                    try await agent.account("other").wait(AgentAccount.state, is: "online")
                    let work = agent.account
                    let sentence = "\"\(later)\" cannot be read; check that it exists and is readable."
                    try await work.wait(AgentAccount.lastError) {
                        $0.elements.0 == AgentErrors.offline.text && $0.elements.1.contains(sentence)
                    }
                    try FileManager.default.copyItem(atPath: authority.file, toPath: later)
                    try await work.wait(AgentAccount.state, is: "online")
                    try await work.wait(AgentAccount.lastError, is: Structure("", ""))
                }
            }
        }
    }

    // MARK: Login pages

    static let pages: [ServiceResponse] = [
        ServiceResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array("<html>Sign in".utf8)),
        ServiceResponse(status: 302, headers: ["Location": "http://127.0.0.1:1/login"], body: []),
        ServiceResponse(status: 511, headers: ["Content-Type": "text/html"], body: Array("<html>Sign in".utf8)),
    ]

    /// Neither a refusal of the account nor an empty inbox: what was here stays, and what came meanwhile is shown once.
    @Test(
        "The agent recovers by itself from a login page of the network",
        .builtAgent(environment: BuiltAgent.shortWaits),
        arguments: pages
    )
    func loginPage(page: ServiceResponse) async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let before = try await sandbox.publish(["header": "Before", "text": "x"])
        #expect(try await agent.popup().summary == "Before")
        // A popup may come before the list.
        try await agent.account.wait(AgentInbox.totalCount, is: 1)
        await sandbox.inject(RequestFault(.respond(page), times: 1_000_000))
        try await sandbox.execute("drop", ["how": "reset"])
        try await agent.account.wait(AgentAccount.state, is: "offline")
        // An action of this time waits for a better one.
        try await agent.account.call(AgentInbox.markRead, [before])
        try await agent.account.wait(AgentAccount.lastError) {
            $0.elements.0 == AgentErrors.offline.text
                && $0.elements.1.contains("login page of the network seems to be in the way")
        }
        #expect(try await agent.account.get(AgentInbox.totalCount) == 1)
        let status = try await Programs.output("feedbell", ["status"])
        #expect(
            status.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
                "login page of the network"
            )
        )
        _ = try await sandbox.publish(["header": "Meanwhile", "text": "x"])
        try await sandbox.execute("clear-faults")
        try await agent.account.wait(AgentAccount.state, is: "online")
        #expect(try await agent.popup().summary == "Meanwhile")
        try await agent.account.wait(AgentAccount.pendingActions, is: 0)
        #expect(await sandbox.inbox("anna").rows.first { $0.id == before }?.isRead == true)
    }

    // MARK: A sentence for each

    @Test("Errors of DNS, TLS and the network are reported, and the agent tries again", .sandbox(users: ["anna"]))
    func connectionErrors() async throws {
        try await TestAuthority.with { authority in
            let past = try await authority.issue("localhost", .past)
            let future = try await authority.issue("localhost", .future)
            let other = try await authority.issue("elsewhere.invalid")
            func relay(_ tls: (certificate: String, key: String), _ body: (Int) async throws -> Void) async throws {
                try await Relay.with(to: Sandbox.current.port, tls: tls) { try await body($0.port) }
            }
            try await relay(past) { past in
                try await relay(future) { future in
                    try await relay(other) { other in
                        let expected = [
                            ("dns", "https://name.invalid", "The name name.invalid c"),
                            ("refused", "http://127.0.0.1:1", "could not be reached: nothing listens there."),
                            (
                                "expired", "https://localhost:\(past)",
                                "its certificate expired on 2021-02-03, unless this computer's clock is wrong."
                            ),
                            (
                                "future", "https://localhost:\(future)",
                                "its certificate is valid only from 2098-03-04 on, unless this computer's clock"
                            ),
                            (
                                "other", "https://localhost:\(other)",
                                "The certificate of localhost is for another name."
                            ),
                        ]
                        let text = expected.map { name, url, _ in
                            AgentConfiguration.account(name, user: "anna", url: url)
                                + "ca_file = \"\(authority.file)\"\n"
                        }.joined()
                        try await BuiltAgent.alone(text, environment: BuiltAgent.shortWaits) { agent in
                            for (name, _, sentence) in expected {
                                try await expectAttempts(agent.account(name), sentence)
                            }
                        }
                    }
                }
            }
        }
    }

    /// The account is offline for this reason, and one attempt to connect comes after the other.
    private func expectAttempts(_ account: Proxy, _ sentence: String) async throws {
        try await account.wait(AgentAccount.lastError) {
            $0.elements.0 == AgentErrors.offline.text && $0.elements.1.contains(sentence)
        }
        var time: Int64 = 0
        try await account.wait(AgentAccount.nextAttempt) { next in
            time = next
            return next != 0
        }
        try await account.wait(AgentAccount.nextAttempt) { $0 > time }
    }
}
