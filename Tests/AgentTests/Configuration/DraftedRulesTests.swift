import AgentInterface
import Basics
import DBus
import Inbox
import TestSupport
import Testing

@testable import Agent
@testable import Window

/// A rule that is made in the window is the rule that the same words are in a file.
@Suite struct DraftedRulesTests {
    private static let now = Timestamp(milliseconds: 1_763_726_400_000)
    private static let accounts = ["work", "home \"2\"", "a*b"]

    /// The form's fields as a user fills them, and the same rule as a user writes it.
    private struct Written {
        var draft = RuleDraft(choices: RuleChoices(accounts: DraftedRulesTests.accounts))
        var lines: [String] = []

        mutating func set(_ field: RuleDraft.Field, _ value: FormValue, _ line: String?) {
            draft.set(field, to: value, now: DraftedRulesTests.now.milliseconds)
            if let line { lines.append(line) }
        }
    }

    private static func quoted(_ text: String) -> String { "'\(text)'" }

    private static func written(_ generator: inout SeededGenerator) -> Written {
        var written = Written()
        func chance() -> Bool { Bool.random(using: &generator) }
        func some(_ texts: [String]) -> [String] { texts.filter { _ in chance() } }
        if chance() {
            let index = Int.random(in: 0..<accounts.count, using: &generator)
            let pattern = ["work", "home \"2\"", "a\\*b"][index]
            written.set(.account, .choice(index + 1), "account = \(quoted(pattern))")
        }
        let fields: [(RuleDraft.Field, String)] = [(.otherCategory, "category"), (.otherTag, "tag"), (.topic, "topic")]
        for (field, name) in fields where chance() {
            let patterns = some(["builds", "ci-*", "?x", "größe", "a\\*b"])
            let line = patterns.isEmpty ? nil : "\(name) = [\(patterns.map(quoted).joined(separator: ", "))]"
            written.set(field, .typed(patterns.joined(separator: " , ")), line)
        }
        for (field, name) in [(RuleDraft.Field.title, "title"), (.text, "text")] where chance() {
            let words = some(["failed", "two words", "ガイド", "#17"])
            let line = words.isEmpty ? nil : "\(name) = [\(words.map { quoted("*\($0)*") }.joined(separator: ", "))]"
            written.set(field, .typed(words.joined(separator: ",")), line)
        }
        if chance() {
            written.set(.from, .typed("22:00"), "from = \"22:00\"")
            written.set(.to, .typed("7:30"), "to = \"07:30\"")
        }
        if chance() {
            let days = Set(Weekday.configured.indices.filter { _ in chance() })
            let names = days.sorted().map { quoted(Weekday.configured[$0]) }.joined(separator: ", ")
            let isChosen = !days.isEmpty && days.count < Weekday.configured.count
            written.set(.days, .several(days), isChosen ? "days = [\(names)]" : nil)
        }
        let isMuted = chance()
        if isMuted { written.set(.popup, .toggle(false), "mute = true") }
        if chance() { written.set(.badge, .toggle(false), "badge = false") }
        // Saving leaves out the settings that have no meaning without a popup, or with one.
        if chance() { written.set(.markRead, .toggle(true), isMuted ? "mark_read = true" : nil) }
        if chance() { written.set(.ignoreQuiet, .toggle(true), isMuted ? nil : "ignore_quiet = true") }
        if chance() {
            let index = Int.random(in: 1...3, using: &generator)
            let line = "urgency = \(quoted(["low", "normal", "critical"][index - 1]))"
            written.set(.urgency, .choice(index), isMuted ? nil : line)
        }
        if chance() { written.set(.sound, .choice(1), isMuted ? nil : "sound = \"none\"") }
        if chance() {
            let index = Int.random(in: 1...5, using: &generator)
            let line = "timeout = \(["\"default\"", "5", "10", "30", "\"never\""][index - 1])"
            written.set(.timeout, .choice(index), isMuted ? nil : line)
        }
        if chance() { written.set(.end, .choice(1), "until = 2025-11-21T13:00:00Z") }
        return written
    }

    @Test("Both have the same conditions, settings and end, or are both refused", arguments: 0..<300 as Range<UInt64>)
    func same(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let written = Self.written(&generator)
        let toml = "[[rules]]\n" + written.lines.joined(separator: "\n") + "\n"
        let layers = try ConfigurationLayers([.init(.personal, path: "f", text: toml)])
        let inFile = try? Rules(layers.ruleLists).rules.first
        let drafted = try? SettingsRules.rule(
            try SettingsRules.checked(written.draft.record.values, id: "x", now: Self.now)
        )
        #expect((drafted == nil) == (inFile == nil), "\(toml)")
        guard let drafted, let inFile else { return }
        #expect(drafted.conditions == inFile.conditions, "\(toml)")
        #expect(drafted.effects == inFile.effects, "\(toml)")
        #expect(drafted.until == inFile.until && drafted.isEnabled == inFile.isEnabled, "\(toml)")
    }
}
