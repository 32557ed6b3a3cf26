/// The active reasons to suppress popups.
package struct PopupHolds: Equatable, Sendable {
    /// A reason to suppress popups.
    package enum Reason: Hashable, Sendable {
        /// Paused by the user.
        case pause
        /// Quiet hours.
        case quiet
        /// The desktop's own do-not-disturb.
        case doNotDisturb
        /// The session is locked, and the configuration lets popups wait until it is unlocked.
        case locked
    }

    /// Whether critical popups are shown, by reason.
    private var exceptsCritical: [Reason: Bool] = [:]

    package init() {}

    package var reasons: Set<Reason> { Set(exceptsCritical.keys) }

    /// - Parameter exceptCritical: Critical popups are shown.
    package mutating func begin(_ reason: Reason, exceptCritical: Bool) { exceptsCritical[reason] = exceptCritical }

    package mutating func end(_ reason: Reason) { exceptsCritical[reason] = nil }

    /// Whether popups of this urgency are suppressed.
    ///
    /// - Parameter ignoresQuiet: Whether quiet hours are no reason.
    func suppresses(_ urgency: UInt8, ignoringQuiet ignoresQuiet: Bool = false) -> Bool {
        exceptsCritical.contains { reason, exceptsCritical in
            !(exceptsCritical && urgency == Popup.critical) && !(ignoresQuiet && reason == .quiet)
        }
    }
}
