import Glibc

/// Writes when frames end and what they cost, for `packaging/benchmark`. Only with the variable
/// `FEEDBELL_WINDOW_FRAMES`, which names a file.
///
/// A line is `frame TIME CPU ROWS SHOWN CHANGED BOUND`, or `key TIME`: microseconds of the monotonic clock and of the
/// main thread's processor time, the number of listed rows, of those that have widgets, of changes of rows so far, and
/// how often GTK has given one of its places a row.
final class FrameLog {
    private let stream: UnsafeMutablePointer<FILE>
    private var changes = 0
    private var bindings = 0

    /// nil: nothing is to be written.
    init?() {
        guard let path = getenv("FEEDBELL_WINDOW_FRAMES"), let stream = fopen(path, "we") else { return nil }
        setvbuf(stream, nil, _IOLBF, 0)
        self.stream = stream
    }

    func rowChanged() { changes += 1 }

    func rowBound() { bindings += 1 }

    func keyPressed() { write("key \(Self.time(CLOCK_MONOTONIC))") }

    func frameEnded(rows: Int, shown: Int) {
        let (time, processor) = (Self.time(CLOCK_MONOTONIC), Self.time(CLOCK_THREAD_CPUTIME_ID))
        write("frame \(time) \(processor) \(rows) \(shown) \(changes) \(bindings)")
    }

    private func write(_ line: String) { fputs(line + "\n", stream) }

    private static func time(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }
}
