import AgentTestSupport
import FoundationEssentials

/// A command and those below it, as the program describes itself.
struct CommandTree: Decodable {
    private struct Dump: Decodable { var command: CommandTree }

    private struct Argument: Decodable {
        struct Name: Decodable { var name: String }

        var names: [Name]?
    }

    private var commandName: String
    private var shouldDisplay: Bool
    private var discussion: String?
    private var subcommands: [CommandTree]?
    private var arguments: [Argument]?

    static func read(_ program: String) async throws -> CommandTree {
        let dump = try await Programs.output(program, ["--experimental-dump-help"])
        return try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command
    }

    /// This command and those below that the help shows, each as the words that call it.
    var paths: [[String]] { paths { _ in true } }

    /// The examples of this command and of those below: lines of the help that begin with `$`, with those that a
    /// backslash continues.
    var examples: [String] {
        var examples: [String] = []
        var isContinued = false
        for line in (discussion ?? "").split(separator: "\n") {
            let text = line.drop { $0 == " " }
            if isContinued, let last = examples.popLast() {
                examples.append(String(last.dropLast()) + text)
            } else if line.hasPrefix("  $ ") {
                examples.append(String(text.dropFirst(2)))
            } else {
                continue
            }
            isContinued = text.hasSuffix("\\")
        }
        return examples + (subcommands ?? []).flatMap(\.examples)
    }

    /// Those that have this option.
    func paths(withOption name: String) -> [[String]] {
        paths { ($0.arguments ?? []).contains { $0.names?.contains { $0.name == name } == true } }
    }

    private func paths(_ isWanted: (CommandTree) -> Bool) -> [[String]] {
        let below = (subcommands ?? []).filter { $0.commandName != "help" && $0.shouldDisplay }
            .flatMap { $0.paths(isWanted) }
        return (isWanted(self) ? [[commandName]] : []) + below.map { [commandName] + $0 }
    }
}
