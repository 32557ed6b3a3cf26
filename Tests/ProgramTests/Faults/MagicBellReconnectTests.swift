import AgentInterface
import Sandbox
import TestSupport
import Testing

/// The built agent recovers from outages of MagicBell without `Reconnect()`, over Ably and over the service's own
/// socket. ``ReconnectTests`` does the same with SuprSend.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct MagicBellReconnectTests {
    enum Outage: Sendable, Equatable {
        /// The connection ends in this way, and the service is there.
        case drop(String)
        /// The service says that it ends the connection.
        case announcement
        /// It is reset, and for a while everything is answered with a gateway's page of this status.
        case pages(Int)
        /// Nothing passes in either direction, and TCP stays open: requests and events hang.
        case blackHole
    }

    static let outages: [Outage] =
        [.drop("reset"), .drop("finish"), .drop("close"), .announcement]
        + [.pages(502), .pages(404), .blackHole]

    private func begin(_ outage: Outage, _ service: TestedService, _ sandbox: Sandbox, _ relay: Relay) async throws {
        switch outage {
        case .drop(let how): try await sandbox.execute("drop", ["how": .string(how)])
        case .announcement where service == .magicBellToken: try await sandbox.execute("socket-close")
        case .announcement: try await sandbox.execute("announce", ["frame": "disconnected"])
        case .pages(let status):
            await sandbox.inject(.page(status, times: 1_000_000))
            try await sandbox.execute("drop", ["how": "reset"])
        case .blackHole: relay.set(.blackHole)
        }
    }

    @Test(
        "The agent reconnects to MagicBell by itself after every kind of lost connection",
        arguments: [TestedService.magicBell, .magicBellToken],
        outages
    )
    func returns(service: TestedService, outage: Outage) async throws {
        // Ably's server is lost ten seconds after a missing heartbeat; the other socket is asked after 40 seconds, and
        // lost 15 seconds later.
        let options = SandboxOptions.magicBell(MagicBellOptions(users: [TestedService.user], maxIdleInterval: 500))
        try await Sandbox.with(options) { sandbox in
            try await Relay.with(to: sandbox.port) { relay in
                let text = service.account(at: "http://127.0.0.1:\(relay.port)")
                try await BuiltAgent.with(text, sandbox: sandbox, environment: BuiltAgent.shortWaits) { agent in
                    let first = try await sandbox.waitForConnection()
                    _ = try await sandbox.publish(service.fields("Before"))
                    #expect(try await agent.popup().summary == "Before")
                    let connections = relay.connections
                    try await begin(outage, service, sandbox, relay)
                    switch outage {
                    // It may be online again before the first look.
                    case .drop, .announcement: break
                    case .blackHole:
                        try await Patience.$seconds.withValue(120) {
                            try await agent.account.wait(AgentAccount.state, is: "offline")
                        }
                        relay.set(.none)
                    case .pages:
                        try await waiting(for: "two connections", seeing: { relay.connections }) {
                            $0 >= connections + 2
                        }
                        try await sandbox.execute("clear-faults")
                    }
                    _ = try await sandbox.publish(service.fields("Meanwhile"))
                    try await sandbox.waitForConnection(after: first)
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    #expect(try await agent.popup().summary == "Meanwhile")
                    _ = try await sandbox.publish(service.fields("After"))
                    #expect(try await agent.popup().summary == "After")
                }
            }
        }
    }
}
