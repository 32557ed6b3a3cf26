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

    /// The notifications that have these words.
    case search(words: String)

    /// The form for a new account, with the values of a link or a file.
    case addAccount(link: String)

    /// The names of all actions, with the number of texts in their parameter.
    package static let parameters = ["show": 2, "sign-in": 1, "find-problems": 1, "add-account": 1, "search": 1]

    /// The limit of each text in UTF-8 bytes: ids and names of accounts are shorter, links and paths may be as long.
    private static func textLimit(_ name: String) -> Int { name == "add-account" ? linkLimit : 1_024 }

    /// Of a link, or the path or address of a file, in UTF-8 bytes.
    package static let linkLimit = 8 << 10

    /// nil: there is no such action, or a text is too long.
    package init?(name: String, texts: [String]) {
        guard Self.parameters[name] == texts.count, texts.allSatisfy({ $0.utf8.count <= Self.textLimit(name) }) else {
            return nil
        }
        switch name {
        case "show": self = .show(account: texts[0], id: texts[1])
        case "sign-in": self = .signIn(account: texts[0])
        case "find-problems": self = .findProblems(account: texts[0])
        case "search": self = .search(words: texts[0])
        case "add-account": self = .addAccount(link: texts[0])
        default: return nil
        }
    }

    package var name: String {
        switch self {
        case .show: "show"
        case .signIn: "sign-in"
        case .findProblems: "find-problems"
        case .search: "search"
        case .addAccount: "add-account"
        }
    }

    /// The account that it is about; nil: it is about none that exists.
    package var account: String? {
        switch self {
        case .show(let account, _), .signIn(let account), .findProblems(let account): account
        case .search, .addAccount: nil
        }
    }

    package var texts: [String] {
        switch self {
        case .show(let account, let id): [account, id]
        case .signIn(let account), .findProblems(let account): [account]
        case .search(let words): [words]
        case .addAccount(let link): [link]
        }
    }

    /// A structure of the texts.
    package var parameter: Value { .structure(texts.map(Value.string)) }
}
