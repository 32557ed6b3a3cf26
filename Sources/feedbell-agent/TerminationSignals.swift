import Basics
import CLinux
import DBus
import Glibc

/// The descriptor to which the signal handler writes. Set before the handler is installed.
private nonisolated(unsafe) var signalDescriptor: Int32 = -1

/// SIGTERM and SIGINT, by a handler that writes to an eventfd(2), which the loop watches.
enum TerminationSignals {
    /// Waits for one of the signals, or for cancellation. Without a free descriptor the signals end the process.
    static func wait(on loop: any BusLoop) async {
        let descriptor = feedbell_eventfd()
        let arrival = Completion()
        guard descriptor >= 0, let watch = try? loop.watch(descriptor, arrival.finish) else {
            return await arrival.wait()
        }
        signalDescriptor = descriptor
        for number in [SIGTERM, SIGINT] {
            signal(number) { _ in
                // Only what signal-safety(7) allows.
                let before = errno
                var one: UInt64 = 1
                _ = write(signalDescriptor, &one, 8)
                errno = before
            }
        }
        await arrival.wait()
        watch.cancel()
    }
}
