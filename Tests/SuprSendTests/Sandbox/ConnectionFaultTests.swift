import Sandbox
import TestSupport
import Testing

@testable import SuprSend

/// Whatever happens to the connection: in the end the feed shows what the service has, and has announced everything
/// once.
@Suite(.timeLimit(.minutes(5))) struct ConnectionFaultTests {
    static let drops: [RealtimeServer.Drop] = [
        .hangUp(.close(code: 1001)), .hangUp(.close(code: 1000)), .hangUp(.finish), .hangUp(.reset), .engineClose,
        .disconnect, .silence,
    ]

    @Test(
        "The feed recovers from each drop at each step of joining",
        arguments: RealtimeServer.JoiningStep.allCases,
        drops
    )
    func joining(step: RealtimeServer.JoiningStep, drop: RealtimeServer.Drop) async throws {
        let early = SandboxCommand.dropEarly(.init(drop: drop, step: step), times: drop == .silence ? 1 : 3)
        let options = FeedOptions(stores: SandboxFeed.stores)
        try await SandboxFeed.running(.fast(), options, prepare: { try await $0.perform(early) }, isJoining: true) {
            world in
            _ = try await world.publish()
            try await world.settle()
            await world.expectOrderly(requests: 40)
        }
    }

    /// A joined connection ends, something is published meanwhile, and the next connection does not get far either.
    @Test("The feed and its store counts recover from each drop of a session", arguments: drops, [true, false])
    func joined(drop: RealtimeServer.Drop, isRecovering: Bool) async throws {
        // The silence of a server is noticed after its heartbeat: 40 s of the feed's time, a second of the machine's.
        var options = SandboxOptions.fast(recovery: isRecovering)
        if drop == .silence { (options.pingInterval, options.pingTimeout) = (50, 39_950) }
        try await SandboxFeed.running(options, FeedOptions(stores: SandboxFeed.stores)) { world in
            try await world.settle()
            var earlier = "first"
            for (number, step) in ([nil, .handshake, .connect] as [RealtimeServer.JoiningStep?]).enumerated() {
                if let step {
                    try await world.sandbox.perform(.dropEarly(.init(drop: .hangUp(.reset), step: step)))
                }
                try await world.sandbox.perform(.drop(drop))
                try await world.sandbox.perform(.act(.read, earlier))
                earlier = try await world.sandbox.publish(SandboxFeed.look(number))
                try await world.settle()
            }
            await world.expectOrderly(requests: 100)
        }
    }

    @Test(
        "The feed recovers from an upgrade that is not granted",
        arguments: [200, 301, 400, 401, 403, 404, 429, 500, 502, 503]
    )
    func upgrade(status: Int) async throws {
        let fault = RequestFault.status(status, path: "/socket.io/", times: 3)
        try await SandboxFeed.running(prepare: { try await $0.perform(.fault(fault)) }, isJoining: true) { world in
            _ = try await world.publish()
            try await world.settle()
            await world.expectOrderly(requests: 40)
        }
    }

    @Test(
        "The feed recovers from an upgrade that is cut off",
        arguments: [.close, .reset, .closeMidBody] as [RequestFault.Kind]
    )
    func upgradeCutOff(kind: RequestFault.Kind) async throws {
        let fault = RequestFault(kind, path: "/socket.io/", times: 3)
        try await SandboxFeed.running(prepare: { try await $0.perform(.fault(fault)) }, isJoining: true) { world in
            _ = try await world.publish()
            try await world.settle()
            await world.expectOrderly(requests: 40)
        }
    }

    @Test(
        "The feed recovers from each refusal of CONNECT",
        arguments: [
            "Authentication Error: wrong auth token", "limit reached", "",
        ]
    )
    func refused(message: String) async throws {
        let refusal = SandboxCommand.refuse(ConnectRefusal(message: message), times: 1)
        try await SandboxFeed.running(prepare: { try await $0.perform(refusal) }, isJoining: true) { world in
            try await world.settle()
            await world.expectOrderly(requests: 40)
        }
    }

    @Test("What is published between the answer to CONNECT and joined_room is not missed", arguments: 0..<4)
    func beforeTheRoom(number: Int) async throws {
        try await SandboxFeed.running(.fast(recovery: false), FeedOptions(stores: SandboxFeed.stores)) { world in
            try await world.settle()
            let sandbox = world.sandbox
            let old = try await sandbox.waitForConnection()
            try await sandbox.perform(.holdRooms(true))
            try await sandbox.perform(.drop(.hangUp(.reset)))
            try await sandbox.waitForConnection(after: old)
            // The list that is loaded without joined_room is older than what comes now.
            let requests = await sandbox.requests.last?.number ?? 0
            try await sandbox.waitForRequest(after: requests) { $0.path == "/v1/feed/notifications" }
            let missed = try await sandbox.publish(SandboxFeed.look(number))
            try await sandbox.perform(.holdRooms(false))
            try await world.wait {
                await world.seen.announced.contains(missed) ? await world.difference() == nil : false
            }
            await world.expectOrderly(requests: 40)
        }
    }

    /// No server listens, then one does, then it ends and restarts with another inbox.
    @Test("The feed recovers from a restart of the server") func restart() async throws {
        let clock = FastClock(factor: SandboxFeed.factor)
        var options = SandboxOptions.fast()
        options.port = try LastingPort.next()
        let ended = try await Sandbox.with(options) { $0 }
        try await SandboxFeed.attached(to: ended, clock) { world in
            try await world.wait { await world.refusals() >= 3 }
            try await Sandbox.with(options, wall: { clock.wall }) { sandbox in
                try await sandbox.publish(["n_id": "first"])
                try await world.wait { await world.feed.data.notifications.count == 1 }
                try await sandbox.publish(["n_id": "second"])
                try await world.wait { await world.seen.announced.contains("second") }
            }
            let before = await world.refusals()
            try await world.wait { await world.refusals() > before }
            try await Sandbox.with(options, wall: { clock.wall }) { sandbox in
                try await sandbox.perform(.publish([["n_id": "first"], ["n_id": "second"], ["n_id": "third"]]))
                let restarted = world.beside(sandbox)
                try await restarted.settle()
                #expect(await world.seen.announced.filter { $0 != "first" }.prefix(2) == ["second", "third"])
                await restarted.expectOrderly(requests: 40)
            }
        }
    }
}

extension SandboxFeed {
    /// The number of times that the feed was offline because no server listens.
    fileprivate func refusals() async -> Int {
        await seen.states.count { state in
            if case .offline(let error?, .some) = state { error.kind == .unreachable } else { false }
        }
    }

    /// The same feed, compared with another sandbox.
    fileprivate func beside(_ sandbox: Sandbox) -> SandboxFeed {
        SandboxFeed(sandbox: sandbox, clock: clock, client: client, feed: feed, seen: seen)
    }
}
