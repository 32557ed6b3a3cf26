import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The output of the programs where the locale's character set is not UTF-8.
@Suite(.sessionBus, .builtAgent(), .timeLimit(.minutes(5))) struct CharacterSetTests {
    private static let title = "“Größe” – na\u{EF}ve… 日本 👍🏽 e\u{301} €5"

    @Test(
        "Only characters of the locale's character set are written",
        arguments: [
            ["LC_ALL": "C"], ["LC_ALL": "POSIX"], ["LC_ALL": nil, "LC_CTYPE": nil, "LANG": nil],
        ] as [[Environment.Key: String?]]
    )
    func ascii(locale: [Environment.Key: String?]) async throws {
        _ = try await publishTitle()
        let list = try await Programs.run("feedbell", ["list"], environment: locale)
        #expect(list.status == .exited(0), "\(list.errors)")
        #expect(list.output.hasSuffix("\t\"Gr??e\" - na?ve. ???? ?? e ?5\n"))
        let unknown = try await Programs.run("feedbell", ["list", "--account", "é…"], environment: locale)
        #expect(unknown.status == .exited(5), "\(unknown.errors)")
        #expect(unknown.errors.hasPrefix("feedbell: There is no account \"?.\"."))
        let help = try await Programs.run("feedbell", ["follow", "--help"], environment: locale)
        #expect(help.status == .exited(0), "\(help.errors)")
        #expect(help.output.utf8.allSatisfy { $0 < 0x80 } && help.output.contains("\"paused\": \"??\""))
    }

    @Test("A locale that is not installed counts as UTF-8 if its name contains it")
    func notInstalled() async throws {
        _ = try await publishTitle()
        let locale: [Environment.Key: String?] = ["LC_ALL": nil, "LC_CTYPE": nil, "LANG": "xx_XX.utf8"]
        let list = try await Programs.run("feedbell", ["list"], environment: locale)
        #expect(list.status == .exited(0), "\(list.errors)")
        #expect(list.output.hasSuffix("\t\(Self.title)\n"))
    }

    @Test("The agent's program writes only characters of the locale's character set") func agentProgram() async throws {
        let locale: [Environment.Key: String?] = ["LC_ALL": "C"]
        let error = try await Programs.run("feedbell-agent", ["--log-level", "é…"], environment: locale)
        #expect(error.status == .exited(64), "\(error.errors)")
        #expect(error.errors.contains("There is no log level \"?.\"."), "\(error.errors)")
        let help = try await Programs.run("feedbell", ["accounts", "add", "--help"], environment: locale)
        #expect(help.status == .exited(0), "\(help.errors)")
        #expect(help.output.contains("SERVICE OPTION.") && help.output.utf8.allSatisfy { $0 < 0x80 })
        let store = try await Programs.run(
            "feedbell",
            ["accounts", "token", "work", "--config", "/nonexistent/é"],
            environment: locale
        )
        #expect(store.status == .exited(78), "\(store.errors)")
        #expect(store.errors.contains("/nonexistent/?"), "\(store.errors)")
        let check = try await Programs.run(
            "feedbell-agent",
            ["check", "--config", "/nonexistent/é"],
            environment: locale
        )
        #expect(check.status == .exited(0), "\(check.errors)")
        #expect(check.output.contains("/nonexistent/\\u00e9"), "\(check.output)")
        let log = try await Programs.run("feedbell-agent", ["--config", "/nonexistent/é"], environment: locale)
        #expect(log.status == .exited(78), "\(log.errors)")
        #expect(log.errors.contains("/nonexistent/?"), "\(log.errors)")
        let journal = try await Programs.run(
            "feedbell-agent",
            ["--config", "/nonexistent/é"],
            environment: ["LC_ALL": "C", "JOURNAL_STREAM": "1:2"]
        )
        #expect(journal.status == .exited(78), "\(journal.errors)")
        #expect(journal.errors.contains("/nonexistent/é"), "\(journal.errors)")
    }

    @Test(
        "Latin-1 is written in a Latin-1 locale",
        .enabled("localedef or its sources are not installed") { await Command.exists("localedef") }
    )
    func latin1() async throws {
        try await TemporaryFile.with("") { file in
            let path = file.directory + "/latin1"
            let made = try await Programs.run("localedef", ["--no-archive", "-i", "en_US", "-f", "ISO-8859-1", path])
            try #require(made.status == .exited(0), "\(made.errors)")
            _ = try await publishTitle()
            let list = try await Programs.run(
                "sh",
                ["-c", "feedbell list | iconv -f ISO-8859-1 -t UTF-8"],
                environment: ["LOCPATH": file.directory, "LC_ALL": "latin1"]
            )
            #expect(list.status == .exited(0), "\(list.errors)")
            #expect(list.output.hasSuffix("\t\"Größe\" - naïve. ???? ?? e ?5\n"))
        }
    }

    @Test("JSON is the same text in every locale, and ASCII where it is not UTF-8") func json() async throws {
        struct Notification: Decodable { var title: String }
        let id = try await publishTitle()
        for command in [["list", "--json"], ["show", "--json", id]] {
            let (utf8, ascii) = (
                try await Programs.output("feedbell", command),
                try await Programs.output("feedbell", command, environment: ["LC_ALL": "C"])
            )
            #expect(utf8.contains(Self.title) && ascii.contains("\\u201cGr\\u00f6\\u00dfe\\u201d"))
            #expect(ascii.utf8.allSatisfy { $0 < 0x80 })
            let decoder = JSONDecoder()
            func titles(_ text: String) throws -> [String] {
                let data = Data((text.hasPrefix("[") ? text : "[\(text)]").utf8)
                return try decoder.decode([Notification].self, from: data).map(\.title)
            }
            #expect(try titles(ascii) == titles(utf8) && titles(utf8) == [Self.title])
        }
        for option in [[], ["--waybar"]] {
            try await RunningProgram.with("feedbell", ["follow"] + option, environment: ["LC_ALL": "C"]) {
                follower in
                let line = try await follower.wait(for: "\\u201cGr\\u00f6\\u00dfe\\u201d")
                #expect(line.utf8.allSatisfy { $0 < 0x80 } && line.contains("\\ud83d\\udc4d"))
            }
        }
    }

    /// Publishes a notification with the title and waits until the agent lists it.
    ///
    /// - Returns: Its id.
    private func publishTitle() async throws -> String {
        let id = try await Sandbox.current.publish(["header": .string(Self.title)])
        try await BuiltAgent.current.waitForList(count: 1)
        return id
    }
}
