import Sandbox
import Testing

@testable import SuprSend

/// A connection that ends while it is made. What the feed makes of a lost connection is in the simulation.
@Suite(.timeLimit(.minutes(5))) struct ConnectionFaultTests {
    @Test(
        "The feed recovers from each drop at each step of joining",
        arguments: RealtimeServer.JoiningStep.allCases,
        [
            .hangUp(.close(code: 1001)), .hangUp(.close(code: 1000)), .hangUp(.finish), .hangUp(.reset), .engineClose,
            .disconnect, .silence,
        ] as [RealtimeServer.Drop]
    )
    func joining(step: RealtimeServer.JoiningStep, drop: RealtimeServer.Drop) async throws {
        let early = SandboxCommand.dropEarly(.init(drop: drop, step: step), times: drop == .silence ? 1 : 3)
        try await SandboxFeed.running(prepare: { try await $0.perform(early) }) { try await $0.expectRecovery() }
    }

    @Test(
        "The feed recovers from an upgrade that is not granted, or cut off",
        arguments: [200, 301, 400, 401, 403, 404, 429, 500, 502, 503].map { RequestFault.status($0).kind }
            + [.close, .reset, .closeMidBody]
    )
    func upgrade(kind: RequestFault.Kind) async throws {
        let fault = RequestFault(kind, path: "/socket.io/", times: 3)
        try await SandboxFeed.running(prepare: { try await $0.perform(.fault(fault)) }) {
            try await $0.expectRecovery()
        }
    }
}
