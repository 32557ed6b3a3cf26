package import Basics

/// One rule of the configuration: conditions, and what it sets for the notifications that meet them.
package struct Rule: Equatable, Sendable {
    /// The kind of file that a rule is from.
    package enum Origin: String, Sendable {
        /// Of an administrator.
        case preset
        /// The file that the user writes.
        case config
        /// The file that programs change.
        case settings
    }

    /// Unique among the rules of the configuration.
    package var id: String
    package var origin: Origin
    package var conditions: RuleConditions
    package var effects: RuleEffects
    /// Whether the user has left it on.
    package var isEnabled: Bool
    /// From then on it matches nothing; nil: it has no end.
    package var until: Timestamp?

    package init(
        _ conditions: RuleConditions = RuleConditions(),
        _ effects: RuleEffects = RuleEffects(),
        id: String = "",
        origin: Origin = .config,
        isEnabled: Bool = true,
        until: Timestamp? = nil
    ) {
        self.id = id
        self.origin = origin
        self.conditions = conditions
        self.effects = effects
        self.isEnabled = isEnabled
        self.until = until
    }

    /// Whether the rule only mutes: such a rule of a program is tried before the user's others.
    package var isMute: Bool { origin == .settings && effects.isMuted && !effects.countsInBadge }

    /// Whether its end has come.
    package func isEnded(at now: Timestamp) -> Bool { until.map { $0 <= now } ?? false }
}
