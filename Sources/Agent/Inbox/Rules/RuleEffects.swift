/// The settings of a rule. nil: as without a rule.
package struct RuleEffects: Equatable, Sendable {
    /// Desktop Notifications Specification, "Urgency levels".
    package enum Urgency: String, Sendable, CaseIterable {
        case low, normal, critical

        /// The value of the hint.
        var level: UInt8 {
            switch self {
            case .low: 0
            case .normal: 1
            case .critical: Popup.critical
            }
        }
    }

    /// The property whose value is the thread key: notifications of one thread share it.
    package enum ReplaceKey: String, Sendable, CaseIterable {
        case topic, category, title
        /// The rule itself: all its notifications are one thread.
        case rule
    }

    package var urgency: Urgency?
    package var sound: Popup.Sound?
    package var timeout: PopupPolicy.Timeout?
    /// Whether the popup stays after a click, and when its notification is read.
    package var isResident = false
    /// Whether there is no popup. The notification counts as shown.
    package var isMuted = false
    /// Whether the unread notification counts in badges.
    package var countsInBadge = true
    /// Whether the notification is marked as read when it arrives.
    package var marksRead = false
    /// Whether the popup is shown also in quiet hours.
    package var ignoresQuiet = false
    /// Notifications are collected for this time, and then shown as one summary.
    package var digest: Duration?
    package var markSeen: PopupPolicy.MarkSeen?
    /// A popup replaces an open one of the same account whose notification has the same value of this property.
    package var replace: ReplaceKey?
    /// The name of an icon of the theme, or an absolute path.
    package var icon: String?

    package init() {}

    /// Whether the effects change what the inbox shows.
    var concernInbox: Bool { isMuted || !countsInBadge || marksRead }

    /// The effects of a summary: those that all its notifications have.
    ///
    /// - Parameter effects: nil: no rule applies to the notification.
    static func common(_ effects: [RuleEffects?]) -> RuleEffects {
        var common = RuleEffects()
        guard let first = effects.first ?? nil else { return common }
        func shared<Value: Equatable>(_ key: KeyPath<RuleEffects, Value?>) -> Value? {
            effects.allSatisfy { $0?[keyPath: key] == first[keyPath: key] } ? first[keyPath: key] : nil
        }
        common.sound = shared(\.sound)
        common.timeout = shared(\.timeout)
        common.markSeen = shared(\.markSeen)
        common.icon = shared(\.icon)
        return common
    }
}
