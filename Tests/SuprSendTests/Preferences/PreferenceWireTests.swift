import ClientKit
import TestSupport
import Testing

@testable import SuprSend

/// Answers with preferences, well-formed and malformed.
@Suite struct PreferenceWireTests {
    private func category(_ json: String) throws -> PreferenceCategory {
        try ResponseDecoder.decode(response(200, json), as: PreferenceCategory.self)
    }

    @Test("Sections, categories and channels of full preferences are read") func fullPreferences() throws {
        let data = try preferences()
        let section = try #require(data.sections?.first)
        #expect((section.name, section.slug, section.description) == ("Offers", "offers", "Deals"))
        let category = try #require(section.categories.first)
        #expect((category.name, category.slug, category.description) == ("Refund news", "refund-news", "Refund status"))
        #expect((category.originalPreference, category.preference, category.isEditable) == (.optIn, .optIn, true))
        #expect(category.channels.map(\.channel) == ["androidpush", "email", "inbox", "whatsapp"])
        #expect(category.channels.map(\.preference) == [.optIn, .optIn, .optIn, .optOut])
        #expect(category.channels.map(\.isEditable) == [false, false, true, true])
        #expect(data.channelPreferences?.map(\.channel) == ["email", "inbox"])
        #expect(data.channelPreferences?.map(\.level) == [.all, .all])
    }

    @Test("A page of categories is read, and an empty object is no page") func categoryPage() throws {
        let text =
            #"""
            {"meta":{"count":1,"limit":10,"offset":0},"results":[{"name":"Refund news","category":"refund-news",\#
            "preference":"opt_in","is_editable":true,"channels":[]}]}
            """#
        let page = try ResponseDecoder.decode(response(200, text), as: CategoryPage.self)
        #expect((page.count, page.limit, page.offset) == (1, 10, 0))
        #expect(page.categories.map(\.slug) == ["refund-news"])
        #expect(throws: SuprSendError.self) { try ResponseDecoder.decode(response(200, "{}"), as: CategoryPage.self) }
    }

    @Test("A restricted channel has the level required, another the level all") func overallChannels() throws {
        let text =
            #"""
            {"channel_preferences":[{"channel":"email","is_restricted":true},\#
            {"channel":"inbox","is_restricted":false}]}
            """#
        let channels = try ResponseDecoder.decode(response(200, text), as: OverallChannels.self).channels
        #expect(channels.map(\.level) == [.required, .all])
    }

    @Test("Malformed entries are left out, and all others are read") func malformedEntries() throws {
        let data = try preferences(
            """
            {"sections":[7,{"name":null,"subcategories":[
              {"category":"a","preference":"opt_in","channels":[{"channel":"x"},{"channel":"y",\
              "preference":"opt_in"},null]},
              {"name":"no slug","preference":"opt_in"},{"category":"no preference"},"text",
              {"category":"b","preference":"paused","is_editable":null,"channels":null,"properties":"?"}]},
             {"name":"empty"}],
             "channel_preferences":[{"channel":"email"},{"channel":"sms","is_restricted":true}]}
            """
        )
        #expect(data.sections?.map(\.name) == [nil, "empty"])
        let categories = try #require(data.sections?.first?.categories)
        #expect(categories.map(\.slug) == ["a", "b"])
        #expect(categories[0].channels == [ChannelPreference(channel: "y", preference: .optIn)])
        // An unknown value is kept.
        #expect(categories[1].preference.rawValue == "paused")
        #expect((categories[1].name, categories[1].isEditable) == ("b", true))
        #expect(data.channelPreferences == [OverallChannelPreference(channel: "sms", isRestricted: true)])
    }

    @Test(
        "Preferences have sections or channel_preferences",
        arguments: [
            (#"{"sections":null}"#, true), (#"{"channel_preferences":[]}"#, true), ("{}", false),
            (#"{"status":"success"}"#, false), ("[]", false),
        ]
    )
    func requiredMembers(text: String, isThem: Bool) {
        #expect(((try? preferences(text)) != nil) == isThem)
    }

    @Test("A digest schedule is read, and one without an id is left out") func digestSchedule() throws {
        let schedule = try category(
            """
            {"category":"c","preference":"opt_in","digest_schedule":{"id":"m","label":"Monthly","frequency":"monthly",
             "interval":2,"is_default":true,"is_user_selected":false,
             "weekdays":{"edit_policy":"locked","default_value":["mo","xx",1]},
             "monthdays":{"edit_policy":"editable","default_value":[{"pos":1},{"day":["mo"]},{"pos":-1,"day":["su",\
             "sa"]}],"value":[{"pos":15}]},
             "time":{"edit_policy":"editable","default_value":"09:00","value":"10:00"},"dtstart":null}}
            """
        ).digestSchedule
        #expect(
            schedule
                == DigestSchedule(
                    id: "m",
                    label: "Monthly",
                    frequency: .monthly,
                    interval: 2,
                    isDefault: true,
                    weekdays: .init(isEditable: false, defaultValue: [.monday, .init(rawValue: "xx")]),
                    monthdays: .init(
                        isEditable: true,
                        defaultValue: [.init(position: 1), .init(position: -1, weekdays: [.sunday, .saturday])],
                        value: [.init(position: 15)]
                    ),
                    time: .init(isEditable: true, defaultValue: "09:00", value: "10:00")
                )
        )
        #expect(
            try category(#"{"category":"c","preference":"opt_in","digest_schedule":{"label":"x"}}"#).digestSchedule
                == nil
        )
    }

    /// One object in the samples of GET, an array in those of PATCH.
    @Test("Properties are read from an object and from an array", arguments: ["", "[]"]) func properties(
        brackets: String
    ) throws {
        let property =
            #"""
            {"key":"list","value":["a"],"label":"Liste","edit_policy":"editable","is_optional":true,\#
            "is_overridden":true,"value_type":"list_dynamic","dynamic_choices_key":"k","default_value":[],\#
            "choices":[{"label":"A","value":"a"},{"value":"b"},{"value":2},{"label":"?"}]}
            """#
        let value = brackets.isEmpty ? property : "[\(property),{\"value\":1}]"
        let read = try category(#"{"category":"c","preference":"opt_in","properties":\#(value)}"#).properties
        #expect(
            read == [
                CategoryProperty(
                    key: "list",
                    value: ["a"],
                    label: "Liste",
                    isEditable: true,
                    isOptional: true,
                    isOverridden: true,
                    valueType: .listDynamic,
                    dynamicChoicesKey: "k",
                    defaultValue: [],
                    choices: [
                        .init(label: "A", value: "a"), .init(label: "b", value: "b"), .init(label: "2", value: 2),
                    ]
                )
            ]
        )
    }

    @Test("An empty answer confirms a change; HTML and an error do not") func emptyConfirmation() throws {
        #expect(
            try ResponseDecoder.decode(response(204, ""), as: PreferenceConfirmation.self) == PreferenceConfirmation()
        )
        #expect(throws: SuprSendError.self) { try ResponseDecoder.decode(response(204, ""), as: PreferenceData.self) }
        #expect(throws: SuprSendError.self) { try confirmation("<html>") }
        #expect(throws: SuprSendError.self) { try confirmation(#"{"status":"error","error":{"message":"no"}}"#) }
    }

    @Test("Damaged preferences are read or rejected, and do not trap", arguments: 0..<20 as Range<UInt64>)
    func damagedAnswers(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var bytes = Array(preferencesJSON.utf8)
            for _ in 0...Int.random(in: 0...4, using: &chance) {
                bytes[Int.random(in: bytes.indices, using: &chance)] = UInt8.random(in: .min ... .max, using: &chance)
            }
            if Bool.random(using: &chance) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &chance)) }
            let data = try? ResponseDecoder.decode(HTTPResponse(status: 200, body: bytes), as: PreferenceData.self)
            #expect((data?.sections?.count ?? 0) <= 1)
        }
    }
}
