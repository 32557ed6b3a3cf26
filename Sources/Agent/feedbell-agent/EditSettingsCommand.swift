import Agent
import AgentInterface
import ArgumentParser
import FoundationEssentials
import VisibleText

/// `feedbell-agent settings`, which `feedbell settings` runs.
struct EditSettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "List or change the settings of the configuration",
        discussion: """
            Prints a JSON array with an object for each setting: key, value in TOML, file and line that set it, the \
            preset that locks it, its standard value and meaning. With KEY=VALUE, changes settings.toml beside \
            config.toml instead, and KEY= or TABLE= removes the key or all keys of the table from it. All changes are \
            made or none.

            Examples:
              $ feedbell-agent settings | jq -r '.[].key'
              $ feedbell-agent settings quiet.from=22:00 quiet.to=07:00

            Exit codes: 64 no such setting or an invalid value, 73 cannot write the file, 77 a preset locks the key or \
            your config.toml sets it, 78 invalid configuration.
            """
    )

    @Argument(help: ArgumentHelp("The settings to change.", valueName: "key=value")) var changes: [String] = []
    @OptionGroup var file: ConfigurationOption
    /// In the user's language, for `feedbell settings`, which prints the meanings as text.
    @Flag(name: .customLong("translated"), help: .hidden) var isTranslated = false

    func run() async throws {
        if isTranslated || !changes.isEmpty { Language.useEnvironment() }
        let settings = Settings(file.file)
        do throws(SettingsFailure) {
            guard changes.isEmpty else {
                let renamed = try await settings.change(try changes.map(Self.change))
                if let renamed { StandardStream.output.write(renamed + "\n") }
                return
            }
            let list = try await settings.list()
            try? StandardStream.output.write(json: list)
        } catch {
            throw problem("\(error)", code: error.exitCode)
        }
    }

    private static func change(_ text: String) throws(SettingsFailure) -> (name: String, text: String?) {
        guard let separator = text.firstIndex(of: "=") else {
            throw .invalid(translated("\"{text}\" must be KEY=VALUE.", ["text": text]))
        }
        let value = text[text.index(after: separator)...]
        return (String(text[..<separator]), value.isEmpty ? nil : String(value))
    }
}
