import Inbox

/// Whether popups are held back, and until when.
struct Pause: Equatable, Sendable {
    /// Names the end of one pause, so that the end of an earlier one means nothing.
    struct Timer: Equatable, Sendable {
        fileprivate var generation = 0
    }

    private(set) var isOn = false
    /// `nil`: until it is ended.
    private(set) var until: Timestamp?
    private var timer = Timer()

    /// Holds popups back. Returns the timer to fire at `until`.
    mutating func begin(until: Timestamp?) -> Timer {
        isOn = true
        self.until = until
        timer.generation += 1
        return timer
    }

    /// Ends the pause.
    mutating func end() {
        isOn = false
        until = nil
        timer.generation += 1
    }

    /// Whether the timer belongs to the pause that is on.
    func isCurrent(_ timer: Timer) -> Bool { isOn && timer == self.timer }
}
