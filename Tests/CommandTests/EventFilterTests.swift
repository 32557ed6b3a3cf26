import AgentInterface
import Testing

@testable import feedbell

/// Which events `feedbell follow` prints, and how `--format` prints them.
@Suite struct EventFilterTests {
    private func event(_ name: String, category: String = "", tags: [String] = [], title: String = "")
        -> FollowedEvent
    {
        var notification = NotificationRecord()
        (notification.id, notification.title, notification.created) = ("n1", title, 5)
        (notification.category, notification.tags) = (category, tags)
        return FollowedEvent(["event": .string(name), "account": .string("work")], about: notification)
    }

    private let counts: FollowedEvent = ["event": .string("counts"), "unread": .number(3), "badge": .null]

    @Test("Without options, every event passes") func all() {
        #expect(EventFilter().includes(counts))
        #expect(EventFilter().includes(event("notification-arrived")))
    }

    @Test("A name chooses its events") func names() {
        let filter = EventFilter(names: ["counts", "ready"])
        #expect(filter.includes(counts))
        #expect(!filter.includes(event("notification-arrived")))
    }

    @Test("A category or a tag chooses notifications; several of one option choose any of them, both options both")
    func categoriesAndTags() {
        let filter = EventFilter(categories: ["builds", "orders"], tags: ["urgent"])
        #expect(filter.includes(event("notification-arrived", category: "builds", tags: ["a", "urgent"])))
        #expect(filter.includes(event("notification-changed", category: "orders", tags: ["urgent"])))
        #expect(!filter.includes(event("notification-arrived", category: "builds")))
        #expect(!filter.includes(event("notification-arrived", category: "promo", tags: ["urgent"])))
        #expect(!filter.includes(counts))
    }

    @Test(
        "A template is filled with members of the event and of the notification",
        arguments: [
            ("{title}: {category}", "Red [31m: builds"),
            ("{event}\\t{account}\\t{id}", "notification-arrived\twork\tn1"),
            ("{created} {tags}", "5 a,b"), ("\\{title} {pinned}{url}.", "{title} ."), ("none", "none"),
        ]
    ) func templates(text: String, line: String) throws {
        let event = event("notification-arrived", category: "builds", tags: ["a", "b"], title: "Red\n\u{1B}[31m")
        #expect(try EventTemplate(text).line(for: event) == line)
    }

    @Test("A number is printed as it is, an unknown one as nothing") func numbers() throws {
        #expect(try EventTemplate("{unread}/{badge}").line(for: counts) == "3/")
    }

    @Test("An unknown name and an open brace are rejected in a sentence") func invalid() {
        #expect(throws: Failure.self) { try EventTemplate("{title") }
        do {
            _ = try EventTemplate("{titel}")
            Issue.record("accepted")
        } catch {
            #expect(error.sentence == "Events and notifications have no \"titel\". Did you mean \"title\"?")
            #expect(error.code == .usage)
        }
    }

    @Test("Every member that the agent's events have can be used in a template") func memberNames() throws {
        for name in FollowedEvent.memberNames + ["title", "subtext-url"] {
            #expect(throws: Never.self) { try EventTemplate("{\(name)}") }
        }
    }
}
