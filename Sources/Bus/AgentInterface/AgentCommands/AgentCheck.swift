import VisibleText

/// The findings of the agent's program about what needs the network.
package enum AgentCheck {
    /// Never empty: that the program gave no reply is a finding.
    ///
    /// - Parameters:
    ///   - account: The only account to check; nil: everything is checked.
    ///   - configuration: The absolute path; nil: the default one.
    ///   - isTranslated: Whether the findings are in the user's language.
    package static func findings(
        account: String? = nil,
        configuration: String? = nil,
        isTranslated: Bool = true
    ) async -> [Finding] {
        let call = AgentCall(.check(account: account), configuration: configuration, isTranslated: isTranslated)
        do {
            return try await AgentProgram.reply(to: call)
        } catch {
            let remedy = translated("Install all of Feedbell. The configuration and the network were not checked.")
            return [Finding(.agent, .problem, error.reason, remedy: remedy)]
        }
    }
}
