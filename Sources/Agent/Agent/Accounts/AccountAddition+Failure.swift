import AgentInterface
import VisibleText

extension AccountAddition {
    /// Why nothing was added or changed.
    func failure(_ error: any Error) -> AgentRequest.Failure {
        switch error {
        case Configuration.AdditionFailure.rejected(let sentence): .invalid(sentence)
        case Configuration.AdditionFailure.nameInUse(let sentence):
            AgentRequest.Failure(.invalidValue, sentence, options: ["name"])
        case Configuration.AdditionFailure.configuration(let error): .configuration(error)
        case let error as ConfigurationError: .configuration(error)
        case let error as PrivateFile.Failure: .unwritable(error.description)
        case let error as SecretServiceError:
            nothingDone(
                .refused,
                "\(error)",
                translated("To store the token in a file, use --no-secret-service."),
                options: ["no-secret-service"]
            )
        default: .unwritable("\(error)")
        }
    }

    /// - Parameters:
    ///   - advice: What else is possible; nil: nothing.
    ///   - options: The options of which one has a wrong value; empty: unknown.
    func nothingDone(
        _ kind: AgentRequest.Failure.Kind,
        _ reason: String,
        _ advice: String? = nil,
        options: [String] = []
    ) -> AgentRequest.Failure {
        let nothing = original == nil ? translated("Nothing was added.") : translated("Nothing was changed.")
        let sentences = translatedParagraph([reason, nothing, advice])
        return AgentRequest.Failure(kind, reason, sentences: sentences, options: options)
    }
}
