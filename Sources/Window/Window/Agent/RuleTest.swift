package import AgentInterface

/// The agent's reply to the question which rules apply to a notification.
package enum RuleTest: Equatable, Sendable {
    case checks([RuleCheckRecord])
    /// In a sentence.
    case failed(String)
}
