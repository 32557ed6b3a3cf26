package import AgentInterface
import VisibleText

/// Errors, as they are replied to the requests of the command and the window.
extension AgentRequest.Failure {
    package static func invalid(_ sentence: String) -> Self { Self(.invalidValue, sentence) }
    static func unwritable(_ sentence: String) -> Self { Self(.unwritable, sentence) }
    static func configuration(_ error: ConfigurationError) -> Self { Self(.invalidConfiguration, error.description) }

    /// A secret that cannot be removed.
    static func secretService(_ error: SecretServiceError) -> Self {
        let advice = [translated("Nothing was changed."), translated("To leave the secret there, use --keep-secret.")]
        return Self(Kind(error), "\(error)", sentences: translatedParagraph(["\(error)"] + advice))
    }
}

extension AgentRequest.Failure.Kind {
    init(_ error: SecretServiceError) { self = [.noService, .noEncryption].contains(error) ? .unavailable : .refused }
}
