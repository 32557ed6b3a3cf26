package import AgentInterface
package import FoundationEssentials
package import Inbox
import VisibleText

/// A service that hosts inboxes. A value is one account at it, as it is configured.
///
/// The agent and the command know services by this protocol only. A service is a folder in `Services` that implements
/// it, and a line in the list there.
package protocol AccountService: Sendable, Equatable {
    /// The names of the service, and its own options of `accounts add`.
    static var description: ServiceDescription { get }

    // MARK: Configuration

    /// Reads the service's keys from an account's table. Any other key is an error.
    init(_ table: inout ConfigurationTable, account: String) throws(ConfigurationError)

    /// The keys of the account's table with their values in TOML, without defaults and without what only users write.
    func keys(account: String) -> [(key: String, value: String)]

    /// The source of the secret that `accounts add` stores, if the account has one.
    var token: TokenSource? { get set }

    /// Whether the configuration itself contains a secret.
    var holdsSecrets: Bool { get }

    /// A PEM file of additional trusted certificate authorities; nil: none.
    var caFile: String? { get }

    /// Checks the values, without requests to the service and without reading secrets.
    func check() throws(ServiceProblem)

    /// Checks the form of a token that ``token`` is to give, without requests to the service.
    func check(token: String) throws(ServiceProblem)

    /// The user that a token names; nil: it names none.
    func user(ofToken token: String) -> String?

    // MARK: The account

    /// The user's inbox, to which stored state belongs. If only the account's token names the user, then what the
    /// configuration says, and an empty user.
    var owner: InboxOwner { get }

    /// The service of the account's inbox. It sends nothing before it runs.
    ///
    /// - Parameter owner: ``owner``, or what the service of a previous run reported as
    ///   ``Inbox/ServiceEvent/identified(_:)``.
    func makeInboxService(
        of owner: InboxOwner,
        _ environment: ServiceEnvironment
    ) throws(ServiceProblem) -> any InboxService

    /// Checks the account for `doctor` and `accounts add`, with requests that change nothing at the service.
    func examine(account: String, _ scope: CheckScope, _ environment: ServiceEnvironment) async -> ServiceFindings
}

/// The scope of an account's check.
package enum CheckScope: Sendable {
    /// The token, and whether the service accepts the credentials.
    case credentials
    /// The credentials and the realtime connection.
    case everything
}

extension AccountService {
    /// Any form is valid.
    package func check(token: String) {}

    package func user(ofToken token: String) -> String? { nil }

    /// Whether another account is configured in the same way.
    package func isEqual(to other: any AccountService) -> Bool { other as? Self == self }

    /// The identity of a user's inbox among all services.
    package func key(of owner: InboxOwner) -> String {
        ([Self.description.name] + owner.inbox).map(\.debugDescription).joined(separator: " ")
    }
}

/// Why an account cannot be used as it is configured, in sentences.
package struct ServiceProblem: Error, Equatable, Sendable {
    package var sentence: String

    package init(_ sentence: String) { self.sentence = sentence }

    /// A text that the user entered as a token is no JWT.
    package static var notAToken: ServiceProblem {
        ServiceProblem(
            translated("That is not a token: it has three parts separated by dots and begins with \"eyJ\".")
        )
    }
}

/// The results of the check of an account.
package struct ServiceFindings: Sendable {
    package var findings: [Finding]
    /// How far the service's clock is ahead of this computer's, in seconds; nil: unknown.
    package var clockOffset: TimeInterval?

    package init(_ findings: [Finding], clockOffset: TimeInterval? = nil) {
        self.findings = findings
        self.clockOffset = clockOffset
    }

    /// The account cannot be used as it is configured, for this reason.
    package init(misconfigured account: String, _ reason: String) {
        let remedy = translated("Correct {table}.", ["table": "[\(account.accountTable)]"])
        self.init([Finding(.configuration, .problem, account: account, reason, remedy: remedy)])
    }
}

/// The supported services. The first one is the default.
package typealias ServiceList = [any AccountService.Type]

extension ServiceList {
    /// Their names, in the configuration and on the bus.
    package var names: [String] { map { $0.description.name } }

    package func named(_ name: String) -> (any AccountService.Type)? { first { $0.description.name == name } }
}
