import FoundationEssentials
import Inbox
import Testing

/// Changes of digest schedules and properties as values.
@Suite struct PreferenceDetailTests {
    typealias Change = PreferencesContents.Digest.Change

    private static let digest = PreferencesContents.Digest(
        id: "weekly",
        time: "09:00",
        weekdays: ["mo"],
        editable: [.time, .weekdays]
    )
    private static let contents = PreferencesContents(categories: [
        .init(
            id: "builds",
            name: "Builds",
            isOn: true,
            isEditable: true,
            digest: digest,
            properties: [.init(id: "min", kind: .integer, value: .integer(5)), .init(id: "odd", kind: nil)]
        ),
        .init(id: "law", name: "Law", isOn: true, isEditable: true),
    ])

    @Test(
        "A later change of a digest schedule supersedes one whose parts it contains, and one of another schedule",
        arguments: [
            (Change(id: "a", time: "09:00"), Change(id: "a", time: "10:00"), true),
            (Change(id: "a", time: "09:00"), Change(id: "a", weekdays: ["mo"]), false),
            (Change(id: "a", time: "09:00"), Change(id: "a", time: "10:00", weekdays: ["mo"]), true),
            (Change(id: "a", time: "09:00", weekdays: ["mo"]), Change(id: "a", time: "10:00"), false),
            (Change(id: "a", time: "09:00"), Change(id: "b"), true),
            (Change(id: "a"), Change(id: "a", start: "x"), true),
        ]
    )
    func superseded(first: Change, second: Change, expected: Bool) {
        let changes = [first, second].map { PreferenceChange.digest($0, inCategory: "builds") }
        #expect(changes[0].isSuperseded(by: changes[1]) == expected)
        #expect(!changes[0].isSuperseded(by: .digest(second, inCategory: "law")))
        #expect(!changes[0].isSuperseded(by: .category("builds", isOn: true)))
    }

    @Test("A change of a property supersedes one of the same property of the same category") func property() {
        let change = PreferenceChange.property("min", .integer(1), inCategory: "builds")
        #expect(change.isSuperseded(by: .property("min", .integer(2), inCategory: "builds")))
        #expect(!change.isSuperseded(by: .property("max", .integer(2), inCategory: "builds")))
        #expect(!change.isSuperseded(by: .property("min", .integer(2), inCategory: "law")))
        #expect(change.target == .category("builds"))
    }

    @Test("Pending changes of the schedule and of properties show, those of another schedule do not") func applied() {
        func shown(_ changes: PreferenceChange...) -> PreferencesContents.Category {
            Self.contents.applying(changes, by: ServiceRules()).categories[0]
        }
        let changed = shown(
            .digest(Change(id: "weekly", time: "10:00"), inCategory: "builds"),
            .digest(Change(id: "weekly", weekdays: ["tu"]), inCategory: "builds"),
            .property("min", .integer(7), inCategory: "builds"),
            .property("gone", .integer(7), inCategory: "builds"),
            .digest(Change(time: "10:00"), inCategory: "law")
        )
        #expect(changed.digest?.time == "10:00" && changed.digest?.weekdays == ["tu"])
        #expect(changed.digest?.isSelected == true && changed.digest?.start == nil)
        #expect(changed.properties[0].value == .integer(7) && changed.properties[0].isOverridden)
        #expect(changed.properties[1] == Self.contents.categories[0].properties[1])
        #expect(shown(.digest(Change(id: "daily", time: "10:00"), inCategory: "builds")) == Self.contents.categories[0])
    }

    @Test(
        "A change is checked against what the service said",
        arguments: [
            (.digest(Change(time: "10:00"), inCategory: "builds"), nil),
            (.digest(Change(id: "daily", start: "x"), inCategory: "builds"), nil),
            (.digest(Change(start: "x"), inCategory: "builds"), .notEditable),
            (.digest(Change(time: "10:00"), inCategory: "law"), .unsupported),
            (.digest(Change(time: "10:00"), inCategory: "gone"), .notFound),
            (.property("min", .integer(1), inCategory: "builds"), nil),
            (.property("min", .text("1"), inCategory: "builds"), .invalid),
            (.property("odd", .text("1"), inCategory: "builds"), .notEditable),
            (.property("gone", .text("1"), inCategory: "builds"), .notFound),
        ] as [(PreferenceChange, ServiceFailure.Kind?)]
    )
    func checks(change: PreferenceChange, failure: ServiceFailure.Kind?) {
        var found: ServiceFailure.Kind?
        do { _ = try Self.contents.checked(change) } catch { found = error.kind }
        #expect(found == failure)
    }

    @Test("A checked change of a schedule has the schedule's id") func identified() throws {
        let change = PreferenceChange.digest(Change(time: "10:00"), inCategory: "builds")
        #expect(
            try Self.contents.checked(change) == .digest(Change(id: "weekly", time: "10:00"), inCategory: "builds")
        )
    }

    @Test("Values of properties are written as plain JSON and read again") func coding() throws {
        let values: [PropertyValue] = [.integer(-1), .text("1"), .list(["a"]), .list([])]
        let json = try JSONEncoder().encode(values)
        #expect(String(decoding: json, as: UTF8.self) == #"[-1,"1",["a"],[]]"#)
        #expect(try JSONDecoder().decode([PropertyValue].self, from: json) == values)
    }
}
