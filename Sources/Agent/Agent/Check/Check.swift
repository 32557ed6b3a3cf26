package import AgentInterface
import FoundationEssentials
import Inbox
import VisibleText

/// The checks that need the configuration and the network, independent of a running agent. They use D-Bus only for
/// tokens, and send the service only requests that change nothing.
package struct Check: Sendable {
    private let file: ConfigurationFile
    private let account: String?
    private let environment: ServiceEnvironment
    private let state: StateFileFacts?
    private let pictures: @Sendable () async -> Finding?

    /// - Parameters:
    ///   - account: The name of the only account to check; nil: everything.
    ///   - state: The agent's state file; nil: it is not checked.
    ///   - pictures: Checks what the pictures of popups need, where they are configured.
    package init(
        file: ConfigurationFile,
        account: String? = nil,
        environment: ServiceEnvironment,
        state: StateFileFacts? = nil,
        pictures: @escaping @Sendable () async -> Finding? = { nil }
    ) {
        self.file = file
        self.account = account
        self.environment = environment
        self.state = state
        self.pictures = pictures
    }

    /// The findings in a fixed order: the configuration, its rules, the state file, pictures, each account, the clock.
    package func run() async -> [Finding] {
        let facts = await ConfigurationFacts(file)
        guard case .success(let configuration) = facts.content else {
            return facts.findings + [state?.finding].compactMap(\.self)
        }
        if let account {
            guard let only = configuration.accounts.first(where: { $0.name == account }) else {
                let sentence = ConfiguredAccount.unknown(account, among: configuration.accounts)
                return [Finding(.account, .problem, sentence)]
            }
            let findings = await only.service.examine(account: account, .everything, environment)
            return findings.findings
        }
        let rules = RuleFacts(
            configuration.popups.rules,
            of: facts.ruleLists,
            accounts: configuration.accounts.map(\.name)
        )
        let accounts = await withTaskGroup { group in
            for (index, account) in configuration.accounts.enumerated() {
                group.addTask {
                    (index, await account.service.examine(account: account.name, .everything, environment))
                }
            }
            var accounts: [(Int, ServiceFindings)] = []
            for await account in group { accounts.append(account) }
            return accounts.sorted { $0.0 < $1.0 }.map(\.1)
        }
        let offsets = accounts.compactMap(\.clockOffset)
        let picture = configuration.popups.hasPictures ? await pictures() : nil
        return facts.findings + rules.findings + [state?.finding, picture].compactMap(\.self)
            + accounts.flatMap(\.findings) + [ClockFacts(offsets: offsets).finding].compactMap(\.self)
    }
}

/// This computer's clock compared with those of the services.
struct ClockFacts: Sendable, Equatable {
    /// How far each service's clock is ahead of this computer's, in seconds.
    var offsets: [TimeInterval]

    /// The tolerated difference in seconds: tokens are refreshed this long before they expire.
    private static let limit: TimeInterval = 30

    /// nil: no service's time is known.
    var finding: Finding? {
        guard let offset = offsets.max(by: { abs($0) < abs($1) }) else { return nil }
        guard abs(offset) > Self.limit else {
            return Finding(.clock, .ok, translated("This computer's clock agrees with the service's."))
        }
        let values = ["span": ApproximateDuration(seconds: offset).text]
        // Translators: The span of time is such as "3 minutes".
        let sentence =
            offset > 0
            ? translated("This computer's clock is {span} behind the service's.", values)
            : translated("This computer's clock is {span} ahead of the service's.", values)
        let remedy = translated(
            "Synchronize it: timedatectl set-ntp true. With a wrong clock, TLS connections fail."
        )
        return Finding(.clock, .warning, sentence, remedy: remedy)
    }
}
