import Basics
import CTimerFD
import Dispatch
import Glibc

/// Reports when the wall clock was set and when the machine has slept, with or without an announcement by logind. The
/// kernel wakes the process only then.
///
/// It uses a timer of timerfd_create(2) that never expires. The kernel cancels it when the wall clock jumps relative to
/// `CLOCK_MONOTONIC` (`TFD_TIMER_CANCEL_ON_SET`); a sleep is such a jump.
package struct ClockWatch: Sendable {
    package init() {}

    /// Runs until the task is cancelled. Several jumps may be reported as one; compare two ``ClockReading``s to see
    /// what happened. Returns at once where the kernel has no such timer.
    package func run(_ receive: () async -> Void) async {
        let timer = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard timer >= 0 else { return }
        var never = itimerspec()
        never.it_value.tv_sec = .max
        let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
        guard timerfd_settime(timer, flags, &never, nil) == 0 else {
            close(timer)
            return
        }
        let jumps = Mailbox<Void>(.bufferingNewest(1))
        let source = DispatchSource.makeReadSource(fileDescriptor: timer, queue: .global())
        source.setEventHandler {
            var expirations: UInt64 = 0
            // ECANCELED reports the jump, once.
            guard read(timer, &expirations, MemoryLayout.size(ofValue: expirations)) < 0, errno == ECANCELED else {
                return
            }
            jumps.send()
        }
        source.setCancelHandler { close(timer) }
        source.activate()
        defer { source.cancel() }
        for await _ in jumps.messages { await receive() }
    }
}
