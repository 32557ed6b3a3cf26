package import Inbox

/// A notification for the copy of an inbox, and its words.
package struct CachedNotification: Equatable, Sendable {
    /// In bytes; longer texts are truncated, longer data of the sender is left out.
    private static let (longestText, longestExtra) = (16_384, 65_536)

    package let notification: Notification
    /// The words that a search finds it by.
    private let words: String

    /// - Parameter words: The notification's texts without markup.
    package init(_ notification: Notification, words: String) {
        var limited = notification
        limited.title.truncate(to: Self.longestText)
        limited.body.truncate(to: Self.longestText)
        limited.subtext.truncate(to: Self.longestText)
        limited.url.truncate(to: Self.longestText)
        limited.category.truncate(to: Self.longestText)
        limited.topic.truncate(to: Self.longestText)
        limited.avatar.truncate(to: Self.longestText)
        if limited.extra.utf8.count > Self.longestExtra { limited.extra = "" }
        self.notification = limited
        self.words = words
    }

    /// The text that is searched.
    var text: String {
        var text = words
        text.truncate(to: Self.longestText)
        return CacheSearch.indexed(text).indexedPart
    }

    /// Whether a part of its content is known to the copy only: there, content and text stay as they are.
    var isPart: Bool { notification.extraOnDisk != nil }
}

extension String {
    /// Leaves at most this number of bytes, without a part of a character.
    fileprivate mutating func truncate(to count: Int) {
        guard utf8.count > count else { return }
        var end = utf8.index(startIndex, offsetBy: count)
        while end > startIndex, String.Index(end, within: unicodeScalars) == nil { end = utf8.index(before: end) }
        self = String(self[..<end])
    }
}
