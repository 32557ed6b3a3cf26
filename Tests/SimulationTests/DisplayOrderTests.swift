import Basics
import Inbox
import Testing

@Suite struct DisplayOrderTests {
    private static func notification(
        _ id: NotificationID,
        at time: Timestamp,
        isPinned: Bool = false,
        isRead: Bool = false,
        isArchived: Bool = false
    ) -> Notification {
        Notification(
            id: id,
            created: time,
            read: isRead ? 1 : nil,
            isArchived: isArchived,
            isPinned: isPinned
        )
    }

    @Test("A pinned notification stays on top until it is read or archived, then it has the place of its time")
    func pinned() {
        let list = [
            Self.notification("unread", at: 1, isPinned: true),
            Self.notification("read", at: 25, isPinned: true, isRead: true),
            Self.notification("archived", at: 20, isPinned: true, isArchived: true),
            Self.notification("oldest", at: 2, isPinned: true, isRead: true),
            Self.notification("d", at: 30), Self.notification("c", at: 20), Self.notification("b", at: 10),
        ]
        let order = list.inDisplayOrder.map(\.id.rawValue)
        #expect(order == ["unread", "d", "read", "c", "archived", "b", "oldest"])
        #expect(Array(list.dropFirst(4)).inDisplayOrder == Array(list.dropFirst(4)))
        #expect([Notification]().inDisplayOrder.isEmpty)
    }
}
