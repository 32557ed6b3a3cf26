import AgentInterface
import AgentTestSupport
import DBus
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The built agent recovers from outages without `Reconnect()`. Refused tokens, slow networks and a server that puts
/// the agent out are in ``OutageActionTests``, login pages in ``NetworkPathTests``, sleep and networks that come back
/// in ``SleepAndNetworkTests``.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct ReconnectTests {
    enum Outage: Sendable, Equatable {
        /// The connection ends in this way, and the service is there.
        case drop(String)
        /// It is reset, and for a while everything is answered like this.
        case answers(ServiceResponse)
        /// The connection is silent, which only missing pings show.
        case blackHole
    }

    /// With the usual waits.
    static let withUsualWaits: [Outage] = [.drop("reset"), .drop("finish"), .blackHole]

    static let announcedByServer: [Outage] = [.drop("engine-close"), .drop("close")]

    static let answeredWithErrors: [Outage] = [
        .answers(page(502)), .answers(page(503, ["Retry-After": "2"])), .answers(page(404)),
    ]

    private static func page(_ status: Int, _ headers: [String: String] = [:]) -> ServiceResponse {
        let headers = headers.merging(["Content-Type": "text/html"]) { $1 }
        return ServiceResponse(status: status, headers: headers, body: Array("<html><h1>\(status)</h1></html>".utf8))
    }

    private func begin(_ outage: Outage, _ sandbox: Sandbox, _ relay: Relay) async throws {
        switch outage {
        case .drop(let how): try await sandbox.execute("drop", ["how": .string(how)])
        case .answers(let answer):
            await sandbox.inject(RequestFault(.respond(answer), times: 1_000_000))
            try await sandbox.execute("drop", ["how": "reset"])
        case .blackHole: relay.set(.blackHole)
        }
    }

    @Test(
        "The agent reconnects by itself after every kind of lost connection",
        arguments: withUsualWaits + announcedByServer + answeredWithErrors
    )
    func returns(outage: Outage) async throws {
        var options = SandboxOptions(users: ["anna"])
        if outage == .blackHole { (options.pingInterval, options.pingTimeout) = (200, 800) }
        try await Sandbox.with(options) { sandbox in
            try await Relay.with(to: sandbox.port) { relay in
                let text = AgentConfiguration.account(url: "http://127.0.0.1:\(relay.port)")
                let waits = Self.withUsualWaits.contains(outage) ? [:] : BuiltAgent.shortWaits
                try await BuiltAgent.with(text, sandbox: sandbox, environment: waits) { agent in
                    let first = try await sandbox.waitForConnection()
                    // A notification from before the first load of the inbox is not new.
                    _ = try await sandbox.publish(["header": "Before", "text": "x"])
                    #expect(try await agent.popup().summary == "Before")
                    let connections = relay.connections
                    try await begin(outage, sandbox, relay)
                    if case .drop = outage {
                        // It may be online again before the first look.
                    } else {
                        try await agent.account.wait(AgentAccount.state, is: "offline")
                    }
                    switch outage {
                    case .drop: break
                    case .blackHole: relay.set(.none)
                    case .answers:
                        try await waiting(for: "two connections", seeing: { relay.connections }) {
                            $0 >= connections + 2
                        }
                        try await sandbox.execute("clear-faults")
                    }
                    _ = try await sandbox.publish(["header": "Meanwhile", "text": "x"])
                    try await sandbox.waitForConnection(after: first)
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    #expect(try await agent.popup().summary == "Meanwhile")
                    _ = try await sandbox.publish(["header": "After", "text": "x"])
                    #expect(try await agent.popup().summary == "After")
                }
            }
        }
    }

    @Test("The agent reconnects by itself when the service is killed and started again") func killedService()
        async throws
    {
        let serve = ["serve", "--user", "anna", "--port"]
        try await RunningProgram.with("feedbell-sandbox", serve + ["0"]) { first in
            let listening = try await first.wait(for: "listening on ")
            let url = try #require(listening.split(separator: " ").last.map(String.init))
            let port = try #require(url.split(separator: ":").last.map(String.init))
            let text = AgentConfiguration.account(url: url)
            try await BuiltAgent.alone(text, environment: BuiltAgent.shortWaits) { agent in
                try await agent.server.serving {
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    first.send(SIGKILL)
                    await first.ended()
                    try await agent.account.wait(AgentAccount.state, is: "offline")
                    try await RunningProgram.with("feedbell-sandbox", serve + [port]) { second in
                        _ = try await second.wait(for: "anna joined")
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        let publish = ["control", url, "publish", #"{"header":"After","text":"x"}"#]
                        let published = try await Programs.run("feedbell-sandbox", publish)
                        #expect(published.status == .exited(0), "\(published.errors)")
                        #expect(await agent.server.notifications.next()?.summary == "After")
                    }
                }
            }
        }
    }

    @Test(
        "The agent connects by itself when the service's host name can be resolved, and stays reachable without",
        .sandbox(users: ["anna"]),
        .enabled(if: isRoot, "needs root: gives the agent another /etc/hosts")
    )
    func unresolvableName() async throws {
        let host = "service.invalid"
        let local = "127.0.0.1 localhost\n"
        let sandbox = Sandbox.current
        try await TestAuthority.with { authority in
            let files = try await authority.issue(host)
            try await Relay.with(to: sandbox.port, tls: files) { relay in
                let text =
                    AgentConfiguration.account(url: "https://\(host):\(relay.port)")
                    + "ca_file = \"\(authority.file)\"\n"
                try await TemporaryFile.with(local, named: "hosts") { hosts in
                    // The only server of names is one where nothing listens.
                    let servers = TemporaryFile(path: hosts.directory + "/resolv.conf")
                    try servers.write("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
                    let configuration = TemporaryFile(path: hosts.directory + "/config.toml")
                    try configuration.write(text)
                    let script = """
                        mount --bind \(hosts.path) /etc/hosts && mount --bind \(servers.path) /etc/resolv.conf \
                        && exec feedbell-agent --config \(configuration.path)
                        """
                    let unshare = ["-m", "sh", "-c", script]
                    try await RunningProgram.with("unshare", unshare, environment: BuiltAgent.shortWaits) { _ in
                        try await withBus { bus in
                            let server = TerminalServer(bus: bus)
                            try await server.serving {
                                try await bus.waitForAgent()
                                let account = Proxy(bus, AgentNames.busName, AgentNames.accountPath("work"))
                                try await account.wait(AgentAccount.lastError) {
                                    $0.elements.1.contains("The name \(host) c")
                                }
                                try hosts.write(local + "127.0.0.1 \(host)\n")
                                try await account.wait(AgentAccount.state, is: "online")
                                _ = try await sandbox.waitForConnection()
                                _ = try await sandbox.publish(["header": "Resolved", "text": "x"])
                                #expect(await server.notifications.next()?.summary == "Resolved")
                                // Its last address is used now.
                                try hosts.write(local)
                                try await sandbox.execute("drop", ["how": "reset"])
                                _ = try await sandbox.publish(["header": "Unresolved", "text": "x"])
                                #expect(await server.notifications.next()?.summary == "Unresolved")
                            }
                        }
                    }
                }
            }
        }
    }
}
