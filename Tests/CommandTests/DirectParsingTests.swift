import ArgumentParser
import Testing

@testable import feedbell

@Suite struct DirectParsingTests {
    @Test("Every command that does something by itself is parsed without the tree of all commands", arguments: commands)
    func direct(_ command: any ParsableCommand.Type) {
        #expect(command.configuration._superCommandName == Feedbell.name)
    }

    /// Except those that only choose one of their subcommands.
    private static let commands = all(below: Feedbell.self).filter { $0.configuration.defaultSubcommand == nil }

    private static func all(below command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        command.configuration.subcommands.flatMap { [$0] + all(below: $0) }
    }
}
