import AgentInterface
import ArgumentParser
import Glibc
import VisibleText

/// The command and its subcommands.
struct Feedbell: AsyncParsableCommand {
    /// Commands that do something without a subcommand name it as their `_superCommandName`: parsed directly, they then
    /// do not look for `--generate-completion-script`, which takes as long as all other parsing together.
    static let name = "feedbell"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Control the Feedbell agent and read your inbox",
        discussion: """
            The agent must be running; only "feedbell start" starts it. An id may be shortened to a unique prefix. \
            With several accounts, choose one with --account NAME or FEEDBELL_ACCOUNT. --json prints JSON for \
            programs. --timeout SECONDS: how long to wait for the agent (default: 2).

            Examples:
              $ feedbell status
              $ feedbell list --unread
              $ feedbell pause until 18:00
              $ feedbell --generate-completion-script fish

            Exit codes: 0 success, 2 nothing has what is to be muted (--yes mutes it), 3 no agent is running (or there \
            is no session bus), 4 an account needs your attention (or doctor found a problem), 5 not found (or nothing \
            was opened), 6 rejected by the service, 7 the service is unreachable, 64 invalid options, 70 the agent did \
            not answer, 74 the output cannot be written.
            """,
        version: AgentNames.version,
        // Each sets its commandName: deriving it by reflection takes two milliseconds of every call.
        subcommands: [
            Start.self,
            Stop.self,
            Status.self,
            List.self,
            InboxCommand.self,
            Show.self,
            Open.self,
            Read.self,
            Unread.self,
            Seen.self,
            Archive.self,
            Unarchive.self,
            Delete.self,
            SnoozeCommand.self,
            UnsnoozeCommand.self,
            ReadAll.self,
            Undo.self,
            Badge.self,
            Tabs.self,
            More.self,
            PreferencesCommand.self,
            RulesCommand.self,
            MuteCommand.self,
            UnmuteCommand.self,
            Follow.self,
            PauseCommand.self,
            Resume.self,
            HideText.self,
            Refresh.self,
            Reconnect.self,
            Reload.self,
            Accounts.self,
            SettingsCommand.self,
            Autostart.self,
            Doctor.self,
        ]
    )

    static func main() async {
        do {
            let words = CommandLine.arguments.dropFirst()
            SessionEnvironment.complete()
            // JSON is the same in every language.
            if !words.contains("--json") { Language.useEnvironment() }
            try checkCommand(words)
            var command: any ParsableCommand
            if let direct = await parseDirectly(words) {
                command = direct
            } else {
                command = try await asyncParseAsRoot()
            }
            do {
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            } catch let code as ExitCode {
                try Output.check()
                throw code
            }
            try Output.check()
        } catch let failure as Failure {
            failure.report()
            Glibc.exit(failure.code.rawValue)
        } catch {
            end(error)
        }
    }

    /// Ends the process as ArgumentParser does, which reports help, version and completions as errors.
    private static func end(_ error: any Error) -> Never {
        var (text, code) = (fullMessage(for: error, columns: nil), exitCode(for: error))
        if CommandLine.arguments.contains("--generate-completion-script") {
            let commands = configuration.subcommands.compactMap { $0.configuration.commandName }
            text = ShellCompletion.corrected(text, commands: commands)
        }
        if code != .success {
            if !text.isEmpty { StandardStream.error.write(Terminal.wrappedForErrors(text + "\n")) }
        } else if !text.isEmpty {
            Output.text(text)
            do { try Output.check() } catch {
                error.report()
                Glibc.exit(error.code.rawValue)
            }
        }
        Glibc.exit(code.rawValue)
    }

    /// Parses the words as a command and its arguments, which is faster than with the tree of all commands.
    ///
    /// - Returns: nil: not such a command, or help is requested, or the arguments are invalid. Then the output needs
    ///   the tree.
    private static func parseDirectly(_ words: ArraySlice<String>) async -> (any ParsableCommand)? {
        var command: any ParsableCommand.Type = Feedbell.self
        var arguments = words
        while let word = arguments.first,
            let next = command.configuration.subcommands.first(where: { $0.isNamed(word) })
        {
            command = next
            arguments = arguments.dropFirst()
        }
        guard command.configuration._superCommandName != nil, let direct = command as? any AsyncParsableCommand.Type
        else { return nil }
        let parsed = try? await direct.asyncParseAsRoot(Array(arguments))
        return parsed.flatMap { type(of: $0) == command ? $0 : nil }
    }

    /// Rejects an unknown command. ArgumentParser itself reports an unexpected argument, and prints the general help
    /// for `help` with an unknown command.
    private static func checkCommand(_ words: ArraySlice<String>) throws {
        let isHelp = words.first == "help"
        var command: any ParsableCommand.Type = Feedbell.self
        for word in isHelp ? words.dropFirst() : words {
            if word.hasPrefix("-") {
                if isHelp { continue }
                return
            }
            let known = command.configuration.subcommands
            // The following words are arguments of the command.
            if known.isEmpty, !isHelp { return }
            guard let next = known.first(where: { $0.isNamed(word) }) else {
                let names = known.compactMap { $0.configuration.commandName }
                let problem = translated("There is no command \"{word}\".", ["word": word])
                let other = command == Feedbell.self ? CommandSynonyms.advice(for: word) : nil
                let advice = other ?? Suggestion.of(names, for: word) ?? Failure.list(names)
                throw Failure(translatedParagraph([problem, advice]), .usage)
            }
            command = next
        }
    }
}

extension ParsableCommand {
    /// Whether this is the command's name, or another one for it.
    fileprivate static func isNamed(_ word: String) -> Bool {
        configuration.commandName == word || configuration.aliases.contains(word)
    }
}
