import ServiceModels
import Testing

@testable import SuprSend

@Suite("Membership in a store") struct MembershipTests {
    private typealias Query = NotificationStore.Query

    @Test(
        "A row belongs to a store when every condition holds",
        arguments: [
            (Query(), "ra:x", false), (Query(), "r:x", true), (Query(), ":", true),
            (Query(archived: true), "a:x", true), (Query(archived: true), ":x", false),
            (Query(archived: false), "a:x", false), (Query(archived: false), "r:x", true),
            (Query(read: true), ":x", false), (Query(read: true), "r:x", true), (Query(read: false), "r:x", false),
            (Query(read: false), ":x", true), (Query(read: false), "s:x", true),
            (Query(tags: ["x"]), ":", false), (Query(tags: ["x"]), ":x", true), (Query(tags: ["x"]), ":y", false),
            (Query(tags: ["x", "y"]), ":y", true), (Query(tags: ["x"]), ":yx", true), (Query(tags: ["X"]), ":x", false),
            (Query(tags: ["x"]), "a:x", false), (Query(read: false, tags: ["x"]), "r:x", false),
            (Query(categories: ["system"]), ":x", true), (Query(categories: ["promo"]), ":x", false),
            (Query(categories: ["promo", "system"]), ":x", true),
            (Query(tags: ["x"], categories: ["promo"]), ":x", false),
            (Query(tags: ["y"], categories: ["system"]), ":x", false),
            (Query(read: true, archived: true, tags: ["x"], categories: ["system"]), "ra:x", true),
        ] as [(NotificationStore.Query, String, Bool)]
    )
    func membership(query: NotificationStore.Query, look: String, belongs: Bool) {
        let parts = look.split(separator: ":", omittingEmptySubsequences: false)
        let row = row(
            "a",
            tags: parts[1].map { String($0) },
            archived: parts[0].contains("a"),
            seen: parts[0].contains("s") ? base : nil,
            read: parts[0].contains("r") ? base : nil
        )
        #expect(query.matches(row) == belongs)
        #expect(SuprSendRules.belongs(row, to: query) == belongs)
    }

    @Test("A store with tags lists, counts and announces notifications that have one of them")
    func tagsInAFeed() {
        let stores = [
            NotificationStore(id: "Ops", query: .init(tags: ["ops", "web"])),
            NotificationStore(id: "Web", query: .init(tags: ["web"])),
        ]
        var driver = StateDriver(stores)
        driver.load([])
        _ = driver.takeEffects()
        driver.news(row("1", tags: ["other", "ops"]))
        driver.news(row("2", tags: ["web"]))
        driver.news(row("3", tags: ["other"]))
        #expect(driver.takeEffects().announced == ["1", "2"])
        #expect(driver.ids == ["2", "1"])
        #expect(driver.meta.stores == ["Ops": 2, "Web": 1])
        // It loses the tag.
        driver.update(row("1", tags: ["other"]))
        #expect(driver.ids == ["2"])
    }
}
