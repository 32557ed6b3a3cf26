package import DBus

/// Connects to the test's bus, runs the connection beside `body`, and closes it.
package func withBus<Result: Sendable>(
    to address: String = SessionBus.address,
    clock: any Clock<Duration> = ContinuousClock(),
    _ body: (Bus) async throws -> Result
) async throws -> Result {
    let bus = try await Bus.connect(to: .address(address), clock: clock)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await bus.run() }
        let result = try await body(bus)
        await bus.close()
        try await group.waitForAll()
        return result
    }
}
