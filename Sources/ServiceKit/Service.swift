package import AgentInterface
package import FoundationEssentials
package import Inbox

/// A service that hosts inboxes. A value is one account at it, as it is configured.
///
/// This is all that the agent and the command know of a service. A service is a folder in `Sources/Services` with its implementation of
/// this, and a line in the list there.
package protocol Service: Sendable, Equatable {
    /// Its names, and the options of `accounts add` that it has besides those of every account.
    static var description: ServiceDescription { get }

    // MARK: Configuration

    /// Reads the service's own keys of an account's table. A key that is not read here is reported as unknown.
    init(_ table: inout ConfigurationTable, account: String) throws(ConfigurationError)

    /// What the account's table says, in order, without what is usual and without what is only written by hand. Values are in TOML.
    func keys(account: String) -> [(key: String, value: String)]

    /// The source of the secret that `accounts add` stores, if the account has one.
    var token: TokenSource? { get set }

    /// Whether a secret stands in the configuration itself.
    var holdsSecrets: Bool { get }

    /// Throws what is wrong with the values beyond their form. Asks neither the service nor any source of secrets.
    func check() throws(ServiceProblem)

    // MARK: The account

    /// Who the account's user is at the service.
    var user: String { get }

    /// What tells the user's inbox from every other one of the service: hosts, project, user. What the agent keeps belongs to it.
    var inbox: [String] { get }

    /// The service's side of the account. Nothing is sent before it runs.
    func makeProvider(_ surroundings: ServiceSurroundings) throws(ServiceProblem) -> any InboxProvider

    /// Looks at the account for `doctor`, with requests that change nothing at the service.
    func examine(account: String, _ surroundings: ServiceSurroundings) async -> ServiceFindings
}

extension Service {
    /// Whether another account is configured in the same way.
    package func isEqual(to other: any Service) -> Bool { other as? Self == self }

    /// Names the user's inbox among those of all services.
    package var inboxKey: String {
        ([Self.description.name] + inbox).map(\.debugDescription).joined(separator: " ")
    }
}

/// Why an account cannot be used as it is configured, in sentences.
package struct ServiceProblem: Error, Equatable, Sendable {
    package var sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}

/// What was found out about an account.
package struct ServiceFindings: Sendable {
    package var findings: [Finding]
    /// How far the service's clock is ahead of this computer's, in seconds; nil: no answer has told.
    package var clockOffset: TimeInterval?

    package init(_ findings: [Finding], clockOffset: TimeInterval? = nil) {
        self.findings = findings
        self.clockOffset = clockOffset
    }
}

/// The services that accounts can be of. The first one is meant where none is named.
package typealias ServiceList = [any Service.Type]

extension ServiceList {
    /// Their names, in the configuration and on the bus.
    package var names: [String] { map { $0.description.name } }

    package func named(_ name: String) -> (any Service.Type)? { first { $0.description.name == name } }
}
