/// Performs `body`, and returns when it has ended, when `limit` has passed, or at cancellation. What has not ended then
/// is cancelled, and waited for.
package func withTimeLimit(
    _ limit: Duration,
    clock: any Clock<Duration>,
    _ body: @escaping @Sendable () async -> Void
) async {
    await withTaskGroup { group in
        group.addTask { await body() }
        group.addTask { try? await clock.sleep(for: limit) }
        await group.next()
        group.cancelAll()
    }
}
