import Basics

/// The limits of values from the service. Memory is thereby bounded by a number of notifications.
package enum Limits {
    // MARK: Sizes in UTF-8 bytes

    /// An id. A notification or an event with a longer one is ignored.
    package static let id = 255
    /// A category, a topic, a channel. Longer ones are ignored: a part of one could be another one.
    package static let slug = 255
    /// A label or a name of a person. Longer ones are cut.
    package static let name = 256
    /// Longer titles are cut.
    package static let title = 1 << 10
    /// Longer contents are cut.
    package static let content = 64 << 10
    /// A URL. A longer one is ignored.
    package static let url = 8 << 10
    /// The sender's own data as JSON. Larger data is ignored: a part of it is not JSON.
    package static let customAttributes = 64 << 10
    /// A token of the service or of Ably. A longer one is ignored.
    package static let token = 16 << 10
    /// The response to a request for a list, which may have large contents that are cut afterwards.
    package static let listBody = 16 << 20

    // MARK: Counts

    /// Notifications of a page; no request asks for more.
    package static let page = 100
    /// Categories of the preferences, and channels of a category.
    package static let categories = 1_000
    package static let channels = 100
    /// Topics that a user subscribed to.
    package static let subscriptions = 10_000
    /// Error codes of a refusal.
    package static let codes = 5

    /// Whether a text can be an id, and one segment of a path: a URL loses "." and ".." (RFC 3986 §5.2.4). Of two ids
    /// that are equal as texts but have other bytes, at most one can.
    package static func isID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= id && text != "." && text != ".." && text.isComposed
    }
}
