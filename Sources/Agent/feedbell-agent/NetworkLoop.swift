import CLinux
import DBus
import Glibc
import NIOCore
import NIOPosix
import ProgramKit
import Synchronization

/// The one loop of the agent: SwiftNIO's event loop on the main thread.
///
/// SwiftNIO watches only its own channels. Other descriptors (the buses, a timer, changed files) are watched by one
/// parked thread, which only passes their readiness on. The loop reads and writes them itself.
final class NetworkLoop: ProgramLoop {
    private let turns = LoopTurns(isScheduled: true, rounds: 256)
    /// nil until ``run()`` has made it.
    private let made = Mutex<(any EventLoop)?>(nil)
    private let descriptors = PollLoop(name: "descriptors")

    /// The event loop, for channels. There is one as soon as a task runs on this loop.
    var eventLoop: any EventLoop {
        guard let eventLoop = made.withLock({ $0 }) else { fatalError("The program's loop does not run yet.") }
        return eventLoop
    }

    func run() {
        turns.useThisThread()
        MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
            self.made.withLock { $0 = eventLoop }
            eventLoop.execute(self.turn)
        }
    }

    // MARK: Work

    func enqueue(_ work: LoopWork) { if turns.add(work) { eventLoop.execute(turn) } }

    func executeBeforeWaiting(_ body: @escaping @Sendable () -> Void) {
        if turns.addToEnd(body) { eventLoop.execute(turn) }
    }

    /// A delay of at most 30 years: a sum with the current time cannot overflow.
    static func limited(_ delay: Duration) -> Duration { min(delay, .seconds(1_000_000_000)) }

    func enqueue(_ work: LoopWork, after delay: Duration) {
        guard delay > .zero else { return enqueue(work) }
        guard let eventLoop = made.withLock({ $0 }) else {
            return execute { self.enqueue(work, after: delay) }
        }
        _ = eventLoop.scheduleTask(in: TimeAmount(Self.limited(delay))) { work.run() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        enqueue(.job(UnownedJob(job), asUnownedSerialExecutor()))
    }

    /// SwiftNIO looks at its channels only when no task is due.
    private static let pauseForChannels = TimeAmount.microseconds(10)

    @Sendable private func turn() {
        if turns.run() { _ = eventLoop.scheduleTask(in: Self.pauseForChannels, turn) }
        returnMemory()
    }

    /// The shortest time between two returns of memory.
    private static let returnInterval = TimeAmount.seconds(5)
    private let lastReturn = Mutex(NIODeadline.now())

    /// Gives memory back to the system that a long list or a flood has left free. By itself the heap shrinks only at
    /// its end, where something is in use.
    private func returnMemory() {
        let now = NIODeadline.now()
        let isDue = lastReturn.withLock { last in
            guard now - last >= Self.returnInterval else { return false }
            last = now
            return true
        }
        if isDue { malloc_trim(0) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "not on the thread of the loop") }

    func isIsolatingCurrentContext() -> Bool? { turns.isOnThread }

    // MARK: Descriptors

    func watch(
        _ descriptor: Int32,
        _ handler: @escaping @Sendable () -> Void
    ) throws(DBusError) -> any DescriptorWatch {
        descriptors.start()
        return try descriptors.watch(descriptor) { self.execute(handler) }
    }
}
