import Basics
import Testing

@testable import MagicBell

/// A moment of 2026.
let base: Timestamp = 1_767_225_600_000

/// A notification, sent `minute` minutes after ``base``.
func notification(
    _ id: String,
    minute: Int64 = 0,
    seen: Bool = false,
    read: Bool = false,
    archived: Bool = false,
    category: String? = nil,
    topic: String? = nil
) -> InboxNotification {
    InboxNotification(
        id: id,
        title: "Notification \(id)",
        category: category,
        topic: topic,
        sent: base.advanced(milliseconds: minute * 60_000),
        seen: seen || read ? base : nil,
        read: read ? base : nil,
        archived: archived ? base : nil
    )
}

extension MagicBellError {
    static let refused = MagicBellError(.rejected, "The service refused it.", status: 422)
    static let broken = MagicBellError(.serverFailure, "The service failed.", status: 500)
    static let missing = MagicBellError(.notFound, "The service does not know it.", status: 404)
}

/// The counts of a store, in the order total, unread, unseen.
func counts(_ contents: StoreContents) -> [Int] { [contents.totalCount, contents.unreadCount, contents.unseenCount] }

/// Compares the result of a mutating call, which `#expect` cannot contain.
func check<Value: Equatable>(_ value: Value, _ expected: Value, location: SourceLocation = #_sourceLocation) {
    #expect(value == expected, sourceLocation: location)
}
