import Foundation
import MagicBell
import Testing

/// Values that an app creates itself: for the preview of a view, and for its own tests.
@Suite struct PublicInitializerTests {
    @Test("A store's contents can be created without a service") func contents() {
        let sent = Date(timeIntervalSince1970: 1_700_000_000)
        let notification = InboxNotification(
            id: "n1",
            title: "Build failed",
            recipient: .init(email: "anna@example.com"),
            sentAt: sent,
            readAt: sent
        )
        #expect(notification.sentAt == sent && notification.isRead && !notification.isArchived)
        let contents = StoreContents(notifications: [notification], totalCount: 1, hasNextPage: false)
        #expect(contents.first == notification && contents.count == 1)
    }
}
