import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// `feedbell settings` as a process.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct SettingsCommandTests {
    private static func run(_ words: [String], _ file: TemporaryFile, xdg: String = "/nonexistent") async throws
        -> Programs.Outcome
    {
        try await Programs.run(
            "feedbell",
            ["settings"] + words + ["--config", file.path],
            environment: ["XDG_CONFIG_DIRS": xdg]
        )
    }

    @Test("Values are set in settings.toml, listed with their origin, and reset") func set() async throws {
        try await TemporaryFile.with("# mine\n[popups]\npictures = false\n") { file in
            let settings = TemporaryFile(path: file.directory + "/settings.toml")
            let list = try await Self.run([], file)
            #expect(list.status == .exited(0), "\(list.errors)")
            #expect(list.output.contains("popups.timeout\t\"default\"\tdefault\tHow long a popup stays"))
            #expect(list.output.contains("popups.pictures\tfalse\t\(file.path):3\t"))
            for (words, expected) in [
                (["popups.timeout", "never"], "timeout = \"never\""), (["popups.timeout", "7.5"], "timeout = 7.5"),
                (["popups.open_schemes", "https", "mailto"], "open_schemes = [\"https\", \"mailto\"]"),
                (["quiet.from=22:00", "quiet.to=07:00"], "from = \"22:00\"\nto = \"07:00\""),
                (["desktop.tray_icon", "false"], "tray_icon = false"),
            ] {
                let outcome = try await Self.run(["set"] + words, file)
                #expect(outcome.status == .exited(0) && outcome.output.isEmpty, "\(outcome.errors)")
                #expect(try settings.read().contains(expected))
            }
            #expect(try Files.mode(settings.path) == 0o600)
            let value = try await Self.run(["get", "popups.timeout"], file)
            #expect(value.output == "7.5\n")
            let json = try await Self.run(["get", "popups.timeout", "--json"], file)
            #expect(json.output.contains("\"file\":\"\(settings.path)\"") && json.output.contains("\"value\":\"7.5\""))
            for name in ["popups.timeout", "popups.open_schemes", "quiet.from=", "desktop.tray_icon"] {
                let words = name == "quiet.from=" ? [name, "quiet.to="] : [name]
                #expect(try await Self.run(["set"] + words, file).status == .exited(0))
            }
            #expect(try settings.read().isEmpty)
            #expect(try file.read() == "# mine\n[popups]\npictures = false\n")
        }
    }

    @Test("What is invalid, locked, or in the user's file is rejected and changes nothing") func refusals() async throws
    {
        try await TemporaryFile.with("[popups]\npictures = false\n") { file in
            let preset = TemporaryFile(path: file.directory + "/xdg/feedbell/config.toml")
            try FileManager.default.createDirectory(atPath: preset.directory, withIntermediateDirectories: true)
            try preset.write("[popups]\nlocked = \"hide-text\"\n[locked]\nkeys = [\"popups.locked\", \"desktop\"]\n")
            let cases: [(words: [String], code: Int32, sentence: String)] = [
                (["popups.timeuot", "5"], 64, "There is no setting \"popups.timeuot\"."),
                (["popups.timeout", "soon"], 64, "\"popups.timeout\" must be \"default\", \"never\""),
                (["popups.group_above", "0"], 64, "must be from 1 to 1000, not 0."),
                (["popups.group_above", "few"], 64, "must be a whole number, not \"few\"."),
                (["quiet.from", "22:00"], 64, "[quiet] has no \"to\"."),
                (
                    ["popups.pictures", "true"], 77,
                    "Line 2 of \(file.path) sets \"popups.pictures\", and has priority."
                ),
                (["popups.locked", "show"], 77, "\(preset.path) locks \"popups.locked\", so it cannot be changed."),
                (["popups.timeout=5", "desktop.tray_icon=false"], 77, "locks \"desktop.tray_icon\""),
            ]
            for (words, code, sentence) in cases {
                let outcome = try await Self.run(["set"] + words, file, xdg: file.directory + "/xdg")
                #expect(outcome.status == .exited(code), "\(outcome.errors)")
                #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
            }
            #expect(!TemporaryFile(path: file.directory + "/settings.toml").exists)
            let list = try await Self.run(["list"], file, xdg: file.directory + "/xdg")
            #expect(list.output.contains("popups.locked\t\"hide-text\"\tlocked by \(preset.path)\t"))
            #expect(try await Self.run(["get", "nosuch"], file).status == .exited(64))
        }
    }

    @Test("Beside the configuration that an installation copies, every setting can be set") func installedFile()
        async throws
    {
        let path = Checkout.root.appending(path: "packaging/installed/config/config.toml").path
        try await TemporaryFile.with(try Files.text(path)) { file in
            let outcome = try await Self.run(["set", "popups.timeout", "8"], file)
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            let list = try await Self.run([], file).output.split(separator: "\n")
            #expect(list.filter { $0.contains("config.toml") }.isEmpty)
        }
    }

    @Test("A table is reset as a whole, under both names of the command") func reset() async throws {
        try await TemporaryFile.with("[popups]\npictures = false\n") { file in
            let settings = TemporaryFile(path: file.directory + "/settings.toml")
            for command in ["reset", "unset"] {
                let words = ["set", "quiet.from=22:00", "quiet.to=07:00", "quiet.days=fri", "popups.timeout=8"]
                #expect(try await Self.run(words, file).status == .exited(0))
                #expect(try settings.read().contains("which does not keep your comments."))
                let half = try await Self.run([command, "quiet.from"], file)
                #expect(half.status == .exited(64))
                #expect(half.errors.contains("To reset the whole table: feedbell settings reset quiet"))
                let outcome = try await Self.run([command, "quiet", "popups.timeout"], file)
                #expect(outcome.status == .exited(0) && outcome.output.isEmpty, "\(outcome.errors)")
                #expect(try settings.read().isEmpty)
            }
            #expect(try await Self.run(["reset", "quiet"], file).status == .exited(0))
            let fixed = try await Self.run(["reset", "popups"], file)
            #expect(fixed.status == .exited(77))
            #expect(fixed.errors.contains("Line 2 of \(file.path) sets \"popups.pictures\""), "\(fixed.errors)")
            let wrong = try await Self.run(["reset", "quite"], file)
            #expect(wrong.status == .exited(64))
            #expect(wrong.errors.contains("The nearest one is \"quiet\"."), "\(wrong.errors)")
            let value = try await Self.run(["reset", "popups.timeout=8"], file)
            #expect(value.status == .exited(64), "\(value.errors)")
        }
    }

    @Test("A settings.toml that is no TOML keeps neither a reset nor the agent's start from working")
    func damaged() async throws {
        try await TemporaryFile.with("[popups]\npictures = false\n") { file in
            let settings = TemporaryFile(path: file.directory + "/settings.toml")
            try settings.write("[popups\n")
            let set = try await Self.run(["set", "popups.timeout=8"], file)
            #expect(set.status == .exited(78) && set.errors.contains("This is not valid TOML"), "\(set.errors)")
            let reset = try await Self.run(["reset", "quiet"], file)
            #expect(reset.status == .exited(0) && reset.output.isEmpty)
            #expect(reset.errors.contains("It was renamed to \(settings.path).aside-1"), "\(reset.errors)")
            #expect(try await Self.run(["set", "popups.timeout=8"], file).status == .exited(0))
            try settings.write(String(repeating: "#", count: 1 << 20) + "\n")
            try await BuiltAgent.alone(file) { agent in
                let status = try await Programs.run("feedbell", ["status"])
                #expect(status.output.contains("aside-2"), "\(status.output)")
                #expect(try await agent.root.get(AgentRoot.attentionNeeded))
            }
        }
    }

    @Test("Meanings and refusals are in the user's language, JSON in none") func language() async throws {
        try await Catalogues.with { catalogues in
            let german = catalogues.environment("de")
            try await TemporaryFile.with("[popups]\npictures = false\n") { file in
                func run(_ words: String...) async throws -> Programs.Outcome {
                    let words = ["settings"] + words + ["--config", file.path]
                    return try await Programs.run("feedbell", words, environment: german)
                }
                #expect(try await run("list").output.contains("\tOb Popups Bilder zeigen\n"))
                #expect(try await run("list", "--json").output.contains("\"meaning\":\"Whether popups show pictures\""))
                let fixed = try await run("set", "popups.pictures", "on")
                #expect(fixed.errors.contains("hat Vorrang."), "\(fixed.errors)")
                let invalid = try await run("set", "popups.group_above", "x")
                #expect(invalid.errors.contains("eine ganze Zahl"), "\(invalid.errors)")
            }
        }
    }

    @Test("The running agent applies a setting at once", .sandbox(users: ["anna"])) func agent() async throws {
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try await BuiltAgent.alone(file) { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
                let outcome = try await Self.run(["set", "popups.group_above", "7"], file)
                #expect(outcome.status == .exited(0), "\(outcome.errors)")
                _ = try await agent.program.wait(for: "configuration read")
                #expect(try await agent.root.get(AgentRoot.configurationError) == "")
            }
        }
    }
}
