import AgentInterface
import ArgumentParser
import VisibleText

struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "List, show or change settings",
        discussion: """
            Programs change settings.toml beside your config.toml. What config.toml sets has priority, and what a \
            preset of an administrator locks cannot be changed.

            Examples:
              $ feedbell settings
              $ feedbell settings get popups.timeout
              $ feedbell settings set popups.timeout never
              $ feedbell settings reset quiet
            """,
        subcommands: [ListSettings.self, GetSetting.self, SetSetting.self, ResetSettings.self],
        defaultSubcommand: ListSettings.self
    )
}

struct SettingsOptions: ParsableArguments {
    @Option(help: "The configuration to use, instead of ~/.config/feedbell/config.toml.", completion: .file())
    var config: String?

    /// Every setting, from the agent's program.
    ///
    /// - Parameter isTranslated: Whether the meanings are in the user's language.
    func list(isTranslated: Bool = false) async throws -> [SettingDetails] {
        try await Self.list(config: config, isTranslated: isTranslated)
    }

    static func list(config: String?, isTranslated: Bool = false) async throws -> [SettingDetails] {
        try await AgentProgram.request(.settings, config: config, isTranslated: isTranslated)
    }

    /// Changes settings, and lets a running agent apply them.
    func change(_ changes: [SettingChange]) async throws {
        let notices: [String] = try await AgentProgram.request(.changeSettings(changes), config: config)
        for notice in notices { StandardStream.error.write(notice.onOneLine + "\n") }
        do {
            try await AgentObject.root().call(AgentRoot.reload)
        } catch let failure as Failure where failure.code == .noAgent {
            // It reads the file when it starts.
        }
    }
}

struct ListSettings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        _superCommandName: Feedbell.name,
        abstract: "List every setting with value, origin and meaning",
        discussion: """
            The origin is the file and line that set the value, "default", or the preset that locks it. In a pipe, \
            separated by tab characters.

            Example:
              $ feedbell settings list --json | jq -r '.[] | select(.locked_by != null) | .key'
            """
    )

    @OptionGroup var settings: SettingsOptions
    @Flag(help: "Print a JSON array.") var json = false

    func run() async throws {
        let list = try await settings.list(isTranslated: !json)
        if json { return Output.json(.array(list.map(JSONText.init))) }
        guard let terminal = Terminal.standardOutput else {
            for setting in list {
                let fields = [setting.key, setting.value, setting.origin, setting.meaning]
                Output.text(fields.map(\.onOneLine).joined(separator: "\t"))
            }
            return
        }
        for setting in list { Output.text(setting.text(terminal)) }
    }
}

struct GetSetting: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        _superCommandName: Feedbell.name,
        abstract: "Print the value of a setting",
        discussion: """
            Prints the value as TOML writes it, an empty line for none.

            Example:
              $ feedbell settings get popups.group_above
            """
    )

    @Argument(help: "The setting's name, such as popups.timeout.", completion: .custom(ShellCompletion.settings))
    var key: String
    @OptionGroup var settings: SettingsOptions
    @Flag(help: "Print a JSON object with value, origin and meaning.") var json = false

    func run() async throws {
        let list = try await settings.list()
        guard let setting = list.first(where: { $0.key == key }) else {
            let problem = translated("There is no setting \"{name}\".", ["name": key])
            let advice = Suggestion.of(list.map(\.key), for: key) ?? Failure.list(list.map(\.key))
            throw Failure(translatedParagraph([problem, advice]), .usage)
        }
        json ? Output.json(JSONText(setting)) : Output.text(setting.value.onOneLine)
    }
}

struct SetSetting: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        _superCommandName: Feedbell.name,
        abstract: "Change a setting, or several with KEY=VALUE",
        discussion: """
            Several values of a list are separated by commas. Without a value, the setting gets its default again, as \
            with "feedbell settings reset". The running agent applies the change at once.

            Examples:
              $ feedbell settings set popups.timeout 8
              $ feedbell settings set popups.open_schemes https,mailto
              $ feedbell settings set quiet.from=22:00 quiet.to=07:00

            Exit codes: 0 changed, 64 no such setting or an invalid value, 73 cannot write the file, 77 a preset locks \
            the setting or your config.toml sets it, 78 invalid configuration. Unless it is 0, nothing was changed.
            """
    )

    @Argument(
        help: "The setting's name and its value, or several NAME=VALUE.",
        completion: .custom(ShellCompletion.settingsAndValues)
    )
    var words: [String]
    @OptionGroup var settings: SettingsOptions

    func run() async throws { try await settings.change(try changes) }

    private var changes: [SettingChange] {
        get throws {
            if let name = words.first, !name.contains("=") {
                return [SettingChange(name, words.dropFirst().joined(separator: ","))]
            }
            return try words.map { word in
                let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else {
                    throw Failure(translated("\"{text}\" must be KEY=VALUE.", ["text": word]), .usage)
                }
                return SettingChange(String(parts[0]), String(parts[1]))
            }
        }
    }
}

struct ResetSettings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        _superCommandName: Feedbell.name,
        abstract: "Give settings, or all of a table, their defaults again",
        discussion: """
            Removes what "feedbell settings set" has set. The running agent applies the change at once.

            Examples:
              $ feedbell settings reset popups.timeout
              $ feedbell settings reset quiet

            Exit codes: 0 reset, also if there was nothing to reset, 64 no such setting or table, 73 cannot write the \
            file, 77 your config.toml or a preset sets the value, 78 invalid configuration. Unless it is 0, nothing \
            was changed.
            """,
        aliases: ["unset"]
    )

    @Argument(
        help: ArgumentHelp("Names of settings or tables, such as popups.timeout or quiet.", valueName: "name"),
        completion: .custom(ShellCompletion.settingsAndTables)
    )
    var names: [String]
    @OptionGroup var settings: SettingsOptions

    func run() async throws {
        if let wrong = names.first(where: { $0.contains("=") }) {
            throw Failure(
                translated("\"{text}\" is no name of a setting or table.", ["text": wrong]),
                .usage
            )
        }
        try await settings.change(names.map { SettingChange($0, "") })
    }
}

extension SettingDetails {
    /// Where the value comes from.
    fileprivate var origin: String {
        if let lockedBy { return translated("locked by {file}", ["file": lockedBy]) }
        guard let file else { return translated("default") }
        return line.map { "\(file):\($0)" } ?? file
    }

    /// Two lines: key and value, then origin and meaning.
    fileprivate func text(_ terminal: Terminal) -> String {
        let first = "\(key) = \(value)".onOneLine.cut(toColumns: terminal.columns)
        let second = "\(meaning)  (\(origin))".onOneLine
        return "\(first)\n" + terminal.text("    \(second)".wrapped(toColumns: terminal.columns, hanging: 4), .dim)
    }
}

extension JSONText {
    fileprivate init(_ setting: SettingDetails) {
        var members: [String: JSONText] = [
            "key": .string(setting.key), "value": .string(setting.value), "default": .string(setting.standard),
            "meaning": .string(setting.meaning), "fixed": .bool(setting.isFixed),
        ]
        members["file"] = setting.file.map(JSONText.string)
        members["line"] = setting.line.map { .number($0) }
        members["locked_by"] = setting.lockedBy.map(JSONText.string)
        self = .object(members)
    }
}
