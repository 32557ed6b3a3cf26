import VisibleText

/// Why an account was not removed or signed out, with the exit code.
package enum AccountChangeFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no such account, or a program cannot change it.
    case impossible(String)
    case configuration(ConfigurationError)
    case unwritable(String)
    case secretService(SecretServiceError)

    package var description: String {
        guard case .secretService = self else { return reason }
        return translatedParagraph([
            reason, translated("Nothing was changed."), translated("To leave the secret there, use --keep-secret."),
        ])
    }

    /// The reason, without what happened to the account.
    var reason: String {
        switch self {
        case .impossible(let sentence), .unwritable(let sentence): sentence
        case .configuration(let error): error.description
        case .secretService(let error): "\(error)"
        }
    }

    /// 64 no such account, or it cannot be changed (`EX_USAGE`), 69 there is no Secret Service (`EX_UNAVAILABLE`), 73
    /// cannot write a file (`EX_CANTCREAT`), 77 the keyring is locked or failed (`EX_NOPERM`), 78 the configuration is
    /// invalid (`EX_CONFIG`).
    package var exitCode: Int32 {
        switch self {
        case .impossible: 64
        case .secretService(.noService), .secretService(.noEncryption): 69
        case .unwritable: 73
        case .secretService: 77
        case .configuration: 78
        }
    }
}
