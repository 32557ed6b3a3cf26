package import AgentInterface
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

    @Option(help: ArgumentHelp("Fill the form for a new account with a link or a file.", valueName: "link"))
    package var addAccount: String?

    @Flag(name: .customLong("service"), help: .hidden)
    package var isService = false

    package init() {}

    /// The action to begin with; nil: only the inbox is shown.
    package var action: WindowAction? {
        if show.count == 2 { return .show(account: show[0], id: show[1]) }
        if let addAccount { return .addAccount(link: addAccount) }
        return signIn.map { .signIn(account: $0) }
    }

    package func validate() throws {
        guard show.isEmpty || show.count == 2 else {
            throw ValidationError("--show needs the name of an account and the id of a notification.")
        }
        if [!show.isEmpty, signIn != nil, addAccount != nil].count(where: \.self) > 1 {
            throw ValidationError("--show, --sign-in and --add-account exclude each other.")
        }
    }
}
