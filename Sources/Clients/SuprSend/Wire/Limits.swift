import Basics

/// The limits of values from the service. Memory for ids is thereby bounded by a count times ``id``.
package enum Limits {
    // MARK: Sizes in UTF-8 bytes

    /// An id. A row or an event with a longer one is ignored.
    package static let id = 256
    /// A name from the service: category, channel, tenant, importance, schema, button. Longer ones are cut.
    package static let name = 256
    /// A tag. A longer one is ignored: a part of it could be another tag.
    package static let tag = 256
    /// Longer titles are cut.
    package static let title = 1 << 10
    /// Longer texts are cut.
    package static let text = 16 << 10
    /// Longer lines below the text are cut.
    package static let subtext = 1 << 10
    /// The description of a category or of its section. Longer ones are cut.
    package static let description = 1 << 10
    /// The value of a property or of one of its choices, as JSON. A larger one is ignored.
    package static let propertyValue = 4 << 10
    /// A URL. A longer one is ignored, together with the picture or the button that needs it.
    package static let url = 8 << 10
    /// The sender's own data. Longer data is ignored: a part of it is not JSON.
    package static let extraData = 64 << 10

    // MARK: Counts

    /// Tags of a row.
    package static let tags = 64
    /// Buttons of a row.
    package static let actions = 8
    /// Rows of a page; no request asks for more.
    package static let rows = 100
    /// Categories of the preferences in all sections together, and sections.
    package static let categories = 1_000
    /// Channels of a category, and of all categories.
    package static let channels = 100
    /// Properties of a category.
    package static let properties = 100
    /// Choices of a property.
    package static let choices = 100
    /// Days of a month in a digest schedule.
    package static let monthDays = 100
    /// Ids in events about several rows that are kept while older responses are in flight.
    package static let changedIDs = 1_024
    /// Events about several rows that are kept while older responses are in flight.
    package static let changes = 64
    /// Rows that are not shown, and ids of rows that are known to be removed, while responses are in flight.
    package static let hiddenRows = 256
    package static let absentIDs = 4_096

    // MARK: Logs

    /// The logged characters of an id that is too long.
    package static let loggedID = 32

    /// Whether a text can be an id. Of two ids that are equal as texts but have other bytes, at most one can.
    static func isID(_ text: String) -> Bool { !text.isEmpty && text.utf8.count <= id && text.isComposed }
}
