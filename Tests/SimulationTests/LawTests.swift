import TestSupport
import Testing

/// The law of all simulations.
@Suite struct LawTests {
    private static let shown = ShownInbox(["b", "a"], hasMore: true, counts: ["unread": 2])

    @Test("A mirror with the service's rows and counts has no differences") func equal() {
        #expect(Self.shown.differences(from: ["b", "a"], counts: ["unread": 2]) == [])
        #expect(Self.shown.differences(from: ["b", "a", "0"], counts: [:]) == [], "it does not show all of them")
    }

    @Test(
        "Each difference between a mirror and its service is reported",
        arguments: [
            (["b", "a"], true, true, ["a", "b"], 2, "Row 0 is b, not a."),
            (["b", "a"], true, true, ["b"], 2, "Row 1 is a, not none."),
            (["b", "a"], true, true, ["b", "c", "a"], 2, "Row 1 is a, not c."),
            (["b"], false, true, ["b", "a"], 2, "Row 1 is missing: a."),
            (["b"], false, false, ["b"], 2, "The list is incomplete."),
            (["b"], false, true, ["b"], 3, "The count unread is 2, not 3."),
        ] as [([String], Bool, Bool, [String], Int, String)]
    ) func differences(rows: [String], hasMore: Bool, isComplete: Bool, service: [String], unread: Int, found: String) {
        let shown = ShownInbox(rows, hasMore: hasMore, isComplete: isComplete, counts: ["unread": 2])
        #expect(shown.differences(from: service, counts: ["unread": unread]) == [found])
    }

    @Test("Each new notification arrives once, and no old one") func arrivals() {
        var log = ArrivalLog()
        for id in ["a", "b", "b", "c", "c"] { log.add(id) }
        log.allowRepeat(of: ["c"])
        #expect(log.problems(fresh: ["a", "c"], old: []) == ["b arrived 2 times."])
        #expect(log.problems(fresh: ["d"], old: ["a"]) == ["d did not arrive.", "b arrived 2 times.", "a is not new."])
    }
}
