package import AgentInterface
import VisibleText

extension AccountAddition {
    /// Why nothing was added or changed.
    package enum Failure: Error, Equatable, Sendable {
        /// An option or the token is invalid.
        case rejected(String)
        /// Another account has the name.
        case nameInUse(String)
        case configuration(ConfigurationError)
        case unwritable(String)
        case secretService(SecretServiceError)
        /// A text is no token of the service.
        case invalidToken(String)
        /// The service refuses the credentials, for this reason; `options`: one of these options has the wrong value.
        case refused(String, options: [String])
        /// The service did not answer, for this reason.
        case unverified(String)

        init(_ error: any Error) {
            switch error {
            case Configuration.AdditionFailure.rejected(let sentence): self = .rejected(sentence)
            case Configuration.AdditionFailure.nameInUse(let sentence): self = .nameInUse(sentence)
            case Configuration.AdditionFailure.configuration(let error): self = .configuration(error)
            case let error as ConfigurationError: self = .configuration(error)
            case let error as PrivateFile.Failure: self = .unwritable(error.description)
            case let error as SecretServiceError: self = .secretService(error)
            default: self = .unwritable("\(error)")
            }
        }

        /// The reason, without what happened to the account.
        private var reason: String {
            switch self {
            case .rejected(let sentence), .nameInUse(let sentence), .unwritable(let sentence),
                .invalidToken(let sentence):
                sentence
            case .configuration(let error): error.description
            case .secretService(let error): "\(error)"
            case .refused(let sentences, _), .unverified(let sentences): sentences
            }
        }

        /// - Parameter isChange: Whether an account was to be changed.
        package func failure(isChange: Bool) -> AgentRequest.Failure {
            AgentRequest.Failure(kind, reason, sentences: sentences(isChange: isChange), options: options)
        }

        /// The reason, what happened to the account, and what else is possible.
        private func sentences(isChange: Bool) -> String {
            let nothing = isChange ? translated("Nothing was changed.") : translated("Nothing was added.")
            let advice: String
            switch self {
            case .rejected, .nameInUse, .unwritable, .configuration: return reason
            case .refused, .invalidToken: return translatedParagraph([reason, nothing])
            case .secretService: advice = translated("To store the token in a file, use --no-secret-service.")
            case .unverified:
                advice =
                    isChange
                    ? translated("To change the account without a request to the service, use --no-verify.")
                    : translated("To add the account without a request to the service, use --no-verify.")
            }
            return translatedParagraph([reason, nothing, advice])
        }

        /// The options of which one has a wrong value, `token` for the token; empty: unknown.
        private var options: [String] {
            switch self {
            case .invalidToken: ["token"]
            case .nameInUse: ["name"]
            case .secretService: ["no-secret-service"]
            case .refused(_, let options): options
            default: []
            }
        }

        private var kind: AgentRequest.Failure.Kind {
            switch self {
            case .rejected, .nameInUse: .invalidValue
            case .invalidToken: .invalidInput
            case .unverified: .unavailable
            case .unwritable: .unwritable
            case .refused, .secretService: .refused
            case .configuration: .invalidConfiguration
            }
        }
    }
}
