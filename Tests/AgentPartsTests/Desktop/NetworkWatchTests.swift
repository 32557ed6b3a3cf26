import DBus
import Logging
import TestSupport
import Testing

@testable import Agent

@Suite(.sessionBus, .timeLimit(.minutes(5))) struct NetworkWatchTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test(
        "The network is available if one source reports it",
        arguments: [
            ([], .unknown),
            ([.unknown, .unknown], .unknown),
            ([.unknown, .unavailable], .unavailable),
            ([.unavailable, .available(route: nil)], .available(route: nil)),
            ([.unknown, .available(route: "a"), .available(route: "b")], .available(route: "a")),
            ([.unavailable, .limited(route: "a"), .available(route: nil)], .limited(route: "a")),
        ] as [([NetworkState], NetworkState)]
    )
    func combination(_ states: [NetworkState], _ expected: NetworkState) {
        #expect(NetworkState(states) == expected)
    }

    @Test(
        "Each state of NetworkManager is mapped to a state of the network",
        arguments: [
            (0, "/", .unknown), (10, "/", .unavailable), (20, "/", .unavailable), (30, nil, .unavailable),
            (40, "/a", .unavailable), (50, "/a", .unavailable), (60, "/a", .limited(route: "/a")),
            (70, "/a", .available(route: "/a")), (70, "/", .available(route: nil)), (70, nil, .available(route: nil)),
        ] as [(UInt32, String?, NetworkState)]
    )
    func networkManagerStates(_ state: UInt32, _ connection: String?, _ expected: NetworkState) {
        #expect(NetworkState(networkManager: state, primaryConnection: connection) == expected)
    }

    @Test(
        "Each state of systemd-networkd is mapped to a state of the network",
        arguments: [
            ("", .unknown), ("missing", .unknown), ("off", .unavailable), ("no-carrier", .unavailable),
            ("carrier", .unavailable), ("degraded", .unavailable), ("routable", .available(route: nil)),
        ] as [(String, NetworkState)]
    )
    func networkdStates(_ state: String, _ expected: NetworkState) {
        #expect(NetworkState(networkd: state) == expected)
    }

    /// Runs a watch over both buses of the test, and passes its states to `body`.
    private func follow(_ body: (AsyncStream<NetworkState>) async throws -> Void) async throws {
        try await withBus(to: SessionBus.systemAddress) { system in
            try await withBus { session in
                let watch = NetworkWatch(systemBus: system, sessionBus: session, logger: logger)
                let (states, state) = AsyncStream.makeStream(of: NetworkState.self)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await watch.run { state.yield($0) } }
                    try await body(states)
                    group.cancelAll()
                }
            }
        }
    }

    @Test("The state follows NetworkManager, its default route, and its absence") func networkManager() async throws {
        try await SessionBus.withSystemBus {
            try await follow { states in
                try await DBusMock.networkManager { manager in
                    #expect(await states.next() == .available(route: nil))
                    try await manager.network(20)
                    #expect(await states.next() == .unavailable)
                    try await manager.network(60)
                    #expect(await states.next() == .limited(route: nil))
                    try await manager.network(70)
                    #expect(await states.next() == .available(route: nil))
                    try await manager.primaryConnection(1)
                    let route = "/org/freedesktop/NetworkManager/ActiveConnection/"
                    #expect(await states.next() == .available(route: route + "1"))
                    try await manager.primaryConnection(2)
                    #expect(await states.next() == .available(route: route + "2"))
                }
                #expect(await states.next() == .unknown)
                try await DBusMock.networkManager { _ in #expect(await states.next() == .available(route: nil)) }
            }
        }
    }

    @Test("The network is available if systemd-networkd or the portal reports it") func networkdAndPortal() async throws
    {
        try await SessionBus.withSystemBus {
            try await withBus(to: SessionBus.systemAddress) { system in
                var networkd = ExportedObject(NetworkdManager.path)
                networkd.set(NetworkdManager.operationalState, "degraded")
                try await system.export(networkd)
                _ = try await system.requestName(NetworkdManager.busName)
                try await follow { states in
                    #expect(await states.next() == .unavailable)
                    try await withBus { session in
                        var portal = ExportedObject(NetworkMonitorPortal.path)
                        portal.add(NetworkMonitorPortal.self)
                        portal.handle(NetworkMonitorPortal.getAvailable) { true }
                        try await session.export(portal)
                        _ = try await session.requestName(NetworkMonitorPortal.busName)
                        #expect(await states.next() == .available(route: nil), "one source has a network")
                    }
                    #expect(await states.next() == .unavailable)
                    await system.update(NetworkdManager.path) { $0.set(NetworkdManager.operationalState, "routable") }
                    #expect(await states.next() == .available(route: nil))
                }
            }
        }
    }

    @Test("The end of the system bus makes the state unknown") func lostSystemBus() async throws {
        try await withBus { session in
            let (states, state) = AsyncStream.makeStream(of: NetworkState.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await SessionBus.withSystemBus {
                    let system = try await Bus.connect(to: .address(SessionBus.systemAddress))
                    group.addTask { try? await system.run() }
                    let watch = NetworkWatch(systemBus: system, sessionBus: session, logger: logger)
                    group.addTask { await watch.run { state.yield($0) } }
                    try await DBusMock.networkManager { _ in
                        #expect(await states.next() == .available(route: nil))
                    }
                    #expect(await states.next() == .unknown)
                }
                group.cancelAll()
            }
        }
    }
}
