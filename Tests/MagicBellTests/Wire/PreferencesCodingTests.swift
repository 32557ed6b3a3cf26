import ClientKit
import FoundationEssentials
import MagicBell
import Testing

@Suite("Preferences as JSON")
struct PreferencesCodingTests {
    private typealias Category = NotificationPreferences.Category
    private typealias Channel = NotificationPreferences.Channel

    private func read(_ json: String) throws -> NotificationPreferences.Answer {
        try JSONValue(parsing: json).decode(NotificationPreferences.Answer.self)
    }

    @Test("Each form of the service is read")
    func forms() throws {
        let labelled = Category(
            slug: "ci",
            label: "Builds",
            channels: [
                Channel(slug: "email", label: "E-mail", isEnabled: false),
                Channel(slug: "in_app", label: "In app", isEnabled: true),
            ]
        )
        let list = try read(AnswerSamples.preferences)
        #expect(list.form == .list && list.preferences == NotificationPreferences(categories: [labelled]))

        let map = try read(AnswerSamples.olderPreferences)
        #expect(map.form == .map && map.preferences.categories.map(\.slug) == ["ci"])
        #expect(map.preferences.categories.first?.label == "ci")
        #expect(
            map.preferences.categories.first?.channels.map(\.slug) == ["email", "in_app", "mobile_push", "web_push"]
        )
        #expect(map.preferences.categories.first?.channels.map(\.isEnabled) == [false, true, true, false])

        let keys = try read(AnswerSamples.userPreferences)
        #expect(keys.form == .keys && keys.preferences.categories.map(\.label) == ["Builds"])
        #expect(keys.preferences.categories.first?.channels.map(\.slug) == ["email", "in_app"])
        #expect(keys.preferences.categories.first?.channels.map(\.isEnabled) == [false, true])
    }

    @Test("A change has what it contains, and nothing else")
    func bodies() {
        let change = NotificationPreferences(categories: [
            Category(slug: "ci", label: "Builds", channels: [Channel(slug: "email", isEnabled: true)])
        ])
        #expect(
            change.body(.list) == [
                "notification_preferences": [
                    "categories": [["slug": "ci", "channels": [["slug": "email", "enabled": true]]]]
                ]
            ]
        )
        #expect(change.body(.map) == ["notification_preferences": ["categories": ["ci": ["email": true]]]])
        #expect(
            change.body(.keys) == ["categories": [["key": "ci", "channels": [["name": "email", "enabled": true]]]]]
        )
    }

    @Test("A body is read as the same preferences, except for labels", arguments: [AnswerSamples.preferences])
    func bodiesAreAnswers(json: String) throws {
        var preferences = try read(json).preferences
        for category in preferences.categories.indices {
            preferences.categories[category].label = preferences.categories[category].slug
            for channel in preferences.categories[category].channels.indices {
                let slug = preferences.categories[category].channels[channel].slug
                preferences.categories[category].channels[channel].label = slug
            }
        }
        for form in [NotificationPreferences.Form.list, .map, .keys] {
            let answer = try preferences.body(form).decode(NotificationPreferences.Answer.self)
            #expect(answer.form == form && answer.preferences == preferences)
        }
    }

    @Test("Unknown channels are kept, and invalid parts are left out")
    func lenient() throws {
        let json = #"""
            {"notification_preferences":{"categories":[7,{"label":"no slug"},{"slug":"b","label":"","channels":null},
              {"slug":"a","channels":[{"slug":"carrier_pigeon","enabled":true},{"slug":"email"},{"enabled":true},
              {"slug":"email","enabled":"yes"},{"slug":"sms","enabled":false},{"slug":"sms","enabled":true}]},
              {"slug":"a","label":"twice"}]}}
            """#
        let preferences = try read(json).preferences
        #expect(preferences.categories.map(\.slug) == ["a", "b"])
        #expect(preferences.categories.map(\.label) == ["a", "b"])
        #expect(preferences.categories[0].channels.map(\.slug) == ["carrier_pigeon", "sms"])
        #expect(preferences.categories[0].channels.map(\.isEnabled) == [true, false])
    }

    @Test(
        "Other JSON has no preferences",
        arguments: ["{}", "[]", #"{"categories":7}"#, #"{"notification_preferences":{}}"#]
    )
    func others(json: String) {
        #expect(throws: (any Error).self) { try read(json) }
    }

    @Test("Stored preferences are the same after they are read")
    func roundTrip() throws {
        for json in [AnswerSamples.preferences, AnswerSamples.olderPreferences, AnswerSamples.userPreferences] {
            let preferences = try read(json).preferences
            let data = try JSONEncoder().encode(preferences)
            #expect(try JSONDecoder().decode(NotificationPreferences.self, from: data) == preferences)
        }
    }

    @Test("The number of categories and channels is limited")
    func limits() throws {
        let channels = (0..<500).map { #""c\#($0)":true"# }.joined(separator: ",")
        let categories = (0..<2_000).map { #""k\#($0)":{\#($0 == 0 ? channels : "")}"# }.joined(separator: ",")
        let preferences = try read(#"{"notification_preferences":{"categories":{\#(categories)}}}"#).preferences
        #expect(preferences.categories.count == Limits.categories)
        #expect(preferences.categories.first?.channels.count == Limits.channels)
    }
}
