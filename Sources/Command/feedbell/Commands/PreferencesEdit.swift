import AgentInterface
import ArgumentParser
import VisibleText

struct PreferencesEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        _superCommandName: Feedbell.name,
        abstract: "Change preferences in a table in the terminal",
        discussion: """
            A row for each category, a column for each channel. Move with the arrow keys, press Space to switch what \
            is selected on or off, "c" for the next account, and "q" to quit. "P" in "feedbell inbox" shows the same \
            table.

            Example:
              $ feedbell preferences edit --account work
            """
    )
    @OptionGroup var account: AccountOptions

    func run() async throws {
        guard TerminalScreen.isAvailable else {
            throw Failure(
                translated("The table needs a terminal. Without one, use: feedbell preferences set"),
                .usage
            )
        }
        let root = try await account.timeout.object()
        var able = false
        for object in try await root.accountObjects(account.account) {
            let capabilities = try await object.properties(AgentAccount.self)[AgentAccount.capabilities] ?? []
            if capabilities.contains("preferences") { able = true }
        }
        guard able else { throw Failure(translated("No account's service has preferences."), .refused) }
        let timeout = account.timeout.duration
        try await InboxView(root: root, account: account.account, timeout: timeout, isForPreferences: true).run()
    }
}
