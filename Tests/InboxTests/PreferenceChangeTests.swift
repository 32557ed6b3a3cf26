import Inbox
import Testing

/// The effect of a pending change on the preferences, and whether it is valid.
@Suite struct PreferenceChangeTests {
    private static let contents = PreferencesContents(
        categories: [
            .init(
                id: "offers",
                name: "Offers",
                isOn: false,
                isEditable: true,
                channels: [
                    .init(name: "email", isOn: false, isEditable: true),
                    .init(name: "sms", isOn: true, isEditable: false),
                ]
            ),
            .init(id: "law", name: "Law", isOn: true, isEditable: false),
        ],
        levels: [.init(channel: "email", isOnlyRequired: false)]
    )

    /// On or not: `offers`, its `email`, its `sms`, `law`, and whether `email` is only for what is required.
    private func shown(after changes: [PreferenceChange]) -> String {
        let contents = Self.contents.applying(changes, by: ServiceRules(channelSwitchesCategoryOn: true))
        let offers = contents.categories[0]
        let all =
            [offers.isOn] + offers.channels.map(\.isOn) + [contents.categories[1].isOn]
            + contents.levels.map(\.isOnlyRequired)
        return all.map { $0 ? "1" : "0" }.joined()
    }

    @Test(
        "Pending changes show in the preferences",
        arguments: [
            ([], "00110"), ([.category("offers", isOn: true)], "10110"),
            ([.channel("email", inCategory: "offers", isOn: true)], "11110"),
            ([.channel("sms", inCategory: "offers", isOn: false)], "00010"),
            ([.channel("email", inCategory: "offers", isOn: true), .category("offers", isOn: false)], "01110"),
            ([.overall(channel: "email", onlyRequired: true)], "00111"),
            ([.category("gone", isOn: true), .channel("email", inCategory: "gone", isOn: true)], "00110"),
            ([.channel("fax", inCategory: "law", isOn: false), .overall(channel: "fax", onlyRequired: true)], "00110"),
        ] as [([PreferenceChange], String)]
    )
    func pendingChanges(changes: [PreferenceChange], expected: String) { #expect(shown(after: changes) == expected) }

    @Test(
        "A change of something unknown or not editable is rejected",
        arguments: [
            (.category("offers", isOn: true), nil), (.category("law", isOn: false), .notEditable),
            (.category("gone", isOn: false), .notFound), (.channel("email", inCategory: "offers", isOn: true), nil),
            (.channel("sms", inCategory: "offers", isOn: true), .notEditable),
            (.channel("fax", inCategory: "offers", isOn: true), .notFound),
            (.channel("email", inCategory: "gone", isOn: true), .notFound),
            (.overall(channel: "email", onlyRequired: true), nil),
            (.overall(channel: "fax", onlyRequired: true), .notFound),
        ] as [(PreferenceChange, ServiceFailure.Kind?)]
    )
    func checks(change: PreferenceChange, failure: ServiceFailure.Kind?) {
        var found: ServiceFailure.Kind?
        do { _ = try Self.contents.checked(change) } catch { found = error.kind }
        #expect(found == failure)
    }

    @Test("The service's rule decides whether a channel switches its category on") func channelAlone() {
        let change = PreferenceChange.channel("email", inCategory: "offers", isOn: true)
        let offers = Self.contents.applying([change], by: ServiceRules()).categories[0]
        #expect(!offers.isOn && offers.channels[0].isOn)
    }
}
