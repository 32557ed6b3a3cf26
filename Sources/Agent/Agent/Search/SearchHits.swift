import AgentInterface
import DBus
import VisibleText

/// A notification that the desktop's search has found.
struct SearchHit: Equatable, Sendable {
    /// The name of its account.
    let account: String
    let id: String
    let title: String
    /// The beginning of its text, on one line.
    let text: String
    /// Milliseconds since the Unix epoch.
    let created: Int64

    /// In columns.
    private static let (titleLimit, textLimit) = (100, 200)

    init(_ record: NotificationRecord, of account: String) {
        self.account = account
        id = record.id
        title = record.title.onOneLine.cut(toColumns: Self.titleLimit)
        text = record.body.onOneLine.cut(toColumns: Self.textLimit)
        created = record.created
    }

    /// Identifies it among all accounts.
    var key: String { "\(account)\n\(id)" }

    /// The first line that can be shown, and what may follow it.
    private var lines: (first: String, second: String) { title.isEmpty ? (text, "") : (title, text) }

    /// As GNOME Shell shows it.
    var meta: [String: Value] {
        [
            "id": .string(key), "name": .string(lines.first), "description": .string(lines.second),
            "gicon": .string(AgentNames.applicationName.text),
        ]
    }

    /// As Plasma shows it.
    ///
    /// - Parameter relevance: From 0 to 1; a greater one comes first.
    func match(relevance: Double) -> PlasmaRunner.Match {
        // Of the types of KRunner: it matches possibly.
        let possible: Int32 = 30
        let properties: [String: Value] = ["subtext": .string(lines.second), "category": .string("Feedbell")]
        return Structure(key, lines.first, AgentNames.applicationName.text, possible, relevance, properties)
    }
}

/// The notifications that the latest searches have found: a desktop asks for their texts in later calls.
struct SearchHits: Equatable, Sendable {
    /// Of one search: desktops show a handful.
    static let limit = 10
    private static let capacity = 20 * limit

    private var hits: [SearchHit] = []
    /// The activation token that Plasma has given for the hit that is shown next.
    var token: String?

    /// Remembers the newest of these, and returns them.
    mutating func add(_ found: [SearchHit]) -> [SearchHit] {
        let newest = Array(found.sorted { $0.created > $1.created }.prefix(Self.limit))
        let keys = Set(newest.map(\.key))
        hits.removeAll { keys.contains($0.key) }
        hits += newest
        hits.removeFirst(max(0, hits.count - Self.capacity))
        return newest
    }

    subscript(key: String) -> SearchHit? { hits.last { $0.key == key } }

    /// Whether words are worth a search: a single letter finds too much, but is a word in Chinese and Japanese.
    static func isSearchable(_ words: String) -> Bool {
        words.count > 1 || words.unicodeScalars.contains { $0.value >= 0x2E80 }
    }
}
