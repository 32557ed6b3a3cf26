public import DBus
import Glibc

#if compiler(>=6.3) && compiler(<6.4) && !FEEDBELL_ORDINARY_EXECUTORS
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency
#endif

// This is the only file that uses the experimental interface of the concurrency runtime (custom main and global
// executors). Swift 6.3 has it as SPI. Another compiler gets the ordinary executors below, and so does a build with
// FEEDBELL_ORDINARY_EXECUTORS in its environment: the program does the same, with more threads. When the interface is
// public, remove `@_spi`, raise the lower bound of the compiler and drop the upper one. If the compiler then looks up
// `typealias DefaultExecutorFactory`, use that instead of `_createExecutors`.

/// A loop that a program runs on its main thread.
public protocol ProgramLoop: BusLoop {
    /// Runs the loop on this thread. It returns only if the loop is stopped.
    func run()
}

extension PollLoop: ProgramLoop {}

/// Runs a program on one loop on this thread, the main thread: every task without an actor, the main actor, every sleep
/// of the standard library's clocks, and connections to a bus that are given the loop.
///
/// Call it first in a synchronous `main()`. The program ends with exit code 0 when `body` returns.
public func runProgram(on loop: any ProgramLoop, _ body: @escaping @Sendable () async -> Void) -> Never {
    installExecutors(loop)
    // On the loop, so that it runs before the program uses it, on whatever thread that is.
    loop.execute {
        // The program itself: the one task that has no parent.
        Task {
            await body()
            exit(0)
        }
    }
    loop.run()
    exit(0)
}

#if compiler(>=6.3) && compiler(<6.4) && !FEEDBELL_ORDINARY_EXECUTORS

private func installExecutors(_ loop: any ProgramLoop) {
    LoopExecutors.loop = loop
    _createExecutors(factory: LoopExecutors.self)
}

private struct LoopExecutors: ExecutorFactory {
    /// Set once, before the runtime asks for the executors.
    nonisolated(unsafe) static var loop: (any ProgramLoop)!

    static let mainExecutor: any MainExecutor = LoopMainExecutor(loop)
    static let defaultExecutor: any TaskExecutor = LoopTaskExecutor(loop)
}

/// The main actor on the loop.
private final class LoopMainExecutor: MainExecutor, SchedulingExecutor {
    private let loop: any ProgramLoop

    init(_ loop: any ProgramLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        loop.enqueue(.job(UnownedJob(job), asUnownedSerialExecutor()))
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob,
        after delay: C.Duration,
        tolerance: C.Duration?,
        clock: C
    ) {
        loop.enqueue(.job(UnownedJob(job), asUnownedSerialExecutor()), after: duration(delay))
    }

    func run() { loop.run() }

    func stop() {}

    func checkIsolated() { loop.checkIsolated() }

    func isIsolatingCurrentContext() -> Bool? { loop.isIsolatingCurrentContext() }
}

/// All tasks that belong to no actor with an executor of its own.
private final class LoopTaskExecutor: TaskExecutor, SchedulingExecutor {
    private let loop: any ProgramLoop

    init(_ loop: any ProgramLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        loop.enqueue(.task(UnownedJob(job), asUnownedTaskExecutor()))
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob,
        after delay: C.Duration,
        tolerance: C.Duration?,
        clock: C
    ) {
        loop.enqueue(.task(UnownedJob(job), asUnownedTaskExecutor()), after: duration(delay))
    }
}

/// Only the clocks of the standard library sleep in the runtime.
private func duration<Delay>(_ delay: Delay) -> Duration {
    guard let delay = delay as? Duration else { fatalError("A clock sleeps by \(Delay.self) instead of Duration.") }
    return delay
}

#else

private func installExecutors(_ loop: any ProgramLoop) {}

#endif
