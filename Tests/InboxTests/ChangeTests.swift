import Basics
import Inbox
import Testing

/// The user's changes and filters, as values.
@Suite struct ChangeTests {
    private static let service = ServiceRules(interactedIsRead: true, readIsSeen: true, badgeIsUnseen: true)

    /// The notification was created at 5, and the change is made at 9.
    @Test(
        "The service's rules say what else a change marks",
        arguments: [
            (.interacted("1"), ServiceRules(), "i"), (.interacted("1"), service, "irs"), (.read("1"), service, "rs"),
            (.read("1"), ServiceRules(), "r"), (.seen(["1"]), service, "s"), (.allRead, service, "r"),
            (.badgeReset, ServiceRules(), ""), (.badgeReset, service, "s"), (.archive("1"), service, "a"),
            (.delete("1"), service, nil),
        ] as [(Change, ServiceRules, String?)]
    )
    func marks(change: Change, rules: ServiceRules, expected: String?) {
        func marks(at time: Timestamp) -> String? {
            let made = TimestampedChange(change, at: time)
            return made.applied(to: Notification(id: "1", created: 5), by: rules).map { after in
                let times = [("i", after.interacted), ("r", after.read), ("s", after.seen)]
                return times.filter { $0.1 == time }.map(\.0).joined() + (after.isArchived ? "a" : "")
            }
        }
        #expect(marks(at: 9) == expected)
        if change.concernsAll(by: Self.service) { #expect(marks(at: 4) == "", "what came later") }
    }

    @Test("A change of many notifications is divided") func division() {
        #expect(Change.seen(["1", "2", "3"], atOnce: 2) == [.seen(["1", "2"]), .seen(["3"])])
        #expect(Change.seen([], atOnce: 2).isEmpty)
    }

    @Test("A filter narrows a view, or shows that nothing can match")
    func narrowing() {
        let tab = InboxPredicate(read: false, tags: ["x"], categories: ["a", "b"])
        #expect(tab.narrowed(by: NotificationFilter(unread: false)) == nil)
        #expect(tab.narrowed(by: NotificationFilter(archived: true)) == nil)
        #expect(tab.narrowed(by: NotificationFilter(category: "c")) == nil)
        #expect(tab.narrowed(by: NotificationFilter(unread: true, archived: false)) == tab)
        #expect(tab.narrowed(by: NotificationFilter(category: "b"))?.categories == ["b"])
        #expect(tab.narrowed(by: NotificationFilter(tag: "y"))?.tags == ["x"])
        #expect(InboxPredicate.inbox.narrowed(by: NotificationFilter(archived: true, tag: "y"))?.archived == true)
    }
}
