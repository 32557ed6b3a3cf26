import FoundationEssentials
import VisibleText

/// The findings of `feedbell-agent check`.
package struct AgentCheck: Sendable {
    /// nil: the default one.
    var configuration: String?
    /// The only account to check; nil: everything is checked.
    var account: String?
    /// Whether the findings are in the user's language.
    var isTranslated: Bool

    package init(configuration: String? = nil, account: String? = nil, isTranslated: Bool = false) {
        (self.configuration, self.account, self.isTranslated) = (configuration, account, isTranslated)
    }

    /// Never empty: that the program could not be run is a finding.
    package func findings() async -> [Finding] {
        guard let program = AgentProgram.find() else {
            return [
                Finding(
                    .agent,
                    .problem,
                    translated(
                        "The program {program} is neither beside this one nor in a directory of PATH.",
                        ["program": AgentProgram.name]
                    ),
                    remedy: translated(
                        "Install all of Feedbell. The configuration and the network were not checked."
                    )
                )
            ]
        }
        do {
            let outcome = try await program.run(arguments)
            return Self.findings(outcome, of: program)
        } catch {
            return [Finding(.agent, .problem, error.description, remedy: Self.reinstall)]
        }
    }

    private var arguments: [String] {
        ["check"] + (isTranslated ? ["--translated"] : []) + (configuration.map { ["--config", $0] } ?? [])
            + (account.map { ["--account=\($0)"] } ?? [])
    }

    private static func findings(_ outcome: AgentProgram.Outcome, of program: AgentProgram) -> [Finding] {
        let decoder = JSONDecoder()
        let lines = outcome.output.split(separator: "\n")
        let findings = lines.compactMap { try? decoder.decode(Finding.self, from: Data($0.utf8)) }
        guard outcome.status == 0, findings.count == lines.count, !findings.isEmpty else {
            let sentence = translated(
                "{program} could not check the configuration (exit code {code}).",
                ["program": program.path, "code": "\(outcome.status)"]
            )
            return findings + [Finding(.agent, .problem, sentence, remedy: reinstall)]
        }
        return findings
    }

    private static var reinstall: String {
        translated("It may have another version than this command. Install both together.")
    }
}
