import AgentInterface
import AgentTestSupport
import Basics
import DBus
import Foundation
import Inbox
import Testing

@testable import Agent

/// A `settings.toml` that the agent could not read, and that none is written.
@Suite struct SettingsQuarantineTests {
    private func withSettings(
        _ data: Data,
        _ body: (_ file: ConfigurationFile, _ settings: TemporaryFile) async throws -> Void
    ) async throws {
        try await TemporaryFile.with("[popups]\ntimeout = 5\n") { file in
            let settings = TemporaryFile(path: file.directory + "/settings.toml")
            try settings.write("")
            try data.write(to: URL(filePath: settings.path))
            try await body(ConfigurationFile(path: file.path, services: Services.all), settings)
        }
    }

    private static let rule = "[[rules]]\ncategory = \"a\"\nmute = true\n"

    @Test(
        "One that is too large or not TOML is renamed at the start, and the agent starts without it",
        arguments: [
            Data("[popups]\ngroup_above = ".utf8), Data((rule + String(repeating: "#", count: 1 << 20)).utf8),
            Data([0x61, 0xFF, 0x0A]), Data(count: 4_096),
        ]
    )
    func renamed(data: Data) async throws {
        try await withSettings(data) { file, settings in
            await #expect(throws: ConfigurationError.self) { try await file.read() }
            for number in 1...2 {
                try settings.write("")
                try data.write(to: URL(filePath: settings.path))
                let started = try await file.readAtStart()
                let place = "\(settings.path).aside-\(number)"
                let isMoved = !settings.exists && FileManager.default.contents(atPath: place) == data
                let sentence = try #require(started.problems.first).description
                #expect(isMoved && sentence.contains("It was renamed to \(place), so"))
                #expect(started.popups.rules.isEmpty && started.popups.timeout == .after(milliseconds: 5_000))
                #expect(try await file.read(from: started) == started, "it is known until there is a new file")
                try settings.write(Self.rule)
                let next = try await file.read(from: started)
                #expect(next.problems.isEmpty && next.popups.rules.rules.count == 1)
            }
        }
    }

    @Test(
        "One with a mistake is an error at the start, as one of the user's own file",
        arguments: ["[popups]\ntimeuot = 5\n", "[accounts.a]\n", "[[rules]]\nmute = 1\n"]
    )
    func mistakes(text: String) async throws {
        try await withSettings(Data(text.utf8)) { file, settings in
            await #expect(throws: ConfigurationError.self) { try await file.readAtStart() }
            let kept = try settings.read()
            #expect(kept == text)
        }
        try await withSettings(Data()) { file, _ in
            try TemporaryFile(path: file.path).write("no TOML")
            await #expect(throws: ConfigurationError.self) { try await file.readAtStart() }
        }
    }

    private static func longRule(_ number: Int) throws -> TOMLNode {
        var conditions = RuleConditionsRecord()
        conditions.text = (0..<100).map { "\(number)-\($0)-" + String(repeating: "x", count: 240) }
        var rule = RuleRecord()
        rule.conditions = conditions.values
        return try SettingsRules.checked(rule.values, id: "rule\(number)", now: 0)
    }

    @Test("Rules of more than 64 KiB are not written, and those of a larger file can be removed") func size()
        async throws
    {
        try await withSettings(Data()) { file, settings in
            let (now, changes) = (Timestamp(milliseconds: 0), Settings(file))
            func add(_ number: Int) async throws {
                let rule = try Self.longRule(number)
                try await changes.changeRules(at: now) { (rules) throws(DBusError) in try rules.add(rule, before: "") }
            }
            try await add(1)
            try await add(2)
            let before = try settings.read()
            let error = await #expect(throws: DBusError.self) { try await add(3) }
            #expect(error?.name == .invalidArgs && error?.message.hasPrefix("The rules would be larger") == true)
            #expect(try settings.read() == before && before.utf8.count <= 65_536)

            let larger = try (1...4).map { try Self.longRule($0) }
            let tables = TOMLNode(.array(larger), file: "", line: 1)
            try settings.write(TOMLNode(.table(["rules": tables]), file: "", line: 1).document)
            try await changes.changeRules(at: now) { (rules) throws(DBusError) in try rules.remove("rule1") }
            #expect(try await file.read().popups.rules.rules.map(\.id) == ["rule2", "rule3", "rule4"])
        }
    }
}
