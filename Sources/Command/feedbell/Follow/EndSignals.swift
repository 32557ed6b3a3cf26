import CLinux
import DBus
import Glibc

/// SIGINT, SIGTERM and SIGHUP of a program that ends only after its work. The first one is reported; a second one ends
/// it at once. One that is ignored, as by nohup(1), stays ignored.
struct EndSignals: Sendable {
    private let watch: any DescriptorWatch

    /// - Parameter report: Called on the loop of the program.
    init(_ report: @escaping @Sendable () -> Void) throws(Failure) {
        if endDescriptor < 0 { endDescriptor = feedbell_eventfd() }
        do throws(DBusError) { watch = try PollLoop.main.watch(endDescriptor, report) } catch { throw Failure(error) }
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let former = signal(number) { number in handleSignal(number) }
            if Self.address(former) == Self.address(SIG_IGN) { signal(number, SIG_IGN) }
        }
    }

    private static func address(_ handler: __sighandler_t?) -> Int { unsafeBitCast(handler, to: Int.self) }

    /// Whether one was reported.
    var isReceived: Bool { received != 0 }

    /// Ends this process as the reported signal would have done. Returns if there was none.
    func endProcess() {
        watch.cancel()
        guard received != 0 else { return }
        signal(received, SIG_DFL)
        raise(received)
    }
}

/// The descriptor to which the signal handler writes. It is set before the handler is installed.
private nonisolated(unsafe) var endDescriptor: Int32 = -1
private nonisolated(unsafe) var received: Int32 = 0

/// Only what signal-safety(7) allows.
private func handleSignal(_ number: Int32) {
    let before = errno
    received = number
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
    signal(SIGHUP, SIG_DFL)
    var one: UInt64 = 1
    _ = write(endDescriptor, &one, 8)
    errno = before
}
