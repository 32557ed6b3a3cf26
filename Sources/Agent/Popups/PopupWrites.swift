import Basics
import Inbox
import Store

/// What is written to disk after an event, and what follows.
struct PopupWrite: Sendable {
    /// Notifications that arrived, and what to do when this is recorded, with those of their ids that are new.
    struct Arrivals: Sendable {
        var rows: StateStore.Arrivals
        var recorded: @Sendable (Set<String>) -> Void
    }

    /// The server of the popups to close.
    var server = ""
    var arrivals: [Arrivals] = []
    var kept: [Popups.Effect] = []
    /// Whether the agent waits for the end of this write before it shows the next popup.
    var isKept: Completion?
    var isFull: Bool?
    /// Performed after `kept` is stored.
    var responses: [PopupPresenter.Response] = []
    /// Popups to forget and to close, after the responses: an open popup can be clicked again.
    var ends: [Popups.Effect] = []
    /// Made after the popups are closed.
    var calls: [PopupCall] = []

    var isEmpty: Bool {
        arrivals.isEmpty && kept.isEmpty && isKept == nil && isFull == nil && responses.isEmpty && ends.isEmpty
    }

    /// Whether it only forgets popups that are closed.
    fileprivate var canWait: Bool {
        arrivals.isEmpty && kept.isEmpty && isKept == nil && isFull == nil && responses.isEmpty && calls.isEmpty
            && ends.allSatisfy { if case .forget = $0 { true } else { false } }
    }
}

/// What needs no transaction of its own: it is written together with the next popup, which mostly follows at once.
///
/// A popup that was forgotten here, and not on disk, counts as open after a restart, as one that was closed while no
/// agent ran.
struct PostponedWrites {
    private var arrivals: [PopupWrite.Arrivals] = []
    private var forgotten: [Popups.Effect] = []

    var hasArrivals: Bool { !arrivals.isEmpty }

    /// The write together with everything that waits; nil if it waits, too.
    mutating func add(_ write: PopupWrite) -> PopupWrite? {
        if write.canWait {
            forgotten += write.ends
            return nil
        }
        guard let earlier = flush() else { return write }
        var write = write
        write.arrivals.insert(contentsOf: earlier.arrivals, at: 0)
        // Before what is kept: a later popup may have the id of a closed one.
        write.kept.insert(contentsOf: earlier.kept, at: 0)
        return write
    }

    /// Lets an arrival wait for the popup that is being shown.
    mutating func postpone(_ arrival: PopupWrite.Arrivals) { arrivals.append(arrival) }

    /// A write of everything that waits; nil if there is nothing.
    mutating func flush() -> PopupWrite? {
        guard !arrivals.isEmpty || !forgotten.isEmpty else { return nil }
        defer { self = PostponedWrites() }
        return PopupWrite(arrivals: arrivals, kept: forgotten)
    }
}
