import VisibleText

/// Words that users type for what has another name here, or is no command.
enum CommandSynonyms {
    /// Advice which command to use instead; nil: the word is not known.
    static func advice(for word: String) -> String? {
        switch word {
        case "silence", "dnd": translated("Hold popups back with: feedbell pause")
        case "quit", "exit", "kill":
            translated("Hold popups back with: feedbell pause. End the agent with: feedbell stop")
        case "login", "signin", "add": translated("Add an account with: feedbell accounts add")
        case "logout", "signout": translated("Remove an account's token with: feedbell accounts sign-out NAME")
        case "remove": translated("Remove an account with: feedbell accounts remove NAME")
        case "search", "find", "grep": translated("Search the inbox with: feedbell list --search WORDS")
        case "config", "configure", "setup":
            translated(
                "The configuration is the file ~/.config/feedbell/config.toml, see feedbell.toml(5). "
                    + "Check it with: feedbell doctor"
            )
        default: nil
        }
    }
}
