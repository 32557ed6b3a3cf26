/// How much of one thing is taken from the service. What is kept for each id is thereby bounded by a count times ``id``.
package enum Limits {
    // MARK: Sizes in UTF-8 bytes

    /// An id. A row or an event with a longer one is left out.
    package static let id = 256
    /// A name that the service gives: category, tenant, importance, schema, button. Longer ones are cut.
    package static let name = 256
    /// A tag. A longer one is left out: a part of it could be another tag.
    package static let tag = 256
    /// Longer titles are cut.
    package static let title = 1 << 10
    /// Longer texts are cut.
    package static let text = 16 << 10
    /// Longer lines below the text are cut.
    package static let subtext = 1 << 10
    /// An address. A longer one is left out, together with the picture or the button that is nothing without it.
    package static let url = 8 << 10
    /// The sender's own data. More is left out: a part of it is no JSON.
    package static let extraData = 64 << 10

    // MARK: Counts

    /// Tags of a row.
    package static let tags = 64
    /// Buttons of a row.
    package static let actions = 8
    /// Rows of a page: nothing asks for more.
    package static let rows = 100
    /// Ids in events about many rows that are remembered while older answers are under way.
    package static let changedIDs = 1_024
    /// Such events.
    package static let changes = 64
    /// Rows that are not shown, and ids of rows that are known to be gone, while answers are under way.
    package static let hiddenRows = 256
    package static let absentIDs = 4_096

    // MARK: Logs

    /// So many characters of an id that is too long are logged.
    package static let loggedID = 32
}
