import FoundationEssentials

/// What the command and the window request of a run of `feedbell-agent call`, which has the network, the services and
/// the secrets. Beside each request stands the type of its reply; `[String]` are sentences for the user.
package enum AgentRequest: Codable, Equatable, Sendable {
    /// The supported services, the default one first: `[ServiceDescription]`.
    case services
    /// Checks what needs the network, for one account or for all, and changes nothing: `[Finding]`.
    case check(account: String?)
    /// Every setting: `[SettingDetails]`.
    case settings
    /// Makes all changes or none: `[String]`, which says if a damaged file was renamed.
    case changeSettings([SettingChange])
    /// Whether the user's sessions start the agent: `Bool`.
    case autostart
    /// Lets them start it or not: `[String]`, which is empty.
    case setAutostart(Bool)
    /// The values of an account that can be changed: `AccountDetails`.
    case account(String)
    /// The values of a link, `feedbell:add?…`, or of the file at a path or address: `AccountDetails`. Nothing is added.
    case link(String)
    /// Checks values, which may be incomplete, and stores nothing: `[String]`, which is empty. `isComplete`: whether no
    /// further values follow; only then the inbox is compared with others.
    case checkAccount(AccountDetails, NewToken?, isChange: Bool, isVerified: Bool, isComplete: Bool)
    /// Adds the account, or changes the one with its name: `[String]`, which is empty if it has these values already.
    /// `isVerified`: whether its service has to accept it first.
    case addAccount(AccountDetails, NewToken?, isChange: Bool, isVerified: Bool)
    /// Replaces the stored token: `[String]`. Without a token it only checks that there can be another one.
    case storeToken(String?, account: String, isVerified: Bool)
    /// Removes the account and its secret: `[String]`. `isDryRun`: whether that is only checked, and nothing removed.
    case removeAccount(String, keepsSecret: Bool, isDryRun: Bool)
    /// Removes the account's secret: `[String]`. `isDryRun`: as above.
    case signOut(String, isDryRun: Bool)
}

/// Where an account is to have its token.
package enum NewToken: Codable, Equatable, Sendable {
    /// The text is stored in the Secret Service, or in a file.
    case stored(String, inFile: Bool)
    /// The path of a file with the token in its first line.
    case file(String)
    /// The command that prints the token in its first line.
    case command([String])
}

/// A setting or a table of settings by its name, and what it gets.
package struct SettingChange: Codable, Equatable, Sendable {
    package var name: String
    /// As it is written on the command line; nil: its default.
    package var value: String?

    /// - Parameter text: As it is written on the command line; empty: its default.
    package init(_ name: String, _ text: String) { (self.name, value) = (name, text.isEmpty ? nil : text) }
}

extension AgentRequest {
    /// Why a request was not fulfilled. Never contains a secret.
    package struct Failure: Error, Codable, Equatable, Sendable {
        /// Each is the exit code of the command that made the request (sysexits.h).
        package enum Kind: Int32, Codable, Sendable {
            /// A value or a name is wrong.
            case invalidValue = 64
            /// A text is no token, or no link that can be used.
            case invalidInput = 65
            /// The service did not answer, or there is no Secret Service.
            case unavailable = 69
            /// The program gave no reply.
            case noAnswer = 70
            /// A file cannot be written.
            case unwritable = 73
            /// The service refuses the credentials, the keyring is locked or failed, or a setting cannot be changed.
            case refused = 77
            case invalidConfiguration = 78
        }

        package var kind: Kind
        /// In sentences.
        package var reason: String
        /// The reason, what happened to the account, and which option of the command helps.
        package var sentences: String
        /// The options of `accounts add` of which one has a wrong value, `token` for the token; empty: unknown.
        package var options: [String]

        package init(_ kind: Kind, _ reason: String, sentences: String? = nil, options: [String] = []) {
            (self.kind, self.reason, self.options) = (kind, reason, options)
            self.sentences = sentences ?? reason
        }
    }
}

/// A request on standard input, in JSON.
package struct AgentCall: Codable, Equatable, Sendable {
    /// Of a call and of a reply, in bytes.
    package static let limit = 1 << 20
    /// The exit code of a program that cannot read the call. One that has no calls ends with it, too (`EX_USAGE`).
    package static let otherVersion: Int32 = 64

    /// Requests of another version may mean something else.
    private var version = AgentNames.version
    /// The absolute path of the configuration; nil: the default one.
    package var configuration: String?
    /// Whether sentences and labels are in the user's language.
    package var isTranslated: Bool
    package var request: AgentRequest

    package init(_ request: AgentRequest, configuration: String? = nil, isTranslated: Bool = true) {
        (self.request, self.configuration, self.isTranslated) = (request, configuration, isTranslated)
    }

    /// nil: the program that has written it is of another version.
    package init?(_ bytes: [UInt8]) {
        let call = try? JSONDecoder().decode(AgentCall.self, from: Data(bytes))
        guard let call, call.version == AgentNames.version else { return nil }
        self = call
    }

    package var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }
}

/// A reply on standard output, in JSON.
package enum AgentReply<Value: Codable & Sendable>: Codable, Sendable {
    case value(Value)
    case failure(AgentRequest.Failure)

    /// nil: the program that has written it is of another version.
    package init?(_ bytes: [UInt8]) {
        guard let reply = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
        self = reply
    }

    package var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }
}
