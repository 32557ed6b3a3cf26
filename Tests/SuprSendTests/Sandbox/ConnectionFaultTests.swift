import Sandbox
import Testing

@testable import SuprSend

/// A connection that ends while it is made. What the feed makes of a lost connection is in the simulation.
@Suite(.timeLimit(.minutes(5))) struct ConnectionFaultTests {
    @Test(
        "The feed recovers from each drop at each step of joining",
        arguments: ["open", "handshake", "connect", "joined"],
        [
            ["how": "close"], ["how": "close", "code": 1000], ["how": "finish"], ["how": "reset"],
            ["how": "engine-close"], ["how": "disconnect"], ["how": "silence"],
        ] as [[String: JSON]]
    )
    func joining(step: String, drop: [String: JSON]) async throws {
        let times: JSON = drop["how"] == "silence" ? 1 : 3
        let early = drop.merging(["at": .string(step), "times": times]) { $1 }
        try await SandboxFeed.running(prepare: { try await $0.execute("drop", .object(early)) }) {
            try await $0.expectRecovery()
        }
    }

    @Test(
        "The feed recovers from an upgrade that is not granted, or cut off",
        arguments: [200, 301, 400, 401, 403, 404, 429, 500, 502, 503].map { RequestFault.status($0).kind }
            + [.close, .reset, .closeMidBody]
    )
    func upgrade(kind: RequestFault.Kind) async throws {
        let fault = RequestFault(kind, path: "/socket.io/", times: 3)
        try await SandboxFeed.running(prepare: { await $0.inject(fault) }) {
            try await $0.expectRecovery()
        }
    }
}
