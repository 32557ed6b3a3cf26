import AgentInterface
package import ArgumentParser

/// The options of the program.
package struct WindowCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "feedbell-window",
        abstract: "Show the inbox in a window",
        discussion: """
            The window also shows and changes the notification preferences, the accounts and the settings. It is a \
            client of the agent, which it starts if necessary. A second start brings the window to the front.

            Examples:
              $ feedbell-window
              $ feedbell-window --show work 01K1VNB0E0EXPRE00000000002
            """,
        version: AgentNames.version
    )

    @Option(
        name: .customLong("show"),
        parsing: .upToNextOption,
        help: ArgumentHelp("Show this notification of the account.", valueName: "account> <id")
    )
    package var show: [String] = []

    @Option(help: ArgumentHelp("Ask for a new token of this account.", valueName: "account"))
    package var signIn: String?

    @Flag(name: .customLong("service"), help: .hidden)
    package var isService = false

    package init() {}

    /// What is shown beyond the inbox; nil: nothing is.
    package var request: WindowRequest? {
        if show.count == 2 { return .show(RowID(account: show[0], id: show[1])) }
        return signIn.map { .signIn(account: $0) }
    }

    package func validate() throws {
        guard show.isEmpty || show.count == 2 else {
            throw ValidationError("--show needs the name of an account and the id of a notification.")
        }
        if !show.isEmpty, signIn != nil { throw ValidationError("--show and --sign-in exclude each other.") }
    }
}

/// What another program, such as the agent, wants the window to show. Each is an action of the application.
package enum WindowRequest: Equatable, Sendable {
    /// A notification.
    case show(RowID)
    /// The form for a new token.
    case signIn(account: String)
    /// The accounts, with the problems of this one.
    case findProblems(account: String)

    /// The actions' names, with the number of their texts.
    package static let actions = ["show": 2, "sign-in": 1, "find-problems": 1]

    /// nil: there is no such action.
    package init?(action: String, texts: [String]) {
        guard Self.actions[action] == texts.count else { return nil }
        switch action {
        case "show": self = .show(RowID(account: texts[0], id: texts[1]))
        case "sign-in": self = .signIn(account: texts[0])
        case "find-problems": self = .findProblems(account: texts[0])
        default: return nil
        }
    }

    package var action: (name: String, texts: [String]) {
        switch self {
        case .show(let row): ("show", [row.account, row.id])
        case .signIn(let account): ("sign-in", [account])
        case .findProblems(let account): ("find-problems", [account])
        }
    }
}
