import VisibleText

extension AccountAddition {
    /// Why nothing was added, with the exit code.
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
        package var reason: String {
            switch self {
            case .rejected(let sentence), .nameInUse(let sentence), .unwritable(let sentence),
                .invalidToken(let sentence):
                sentence
            case .configuration(let error): error.description
            case .secretService(let error): "\(error)"
            case .refused(let sentences, _), .unverified(let sentences): sentences
            }
        }

        /// The reason, what happened to the account, and what else is possible.
        ///
        /// - Parameter isChange: Whether an account was to be changed.
        package func sentence(isChange: Bool) -> String {
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
        package var options: [String] {
            switch self {
            case .invalidToken: ["token"]
            case .nameInUse: ["name"]
            case .secretService: ["no-secret-service"]
            case .refused(_, let options): options
            default: []
            }
        }

        /// Whether the service did not answer.
        package var isUnverified: Bool {
            if case .unverified = self { true } else { false }
        }

        /// 64 invalid options (`EX_USAGE`), 65 an invalid token (`EX_DATAERR`), 69 the service did not answer
        /// (`EX_UNAVAILABLE`), 73 cannot write a file (`EX_CANTCREAT`), 77 the service refuses the credentials, or the
        /// keyring is locked or failed (`EX_NOPERM`), 78 the configuration is invalid (`EX_CONFIG`).
        package var exitCode: Int32 {
            switch self {
            case .rejected, .nameInUse: 64
            case .invalidToken: 65
            case .unverified: 69
            case .unwritable: 73
            case .refused, .secretService: 77
            case .configuration: 78
            }
        }
    }
}
