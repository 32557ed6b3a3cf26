package import AgentInterface
import FoundationEssentials
package import ServiceKit

/// Looks at everything that needs the configuration and the network, beside an agent that may be running. It asks the bus for
/// tokens alone, and the service only with requests that change nothing.
package struct Check: Sendable {
    private let file: ConfigurationFile
    private let surroundings: ServiceSurroundings

    package init(file: ConfigurationFile, surroundings: ServiceSurroundings) {
        self.file = file
        self.surroundings = surroundings
    }

    /// What was found, in a fixed order: the configuration, account by account, the clock.
    package func run() async -> [Finding] {
        let facts = ConfigurationFacts(file)
        guard case .success(let configuration) = facts.content else { return facts.findings }
        let accounts = await withTaskGroup { group in
            for (index, account) in configuration.accounts.enumerated() {
                group.addTask {
                    (index, await account.service.examine(account: account.name, surroundings))
                }
            }
            var accounts: [(Int, ServiceFindings)] = []
            for await account in group { accounts.append(account) }
            return accounts.sorted { $0.0 < $1.0 }.map(\.1)
        }
        let offsets = accounts.compactMap(\.clockOffset)
        return facts.findings + accounts.flatMap(\.findings) + [ClockFacts(offsets: offsets).finding].compactMap(\.self)
    }
}

/// This computer's clock, against those of the services.
struct ClockFacts: Sendable, Equatable {
    /// How far each service's clock is ahead, in seconds.
    var offsets: [TimeInterval]

    /// A difference that matters, in seconds: a token is refreshed so long before its end.
    private static let limit: TimeInterval = 30

    /// nil: no service has told its time.
    var finding: Finding? {
        guard let offset = offsets.max(by: { abs($0) < abs($1) }) else { return nil }
        guard abs(offset) > Self.limit else {
            return Finding(.clock, .ok, "This computer's clock agrees with the service's.")
        }
        let sentence =
            "This computer's clock is \(Span(seconds: offset)) \(offset > 0 ? "behind" : "ahead of") the service's."
        let remedy = "Set it by the network: timedatectl set-ntp true. Secure connections fail when it is far off."
        return Finding(.clock, .warning, sentence, remedy: remedy)
    }
}
