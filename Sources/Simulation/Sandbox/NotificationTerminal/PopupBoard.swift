package import DBus

/// The state machine of a notification server: open popups, results of calls, signals to emit.
///
/// A value without I/O: events in, effects out. It follows the Desktop Notifications Specification 1.3.
package struct PopupBoard: Sendable, Equatable {
    /// The reason of `NotificationClosed`.
    package enum CloseReason: UInt32, Sendable { case expired = 1, dismissed, closedByCall, undefined }

    /// A timer of one display of a popup. Showing the popup again supersedes the timer.
    package struct Timer: Sendable, Hashable {
        package let id: UInt32
        package let generation: UInt64
    }

    package enum Effect: Sendable, Equatable {
        /// Draw the popup, for the first time or again.
        case show(TerminalPopup)
        /// The popup was closed: emit `NotificationClosed`.
        case closed(UInt32, CloseReason)
        /// Emit `ActivationToken` if there is a token, then `ActionInvoked`.
        case invoked(UInt32, key: String, token: String?)
        /// Call ``timerFired(_:)`` after this time.
        case startTimer(Timer, after: Duration)
    }

    /// The open popups, the oldest first.
    package private(set) var popups: [TerminalPopup] = []
    private var lastID: UInt32 = 0
    private var lastGeneration: UInt64 = 0
    private var timers: [UInt32: Timer] = [:]
    private let defaultTimeout: Duration?
    private let keepsInvoked: Bool

    /// An empty board.
    /// - Parameters:
    ///   - defaultTimeout: For popups with `expire_timeout` -1; `nil`: they stay.
    ///   - keepsInvoked: Whether popups stay open after an action, as on LXQt.
    package init(defaultTimeout: Duration? = nil, keepsInvoked: Bool = false) {
        self.defaultTimeout = defaultTimeout
        self.keepsInvoked = keepsInvoked
    }

    /// The open popup with this id.
    package func popup(_ id: UInt32) -> TerminalPopup? { popups.first { $0.id == id } }

    /// `Notify`. With a `replaces_id` the result is that id, as the specification requires: an open popup is replaced
    /// in place, a closed one appears again.
    /// - Throws: `InvalidArgs` for an odd number of actions or a hint of a wrong type.
    package mutating func notify(_ call: RecordedNotification) throws(DBusError) -> (id: UInt32, effects: [Effect]) {
        let index = popups.firstIndex { $0.id == call.replacesID }
        let id = call.replacesID == 0 ? nextID() : call.replacesID
        let popup = try TerminalPopup(id: id, call)
        if let index { popups[index] = popup } else { popups.append(popup) }
        lastID = max(lastID, id)
        return (id, [.show(popup)] + startTimer(for: popup, call.expireTimeout))
    }

    /// `CloseNotification`.
    /// - Throws: `InvalidArgs` if no such popup is open.
    package mutating func close(_ id: UInt32) throws(DBusError) -> [Effect] {
        guard remove(id) != nil else { throw Self.notOpen(id) }
        return [.closed(id, .closedByCall)]
    }

    /// The user dismissed a popup.
    /// - Throws: `InvalidArgs` if no such popup is open.
    package mutating func dismiss(_ id: UInt32) throws(DBusError) -> [Effect] {
        guard remove(id) != nil else { throw Self.notOpen(id) }
        return [.closed(id, .dismissed)]
    }

    /// The user chose an action. A popup that is not resident closes.
    /// - Throws: `InvalidArgs` if no such popup is open or it has no such action.
    package mutating func invoke(_ id: UInt32, key: String, token: String?) throws(DBusError) -> [Effect] {
        guard let popup = popup(id) else { throw Self.notOpen(id) }
        guard popup.actions.contains(where: { $0.key == key }) else {
            throw DBusError(.invalidArgs, "Popup \(id) has no action “\(key)”.")
        }
        var effects: [Effect] = [.invoked(id, key: key, token: token)]
        if !popup.isResident, !keepsInvoked {
            remove(id)
            effects.append(.closed(id, .dismissed))
        }
        return effects
    }

    /// A timer has fired. A superseded timer is ignored.
    package mutating func timerFired(_ timer: Timer) -> [Effect] {
        guard timers[timer.id] == timer else { return [] }
        return expire(timer.id)
    }

    /// The popup expires, independent of its timeout. Does nothing if it is not open.
    package mutating func expire(_ id: UInt32) -> [Effect] { remove(id) == nil ? [] : [.closed(id, .expired)] }

    private func nextID() -> UInt32 {
        // Wraps around after 4,294,967,295 and skips the ids of open popups.
        var id = lastID &+ 1
        while id == 0 || popup(id) != nil { id &+= 1 }
        return id
    }

    @discardableResult
    private mutating func remove(_ id: UInt32) -> TerminalPopup? {
        guard let index = popups.firstIndex(where: { $0.id == id }) else { return nil }
        timers[id] = nil
        return popups.remove(at: index)
    }

    /// -1: the server's default, but critical popups stay; 0: never; otherwise milliseconds.
    private mutating func startTimer(for popup: TerminalPopup, _ milliseconds: Int32) -> [Effect] {
        timers[popup.id] = nil
        let timeout: Duration? =
            switch milliseconds {
            case 0: nil
            case 1...: .milliseconds(milliseconds)
            default: popup.urgency == .critical ? nil : defaultTimeout
            }
        guard let timeout else { return [] }
        lastGeneration += 1
        let timer = Timer(id: popup.id, generation: lastGeneration)
        timers[popup.id] = timer
        return [.startTimer(timer, after: timeout)]
    }

    private static func notOpen(_ id: UInt32) -> DBusError { DBusError(.invalidArgs, "No popup \(id) is open.") }
}
