import AgentInterface
import ArgumentParser
import Glibc

@main
struct Feedbell: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feedbell",
        abstract: "Asks and steers the Feedbell agent of this session.",
        discussion: """
            It asks the agent that runs and never starts one. Ids may be shortened to a beginning that only one loaded \
            notification has. Say --json for programs, --account NAME with several accounts, and --timeout SECONDS to wait \
            longer or shorter than two seconds for an agent that does not react.

            Examples:
              $ feedbell status
              $ feedbell list --unread
              $ feedbell pause until 18:00
              $ feedbell --generate-completion-script fish

            Exit codes: 0 done, 3 no agent is running (or there is no session bus), 4 an account needs your attention \
            (or doctor found a problem), 5 there is no such thing, 6 the service refuses, 7 the service cannot be reached, \
            64 wrong options, 70 the agent failed to answer, 74 the output cannot be written.
            """,
        version: AgentNames.version,
        // Each says its commandName: to derive it takes reflection, two milliseconds of every call.
        subcommands: [
            Status.self,
            List.self,
            Show.self,
            Open.self,
            Read.self,
            Unread.self,
            Seen.self,
            Archive.self,
            Unarchive.self,
            Delete.self,
            ReadAll.self,
            Badge.self,
            Stores.self,
            More.self,
            Preferences.self,
            Follow.self,
            Pause.self,
            Resume.self,
            Reconnect.self,
            Reload.self,
            Accounts.self,
            Doctor.self,
        ]
    )

    static func main() async {
        // Before there are other threads, as setlocale(3) wants it.
        _ = CharacterSet.current
        do {
            try checkCommand(CommandLine.arguments.dropFirst())
            var command = try await asyncParseAsRoot()
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
            failure.say()
            Glibc.exit(failure.code.rawValue)
        } catch {
            end(error)
        }
    }

    /// Ends as ArgumentParser would: help, versions and completions are errors of its own.
    private static func end(_ error: any Error) -> Never {
        let (text, code) = (fullMessage(for: error, columns: nil), exitCode(for: error))
        if code != .success {
            if !text.isEmpty { StandardError.write(text + "\n") }
        } else if !text.isEmpty {
            Output.text(text)
            do { try Output.check() } catch {
                error.say()
                Glibc.exit(error.code.rawValue)
            }
        }
        Glibc.exit(code.rawValue)
    }

    /// Refuses a command that does not exist: ArgumentParser speaks of an unexpected argument then, and prints the general help for
    /// `help` with it.
    private static func checkCommand(_ words: ArraySlice<String>) throws {
        let isHelp = words.first == "help"
        var command: any ParsableCommand.Type = Feedbell.self
        for word in isHelp ? words.dropFirst() : words {
            if word.hasPrefix("-") {
                if isHelp { continue }
                return
            }
            let known = command.configuration.subcommands
            // What follows is the command's own.
            if known.isEmpty, !isHelp { return }
            guard let next = known.first(where: { $0.configuration.commandName == word }) else {
                let names = known.compactMap { $0.configuration.commandName }
                throw Failure(
                    "There is no command \"\(word)\". \(Suggestion.of(names, for: word) ?? Failure.list(names))",
                    .usage
                )
            }
            command = next
        }
    }
}
