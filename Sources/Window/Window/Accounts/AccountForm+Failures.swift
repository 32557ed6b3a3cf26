import AgentInterface
import VisibleText

/// Why an account cannot be saved, in words for people. What the program says names options, keys and files: it is for
/// an administrator.
extension AccountForm {
    /// - Parameters:
    ///   - field: The field that it is about; nil: several, or none.
    ///   - named: The fields that the program names.
    func text(of outcome: AgentProgram.Outcome, about field: Field?, _ named: [Field] = []) -> String {
        var lines = [field.map { words(of: outcome, about: $0) } ?? words(of: outcome, about: named)]
        if field == .tokenInFile, !isTokenInFile {
            lines.append(translated("Switch this on to do without the keyring."))
        }
        let hasVerification = if case .signIn = purpose { false } else { true }
        if outcome.status == Self.unavailable, hasVerification {
            lines.append(
                translated(
                    "To save the account all the same, open \"More Options\" and switch off \"Ask the Service First\"."
                )
            )
        }
        return outcome.text(translatedParagraph(lines))
    }

    private func words(of outcome: AgentProgram.Outcome, about field: Field) -> String {
        switch (field, outcome.status) {
        case (.name, _): translated("Choose another name, with letters and digits.")
        case (.tokenInFile, _): translated("The keyring is locked, or does not work.")
        case (.token, Self.invalidInput): translated("This is not the whole {token}.", ["token": tokenLabel])
        case (_, Self.invalidValue): translated("This value is not possible.")
        default: translated("{service} does not accept this.", ["service": serviceTitle])
        }
    }

    private func words(of outcome: AgentProgram.Outcome, about fields: [Field]) -> String {
        let values = ["service": serviceTitle]
        switch outcome.status {
        case Self.unavailable:
            return translated("{service} does not answer. Check that this computer is online.", values)
        case Self.refused where fields.isEmpty: return translated("{service} does not accept this.", values)
        case Self.refused:
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

    /// `EX_USAGE`
    private static let invalidValue: Int32 = 64
    /// `EX_DATAERR`: the token has not the form of one.
    private static let invalidInput: Int32 = 65
    /// The service did not answer (`EX_UNAVAILABLE`).
    private static let unavailable: Int32 = 69
    /// `EX_NOPERM`
    private static let refused: Int32 = 77
}

extension AgentProgram.Outcome {
    /// A sentence for people, and what the program says.
    func text(_ words: String) -> String {
        if sentences.isEmpty { return words }
        let reason = translated("For your administrator: {reason}", ["reason": sentences.sentenceLine])
        // It could not be run: the sentence is this program's own.
        return status == AgentProgram.notFound ? sentences.sentenceLine : words + "\n" + reason
    }
}
