import Basics
import CLinux
import DBus
import Glibc

/// The descriptors to which the signal handlers write. Each is set before its handler is installed.
private nonisolated(unsafe) var terminationDescriptor: Int32 = -1
private nonisolated(unsafe) var hangUpDescriptor: Int32 = -1

/// Signals of this process, by handlers that write to an eventfd(2), which the loop watches.
enum ProgramSignals {
    /// Waits for SIGTERM or SIGINT, or for cancellation. Without a free descriptor the signals end the process.
    static func waitForTermination(on loop: any BusLoop) async {
        let descriptor = feedbell_eventfd()
        let arrival = Completion()
        guard descriptor >= 0, let watch = try? loop.watch(descriptor, arrival.finish) else {
            return await arrival.wait()
        }
        terminationDescriptor = descriptor
        for number in [SIGTERM, SIGINT] { signal(number) { _ in write(terminationDescriptor) } }
        await arrival.wait()
        watch.cancel()
    }

    /// Calls `body` after each SIGHUP, until the task is cancelled. Several signals may be reported as one. Without a
    /// free descriptor SIGHUP is ignored.
    static func followHangUps(on loop: any BusLoop, _ body: () async -> Void) async {
        signal(SIGHUP, SIG_IGN)
        let descriptor = feedbell_eventfd()
        let arrivals = Mailbox<Void>(.bufferingNewest(1))
        guard descriptor >= 0, let watch = try? loop.watch(descriptor, { arrivals.send() }) else { return }
        hangUpDescriptor = descriptor
        signal(SIGHUP) { _ in write(hangUpDescriptor) }
        for await _ in arrivals.messages { await body() }
        watch.cancel()
    }
}

/// Only what signal-safety(7) allows.
private func write(_ descriptor: Int32) {
    let before = errno
    var one: UInt64 = 1
    _ = Glibc.write(descriptor, &one, 8)
    errno = before
}
