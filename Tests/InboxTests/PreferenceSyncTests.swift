import Inbox
import Testing

/// The preferences that the user sees: the service's last answer with the pending changes.
@Suite struct PreferenceSyncTests {
    private typealias Category = PreferencesContents.Category

    private let rules = ServiceRules(channelSwitchesCategoryOn: true, preferenceDelay: .seconds(1))
    private let offersOff = PreferenceChange.category("offers", isOn: false)
    private let mailOn = PreferenceChange.channel("email", inCategory: "offers", isOn: true)
    private let mailRequired = PreferenceChange.overall(channel: "email", onlyRequired: true)

    private static func offers(_ isOn: Bool, mail: Bool = false) -> Category {
        Category(
            section: "Shop",
            id: "offers",
            name: "Offers",
            isOn: isOn,
            isEditable: true,
            channels: [.init(name: "email", isOn: mail, isEditable: true)]
        )
    }

    private static let law = Category(id: "law", name: "Law", isOn: true, isEditable: false)

    private static func contents(_ offers: Category, required: Bool = false) -> PreferencesContents {
        PreferencesContents(categories: [offers, law], levels: [.init(channel: "email", isOnlyRequired: required)])
    }

    private static let loaded = contents(offers(true))

    /// Loaded and published.
    private func synced() -> PreferenceSync {
        var sync = PreferenceSync(rules: rules)
        sync.finishLoad(sync.beginLoad(), Self.loaded, now: .zero)
        _ = sync.takeDifference()
        return sync
    }

    /// Sends all pending changes.
    private func sendAll(_ sync: inout PreferenceSync) { _ = sync.receive(.flush(id: 1)) }

    @Test("Before a load nothing is shown and nothing differs") func notLoaded() {
        var sync = PreferenceSync(rules: rules)
        _ = sync.receive(.submitted(offersOff))
        #expect(sync.shown == nil && sync.takeDifference() == nil && sync.isStale(now: .zero))
        sync.finishLoad(sync.beginLoad(), Self.loaded, now: .zero)
        #expect(sync.reported == Self.loaded && sync.shown?.categories.first?.isOn == false)
        #expect(sync.takeDifference() == nil, "the first load is no change")
    }

    @Test("Preferences are stale after more than a minute") func stale() {
        var sync = synced()
        #expect(!sync.isStale(now: .seconds(60)) && sync.isStale(now: .seconds(61)))
        let failed = sync.beginLoad()
        sync.finishLoad(failed, nil, now: .seconds(61))
        #expect(sync.isStale(now: .seconds(61)) && sync.reported == Self.loaded)
        sync.finishLoad(sync.beginLoad(), Self.loaded, now: .seconds(61))
        #expect(!sync.isStale(now: .seconds(121)))
    }

    @Test("A change differs once: when it is made, not when it is sent and confirmed") func local() {
        var sync = synced()
        _ = sync.receive(.submitted(offersOff))
        #expect(sync.takeDifference() == [Self.offers(false)])
        #expect(sync.takeDifference() == nil)
        sendAll(&sync)
        #expect(sync.takeDifference() == nil)
        _ = sync.receive(.confirmed([1]), answer: .category(Self.offers(false)))
        #expect(sync.takeDifference() == nil && sync.outbox.count == 0)
        #expect(sync.reported == sync.shown)
    }

    @Test("The service's answer is shown where it differs from the change, in the category's section") func answer() {
        var sync = synced()
        _ = sync.receive(.submitted(offersOff))
        _ = sync.takeDifference()
        sendAll(&sync)
        var answer = Self.offers(false, mail: true)
        answer.section = ""
        _ = sync.receive(.confirmed([1]), answer: .category(answer))
        #expect(sync.takeDifference() == [Self.offers(false, mail: true)])
    }

    @Test("A rejected change is undone, later changes of its category stay") func rejected() {
        var sync = synced()
        _ = sync.receive(.submitted(offersOff))
        sendAll(&sync)
        _ = sync.receive(.submitted(mailOn))
        #expect(sync.takeDifference() == [Self.offers(true, mail: true)])
        _ = sync.receive(.failed([1], ServiceFailure(.rejected, "no"), jitter: 0))
        #expect(sync.shown == Self.contents(Self.offers(true, mail: true)))
        #expect(sync.takeDifference() == nil)
        _ = sync.receive(.failed([2], ServiceFailure(.rejected, "no"), jitter: 0))
        #expect(sync.takeDifference() == nil, "it was not sent")
        sendAll(&sync)
        _ = sync.receive(.failed([2], ServiceFailure(.rejected, "no"), jitter: 0))
        #expect(sync.takeDifference() == [Self.offers(true)])
    }

    @Test("A change of a level differs without a category; the reload after it shows its effect") func level() {
        var sync = synced()
        _ = sync.receive(.submitted(mailRequired))
        #expect(sync.takeDifference() == [])
        sendAll(&sync)
        sync.finishLoad(sync.beginLoad(), Self.contents(Self.offers(false), required: true), now: .zero)
        #expect(sync.takeDifference() == [Self.offers(false)])
        _ = sync.receive(.confirmed([1]))
        #expect(sync.takeDifference() == nil && sync.shown?.levels.first?.isOnlyRequired == true)
    }

    @Test(
        "Without a reload, the answer to a change of a level, or the change itself, is what the service said",
        arguments: [.level(.init(channel: "email", isOnlyRequired: true)), .accepted] as [PreferenceAnswer]
    )
    func withoutReload(answer: PreferenceAnswer) {
        var sync = synced()
        _ = sync.receive(.submitted(mailRequired))
        sendAll(&sync)
        _ = sync.receive(.confirmed([1]), answer: answer)
        #expect(sync.reported == Self.contents(Self.offers(true), required: true))
    }

    @Test("The answer to an earlier load does not overwrite a confirmed change or a later load") func earlierLoad() {
        var sync = synced()
        _ = sync.receive(.submitted(offersOff))
        sendAll(&sync)
        let early = sync.beginLoad()
        _ = sync.receive(.confirmed([1]), answer: .category(Self.offers(false)))
        var other = Self.contents(Self.offers(true))
        other.categories[1].name = "Laws"
        sync.finishLoad(early, other, now: .zero)
        #expect(sync.shown?.categories.map(\.isOn) == [false, true], "the confirmed change stays")
        #expect(sync.shown?.categories.last?.name == "Laws")

        let (first, second) = (sync.beginLoad(), sync.beginLoad())
        sync.finishLoad(second, Self.contents(Self.offers(true, mail: true)), now: .zero)
        sync.finishLoad(first, Self.loaded, now: .zero)
        #expect(sync.shown == Self.contents(Self.offers(true, mail: true)))
    }

    @Test("A pending change stays on top of a reload, and of the answer to another change") func onTop() {
        var sync = synced()
        _ = sync.receive(.submitted(mailOn))
        _ = sync.receive(.submitted(mailRequired))
        sync.finishLoad(sync.beginLoad(), Self.contents(Self.offers(false)), now: .zero)
        #expect(sync.shown == Self.contents(Self.offers(true, mail: true), required: true))
        sendAll(&sync)
        _ = sync.receive(.confirmed([1]), answer: .category(Self.offers(true, mail: true)))
        #expect(sync.shown == Self.contents(Self.offers(true, mail: true), required: true))
    }

    @Test("A category that is new, gone or at another place differs") func categories() {
        var sync = synced()
        func differ(_ categories: [Category]) -> [Category]? {
            let contents = PreferencesContents(categories: categories, levels: Self.loaded.levels)
            sync.finishLoad(sync.beginLoad(), contents, now: .zero)
            return sync.takeDifference()
        }
        #expect(differ([Self.law, Self.offers(true)]) == [])
        #expect(differ([Self.law]) == [])
        #expect(differ([Self.law, Self.offers(true)]) == [Self.offers(true)])
        #expect(differ([Self.law, Self.offers(true)]) == nil)
    }
}
