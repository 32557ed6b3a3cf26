#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Runs a function that blocks on a thread of its own, which ends with it: for rare work, such as looking up a name or
/// reading the certificate authorities. The executors of the program must not block.
///
/// - Returns: The result; nil as soon as the task is cancelled, while the function still runs to its end.
package func runBlocking<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result? {
    let results = Mailbox<Result>()
    startBlocking {
        results.send(body())
        results.close()
    }
    return await results.messages.first { _ in true }
}

/// Runs a function that blocks on a thread of its own, which ends with it, and returns before it ends.
package func startBlocking(_ body: @escaping @Sendable () -> Void) {
    let work = BlockingWork(body)
    #if canImport(Glibc)
    var thread = pthread_t()
    #else
    var thread: pthread_t?
    #endif
    let retained = Unmanaged.passRetained(work)
    let code = pthread_create(
        &thread,
        nil,
        { work in
            Unmanaged<BlockingWork>.fromOpaque(work!).takeRetainedValue().body()
            return nil
        },
        retained.toOpaque()
    )
    if code == 0 {
        #if canImport(Glibc)
        pthread_detach(thread)
        #else
        if let thread { pthread_detach(thread) }
        #endif
    } else {
        // No thread can be started.
        retained.takeRetainedValue().body()
    }
}

/// Like ``runBlocking(_:)``, for at most this time.
///
/// - Returns: The result; nil also when `limit` has passed, while the function still runs to its end.
package func runBlocking<Result: Sendable>(
    atMost limit: Duration,
    clock: any Clock<Duration>,
    _ body: @escaping @Sendable () -> Result
) async -> Result? {
    await withTaskGroup(of: Result?.self) { group in
        group.addTask { await runBlocking(body) }
        group.addTask {
            try? await clock.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}

private final class BlockingWork: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
