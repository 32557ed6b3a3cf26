package import AgentInterface
import VisibleText

/// Why an account was not removed or signed out.
package enum AccountChangeFailure: RequestError, Equatable, Sendable {
    /// There is no such account, or a program cannot change it.
    case impossible(String)
    case configuration(ConfigurationError)
    case unwritable(String)
    case secretService(SecretServiceError)

    package var sentences: String {
        guard case .secretService = self else { return reason }
        return translatedParagraph([
            reason, translated("Nothing was changed."), translated("To leave the secret there, use --keep-secret."),
        ])
    }

    /// The reason, without what happened to the account.
    package var reason: String {
        switch self {
        case .impossible(let sentence), .unwritable(let sentence): sentence
        case .configuration(let error): error.description
        case .secretService(let error): "\(error)"
        }
    }

    package var kind: AgentRequest.Failure.Kind {
        switch self {
        case .impossible: .invalidValue
        case .secretService(.noService), .secretService(.noEncryption): .unavailable
        case .unwritable: .unwritable
        case .secretService: .refused
        case .configuration: .invalidConfiguration
        }
    }
}
