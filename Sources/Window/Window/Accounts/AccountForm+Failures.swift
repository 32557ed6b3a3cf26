import AgentInterface
import VisibleText

/// Why an account cannot be saved, in words for people. What the program says names options, keys and files: it is for
/// an administrator.
extension AccountForm {
    /// - Parameters:
    ///   - field: The field that it is about; nil: several, or none.
    ///   - named: The fields that the program names.
    func text(of failure: AgentRequest.Failure, about field: Field?, _ named: [Field] = []) -> String {
        var lines = [field.map { words(of: failure, about: $0) } ?? words(of: failure, about: named)]
        if field == .tokenInFile, !account.isTokenInFile {
            lines.append(translated("Switch this on to do without the keyring."))
        }
        let hasVerification = if case .signIn = purpose { false } else { true }
        if failure.kind == .unavailable, hasVerification {
            lines.append(
                translated(
                    "To save the account all the same, open \"More Options\" and switch off \"Ask the Service First\"."
                )
            )
        }
        return failure.text(translatedParagraph(lines))
    }

    private func words(of failure: AgentRequest.Failure, about field: Field) -> String {
        switch (field, failure.kind) {
        case (.name, _): translated("Choose another name, with letters and digits.")
        case (.tokenInFile, _): translated("The keyring is locked, or does not work.")
        case (.token, .invalidInput): translated("This is not the whole {token}.", ["token": tokenLabel])
        case (_, .invalidValue): translated("This value is not possible.")
        default: translated("{service} does not accept this.", ["service": serviceTitle])
        }
    }

    private func words(of failure: AgentRequest.Failure, about fields: [Field]) -> String {
        let values = ["service": serviceTitle]
        switch failure.kind {
        case .unavailable:
            return translated("{service} does not answer. Check that this computer is online.", values)
        case .refused where fields.isEmpty: return translated("{service} does not accept this.", values)
        case .refused:
            let labels = fields.filter { $0 != .token || account.token != nil }.map(label)
            // Translators: The fields of a form, of which one has a wrong value.
            return translated(
                "{service} does not accept this: {fields}.",
                values.merging(["fields": translatedList(labels)]) { $1 }
            )
        default: return translated("The account cannot be saved as it is.")
        }
    }

    private func label(_ field: Field) -> String {
        guard case .option(let name) = field else { return tokenLabel }
        return account.options.first { $0.name == name }?.label ?? name
    }

    var tokenLabel: String {
        (account.hasTokenAlone ? account.service?.withTokenAlone : account.service)?.tokenLabel ?? translated("Token")
    }

    var serviceTitle: String { account.service?.title ?? account.name?.nameLine ?? "" }
}

extension AgentRequest.Failure {
    /// A sentence for people, and what the program says.
    ///
    /// - Parameter words: The sentence, unless the program gave no reply.
    func text(_ words: String) -> String {
        let words = kind == .noAnswer ? RequestFailure.noReply : words
        return words + "\n" + translated("For your administrator: {reason}", ["reason": reason.sentenceLine])
    }
}
