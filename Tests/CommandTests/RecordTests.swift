import AgentInterface
import DBus
import FoundationEssentials
import TestSupport
import Testing

/// The dictionaries of the interface.
@Suite struct RecordTests {
    /// The keys and types that the XML documents after `marker`: `id s, title s (a note), …` up to a full stop, a
    /// semicolon or a colon.
    private func documented(after marker: String) throws -> [String] {
        let file = Checkout.root.appending(path: "dbus/org.feedbell.Agent1.xml")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let start = try #require(text.firstRange(of: marker)?.upperBound)
        var keys = ""
        var depth = 0
        for (character, next) in zip(text[start...], text[start...].dropFirst()) {
            // A note in parentheses follows a space; those of a D-Bus type do not.
            if character == " ", next == "(" { depth = 1 }
            if depth == 0, ".;:".contains(character) { break }
            if depth == 0 { keys.append(character) }
            if depth == 1, character == ")" { depth = 0 }
        }
        return keys.split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }
    }

    private func stated<Keys: RecordKeys>(_: Keys.Type) -> [String] {
        Keys.descriptions.map { "\($0.name) \($0.signature.text)" }
    }

    @Test("The keys of each dictionary are those of the interface's XML") func keys() throws {
        #expect(stated(NotificationKeys.self) == (try documented(after: "A notification is a dictionary:")))
        #expect(stated(CategoryKeys.self) == (try documented(after: "A category is a dictionary:")))
        #expect(stated(DigestKeys.self) == (try documented(after: "A digest schedule is a dictionary:")))
        #expect(stated(PropertyKeys.self) == (try documented(after: "A property is a dictionary:")))
        #expect(stated(DigestChangeKeys.self) == (try documented(after: "@schedule:")))
        #expect(stated(ListOptionKeys.self) == (try documented(after: "The options are:")))
        #expect(stated(RuleKeys.self) == (try documented(after: "A rule is a dictionary:")))
        #expect(stated(RuleConditionsKeys.self) == (try documented(after: "Its conditions:")))
        #expect(stated(RuleSettingsKeys.self) == (try documented(after: "Its settings:")))
        #expect(stated(RuleCheckKeys.self) == (try documented(after: "A check is a dictionary:")))
        #expect(stated(PlatformDataKeys.self) == (try documented(after: "@platform_data:")))
    }

    @Test("A missing value and one of another type are the default") func defaults() {
        let record = NotificationRecord(["id": .string("a"), "title": .uint32(1)])
        #expect(record.id == "a" && record.title.isEmpty && record.read == 0 && record.actions.isEmpty)
        #expect(ListOptions(["limit": .string("x")]).limit == nil)
    }

    @Test("Values are written and read, and unknown keys are kept") func values() {
        var record = CategoryRecord(["mood": .string("fine")])
        record.id = "news"
        record.preference = .on
        record.channels = [CategoryChannel(name: "inbox", preference: .off, isEditable: true)]
        #expect(
            record.values == [
                "mood": .string("fine"), "category": .string("news"), "preference": .string("opt_in"),
                "channels": Value([Structure("inbox", "opt_out", true)]),
            ]
        )
        #expect(CategoryRecord(record.values).channels == record.channels)
        #expect(CategoryRecord(record.values).preference == .on)
    }

    @Test("Checked reading rejects another type") func checked() throws {
        let options = ListOptions(["limit": .string("x"), "unread": .bool(true)])
        #expect(throws: DBusError.self) { try options.checked(ListOptionKeys.all.limit) }
        #expect(try options.checked(ListOptionKeys.all.unread) == true)
        #expect(try options.checked(ListOptionKeys.all.offset) == 0)
    }
}
