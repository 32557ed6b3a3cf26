package import Basics
import CAdwaita
package import DBus
import Glibc
import ProgramKit
import Synchronization

/// The loop of a program with windows: GLib's main loop on the main thread, which GTK's application runs.
///
/// Tasks and the bus run between GTK's events, at the priority of input: before the next frame is drawn.
package nonisolated final class ApplicationLoop: ProgramLoop {
    /// After at most that many rounds, GTK draws.
    private let turns = LoopTurns(isScheduled: false, rounds: 64)
    private let descriptors = DescriptorSet()
    private let start: Application.Start

    /// Requests of the desktop, and of other starts of the program.
    package let events = Mailbox<Application.Event>()

    /// A loop that runs nothing yet.
    package init(_ start: Application.Start) { self.start = start }

    package func run() {
        turns.useThisThread()
        watchDescriptors()
        MainActor.assumeIsolated { Application.run(start, events) }
    }

    // MARK: Work

    package func enqueue(_ work: LoopWork) { if turns.add(work) { schedule() } }

    package func executeBeforeWaiting(_ body: @escaping @Sendable () -> Void) {
        if turns.addToEnd(body) { schedule() }
    }

    private func schedule() {
        let turn: GSourceFunc = { loop in
            let loop = Unmanaged<ApplicationLoop>.fromOpaque(loop!).takeUnretainedValue()
            if loop.turns.run() { loop.schedule() }
            return 0
        }
        g_idle_add_full(G_PRIORITY_DEFAULT, turn, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    /// In milliseconds: about 24 days.
    private static let longestDelay = Duration.milliseconds(Int32.max)

    package func enqueue(_ work: LoopWork, after delay: Duration) {
        guard delay > .zero else { return enqueue(work) }
        let (seconds, attoseconds) = min(delay, Self.longestDelay).components
        // Rounded up: a deadline that has not passed yet would wake the loop twice.
        let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        let ring: GSourceFunc = { work in
            Unmanaged<DelayedWork>.fromOpaque(work!).takeUnretainedValue().work.run()
            return 0
        }
        let release: GDestroyNotify = { Unmanaged<DelayedWork>.fromOpaque($0!).release() }
        let delayed = Unmanaged.passRetained(DelayedWork(work)).toOpaque()
        g_timeout_add_full(G_PRIORITY_DEFAULT, guint(milliseconds), ring, delayed, release)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        enqueue(.job(UnownedJob(job), asUnownedSerialExecutor()))
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    package func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "not on the thread of the loop") }

    package func isIsolatingCurrentContext() -> Bool? { turns.isOnThread }

    // MARK: Descriptors

    package func watch(
        _ descriptor: Int32,
        _ handler: @escaping @Sendable () -> Void
    ) throws(DBusError) -> any DescriptorWatch {
        try descriptors.watch(descriptor, handler)
    }

    /// GLib reports a descriptor as long as it is readable. That of the set is readable while one of the set has become
    /// ready and was not handled yet.
    private func watchDescriptors() {
        let handle: GUnixFDSourceFunc = { _, _, loop in
            Unmanaged<ApplicationLoop>.fromOpaque(loop!).takeUnretainedValue().descriptors.handle(timeout: 0)
            return 1
        }
        let loop = Unmanaged.passUnretained(self).toOpaque()
        g_unix_fd_add_full(G_PRIORITY_DEFAULT, descriptors.descriptor, G_IO_IN, handle, loop, nil)
    }
}

private nonisolated final class DelayedWork: Sendable {
    let work: LoopWork

    init(_ work: LoopWork) { self.work = work }
}
