package import DBus

/// An action of the window's application, for ``DesktopApplication/activateAction``: another program asks for something
/// beyond the inbox.
package enum WindowAction: Equatable, Sendable {
    /// A notification.
    case show(account: String, id: String)
    /// The form for a new token.
    case signIn(account: String)
    /// The accounts, with the problems of this one.
    case findProblems(account: String)

    /// The names of all actions, with the number of texts in their parameter.
    package static let parameters = ["show": 2, "sign-in": 1, "find-problems": 1]

    /// The limit of each text in UTF-8 bytes: ids and names of accounts are shorter.
    private static let textLimit = 1_024

    /// nil: there is no such action, or a text is too long.
    package init?(name: String, texts: [String]) {
        guard Self.parameters[name] == texts.count, texts.allSatisfy({ $0.utf8.count <= Self.textLimit }) else {
            return nil
        }
        switch name {
        case "show": self = .show(account: texts[0], id: texts[1])
        case "sign-in": self = .signIn(account: texts[0])
        case "find-problems": self = .findProblems(account: texts[0])
        default: return nil
        }
    }

    package var name: String {
        switch self {
        case .show: "show"
        case .signIn: "sign-in"
        case .findProblems: "find-problems"
        }
    }

    package var account: String {
        switch self {
        case .show(let account, _), .signIn(let account), .findProblems(let account): account
        }
    }

    package var texts: [String] {
        switch self {
        case .show(let account, let id): [account, id]
        case .signIn(let account), .findProblems(let account): [account]
        }
    }

    /// A structure of the texts.
    package var parameter: Value { .structure(texts.map(Value.string)) }
}
