import ClientKit
import FoundationEssentials
import Sandbox
import TestSupport
import Testing

@testable import SuprSend

/// An app reads back the values that it stored.
@Suite struct CodableTests {
    private func encoded<T: Codable>(_ value: T) throws -> JSONValue {
        try JSONValue(parsing: String(decoding: JSONEncoder().encode(value), as: UTF8.self))
    }

    private func copy<T: Codable>(_ value: T) throws -> T {
        try JSONDecoder().decode(T.self, from: JSONEncoder().encode(value))
    }

    private func read<T: Decodable>(_ json: JSONValue, as type: T.Type = T.self) throws -> T {
        try JSONDecoder().decode(T.self, from: Data(json.text.utf8))
    }

    /// Whether `json` says everything that `sample` says; null says nothing.
    private func covers(_ json: JSONValue?, _ sample: JSONValue) -> Bool {
        switch (json, sample) {
        case (_, .null): true
        case (.object(let members)?, .object(let sample)): sample.allSatisfy { covers(members[$0.key], $0.value) }
        case (.array(let elements)?, .array(let sample)):
            elements.count == sample.count && zip(elements, sample).allSatisfy(covers)
        default: json == sample
        }
    }

    @Test("A row is encoded in the service's form and decoded as the same row")
    func rows() throws {
        let samples = try #require(JSONValue(parsing: firstPage)["results"]?.array)
        #expect(samples.count == 3)
        for sample in samples {
            let row: FeedNotification = try read(sample)
            #expect(try covers(encoded(row), sample))
            #expect(try copy(row) == row)
        }
    }

    @Test(
        "Rows in unusual forms are the same after encoding and decoding",
        arguments: [
            #""created_on":1754346745613000,"tags":null,"message":{"text":"t","tags":["m"]}"#,
            #""created_on":-5,"expiry":-1,"seen_on":1e300,"message":{"text":null}"#,
            #"""
            "created_on":9223372036854775807,"message":{"extra_data":{"b":[1,2.5,null]},"actions":[{"name":"n"},{}]}
            """#,
            #""created_on":1.754e12,"tags":["a",1],"message":{"subtext":{},"avatar":{"avatar_url":""}}"#,
        ]
    )
    func oddRows(fields: String) throws {
        let row: FeedNotification = try read(JSONValue(parsing: #"{"n_id":"a","n_category":"c",\#(fields)}"#))
        #expect(try copy(row) == row)
    }

    @Test("Preferences are encoded in the service's form and decoded as the same")
    func preferenceSamples() async throws {
        let category = #"{"sections":[{"name":null,"subcategories":[\#(optedOutJSON)]}],"channel_preferences":null}"#
        let sandbox = SandboxService(options: SandboxOptions(publicKey: "k", users: ["u"], tenants: ["default"]))
        let full = sandbox[InboxKey(user: "u", tenant: "default")].preferences.full.text
        for sample in [
            try JSONValue(parsing: preferencesJSON), try JSONValue(parsing: category), try JSONValue(parsing: full),
        ] {
            let data: PreferenceData = try read(sample)
            #expect(try covers(encoded(data), sample))
            #expect(try copy(data) == data)
        }
        for text in [#"{"sections":null}"#, #"{"channel_preferences":[]}"#, #"{"sections":[{}]}"#] {
            let data: PreferenceData = try read(JSONValue(parsing: text))
            #expect(try copy(data) == data)
        }
    }

    @Test("A category's schedule and properties are the same after encoding and decoding")
    func details() throws {
        let sample = try JSONValue(
            parsing: """
                {"category":"c","preference":"paused","original_preference":"opt_out","digest_schedule":{"id":"m",
                 "label":"Monthly","frequency":"monthly","interval":2,"is_default":true,"is_user_selected":false,
                 "weekdays":{"edit_policy":"locked","default_value":["mo","xx"]},
                 "monthdays":{"edit_policy":"editable","default_value":[{"pos":1},{"pos":-1,"day":["su","sa"]}],\
                 "value":[{"pos":15}]},
                 "time":{"edit_policy":"editable","default_value":"09:00","value":"10:00"},\
                 "dtstart":{"edit_policy":"locked"}},
                 "properties":[{"key":"list","value":["a"],"label":"Liste","edit_policy":"editable","is_optional":true,
                 "is_overridden":true,"value_type":"list_dynamic","dynamic_choices_key":"k","default_value":[],
                 "choices":[{"label":"A","value":"a"},{"label":"2","value":2},{"label":"3","value":{"x":2.5}}]},
                 {"key":"n","value":3,"edit_policy":"locked"}]}
                """
        )
        let category: PreferenceCategory = try read(sample)
        #expect(category.properties.count == 2 && category.digestSchedule != nil)
        #expect(try covers(encoded(category), sample))
        #expect(try copy(category) == category)
        let page: CategoryPage = try read(["meta": ["count": 7, "limit": 10], "results": [sample]])
        #expect(page.count == 7)
        #expect(try copy(page) == page)
    }

    @Test(
        "Random rows and preferences are the same after encoding and decoding",
        arguments: 0..<20 as Range<UInt64>
    )
    func anything(seed: UInt64) throws {
        var chance = Sample(chance: SeededGenerator(seed: seed))
        var rows = 0
        for _ in 0..<50 {
            if let row: FeedNotification = try? read(chance.row()) {
                rows += 1
                #expect(try copy(row) == row)
            }
            let data: PreferenceData = try read(chance.preferences())
            #expect(try copy(data) == data)
        }
        #expect(rows > 5)
    }
}

/// Random JSON that a service may send.
private struct Sample {
    var chance: SeededGenerator

    mutating func value(_ depth: Int = 0) -> JSONValue {
        switch Int.random(in: 0...(depth < 2 ? 7 : 5), using: &chance) {
        case 0: .null
        case 1: .bool(Bool.random(using: &chance))
        case 2: .integer(Int64.random(in: .min ... .max, using: &chance))
        case 3: .number(Double(bitPattern: UInt64.random(in: .min ... .max, using: &chance)))
        case 4: .number([2, 3e10, 1e19, -0.5, 1e300].randomElement(using: &chance)!)
        case 5: text()
        case 6: .array([value(depth + 1), value(depth + 1)])
        default: .object(["a": value(depth + 1), "text": text()])
        }
    }

    mutating func text() -> JSONValue {
        .string(
            ["", "a", "ä\u{301}\n\"\\/", "👩‍👩‍👧", "\u{0}", "opt_in", "editable", "daily"].randomElement(using: &chance)!
        )
    }

    mutating func time() -> JSONValue { .integer(Int64.random(in: 0...1_800_000_000_000, using: &chance)) }

    /// An object with some of these members, sometimes with values of another type.
    mutating func object(_ members: [String: JSONValue], required: Set<String> = []) -> JSONValue {
        var result = members
        for key in members.keys.sorted() where !required.contains(key) {
            switch Int.random(in: 0...5, using: &chance) {
            case 0: result[key] = nil
            case 1: result[key] = value()
            default: break
            }
        }
        return .object(result)
    }

    mutating func row() -> JSONValue {
        let message = object([
            "schema": "1", "header": text(), "text": text(), "url": text(), "open_in_new_tab": true,
            "extra_data": text(), "tags": [text()], "subtext": object(["text": text(), "action_url": text()]),
            "avatar": object(["avatar_url": text(), "action_url": text()]),
            "actions": [object(["name": text(), "url": text(), "open_in_new_tab": false])],
        ])
        return object(
            [
                "n_id": "a", "n_category": text(), "tenant_id": text(), "importance": text(), "created_on": time(),
                "seen_on": time(), "read_on": time(), "interacted_on": time(), "expiry": time(), "archived": true,
                "is_pinned": true, "can_user_unpin": false, "is_expiry_visible": true, "tags": [text(), text()],
                "message": message,
            ],
            required: ["n_id", "n_category", "message"]
        )
    }

    mutating func part(_ value: JSONValue) -> JSONValue {
        object(["edit_policy": text(), "default_value": value, "value": value])
    }

    mutating func category() -> JSONValue {
        let schedule = object(
            [
                "id": text(), "label": text(), "frequency": text(), "interval": value(), "is_default": true,
                "is_user_selected": true, "weekdays": part(["mo", text()]), "time": part(text()),
                "monthdays": part([object(["pos": value(), "day": [text()]])]), "dtstart": part(text()),
            ],
            required: ["id"]
        )
        let property = object(
            [
                "key": text(), "value": value(), "label": text(), "edit_policy": text(), "is_optional": true,
                "is_overridden": true, "value_type": text(), "dynamic_choices_key": text(), "default_value": value(),
                "choices": [object(["label": text(), "value": value()])],
            ],
            required: ["key"]
        )
        return object(
            [
                "category": text(), "name": text(), "description": text(), "original_preference": text(),
                "preference": text(), "is_editable": false, "digest_schedule": schedule, "properties": [property],
                "channels": [object(["channel": text(), "preference": text(), "is_editable": false])],
            ],
            required: ["category", "preference"]
        )
    }

    mutating func preferences() -> JSONValue {
        let section = object([
            "name": text(), "slug": text(), "description": text(), "subcategories": [category(), category()],
        ])
        return object(
            [
                "sections": [section],
                "channel_preferences": [object(["channel": text(), "is_restricted": true])],
            ],
            required: ["sections"]
        )
    }
}
