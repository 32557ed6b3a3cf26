package import AgentInterface

/// Looks at everything that needs the configuration and the network, beside an agent that may be running. It touches no bus,
/// and the service only with requests that change nothing.
package struct Check: Sendable {
    private let file: ConfigurationFile

    package init(file: ConfigurationFile) { self.file = file }

    /// What was found, in a fixed order: the configuration, then account by account.
    package func run() async -> [Finding] {
        ConfigurationFacts(file).findings
    }
}
