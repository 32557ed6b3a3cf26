import AgentInterface
import ArgumentParser

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Looks whether everything is as it should be, and says what to do where it is not.",
        discussion: """
            Example:
              $ feedbell doctor

            Ends with 4 if something is a problem.
            """
    )

    @Option(help: "The configuration to look at, instead of ~/.config/feedbell/config.toml.") var config: String?

    func run() async throws {
        let findings = await AgentCheck(configuration: config).findings()
        for finding in findings {
            print("\(finding.level.rawValue): \(finding.sentence) \(finding.remedy ?? "")".printable)
        }
        if findings.contains(where: { $0.level == .problem }) { throw ExitCode.attentionNeeded }
    }
}
