import Basics
import CLinux
package import DBus
import Glibc

/// Reports when the wall clock was set and when the machine has slept, with or without an announcement by logind. The
/// kernel wakes the process only then.
///
/// The watch uses a timer of timerfd_create(2) that never expires. The kernel cancels it when the wall clock jumps
/// relative to `CLOCK_MONOTONIC` (`TFD_TIMER_CANCEL_ON_SET`); a sleep is such a jump.
package struct ClockWatch: Sendable {
    private let loop: any BusLoop

    /// - Parameter loop: Watches the timer.
    package init(loop: any BusLoop = PollLoop.shared) { self.loop = loop }

    /// Runs until the task is cancelled. Several jumps may be reported as one; compare two ``ClockReading``s to see
    /// what happened. Returns at once where the kernel has no such timer.
    package func run(_ receive: () async -> Void) async {
        guard let timer = CancelledTimer() else { return }
        let jumps = Mailbox<Void>(.bufferingNewest(1))
        guard let watch = try? loop.watch(timer.descriptor, { if timer.hasJumped { jumps.send() } }) else { return }
        defer { watch.cancel() }
        // Before the watch began.
        if timer.hasJumped { jumps.send() }
        for await _ in jumps.messages { await receive() }
    }
}

/// The timer that never expires.
private final class CancelledTimer: Sendable {
    let descriptor: Int32

    init?() {
        descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        var never = itimerspec()
        never.it_value.tv_sec = .max
        let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
        guard timerfd_settime(descriptor, flags, &never, nil) == 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether the clock has jumped since the last call: `ECANCELED` reports it once.
    var hasJumped: Bool {
        var expirations: UInt64 = 0
        return read(descriptor, &expirations, MemoryLayout.size(ofValue: expirations)) < 0 && errno == ECANCELED
    }
}
