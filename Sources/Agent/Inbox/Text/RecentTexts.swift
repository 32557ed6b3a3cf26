import Basics
import Synchronization

/// The texts that were parsed last, and their results: a new notification is published on the bus and then shown, so
/// each of its texts is needed twice within a millisecond, by parts that do not know each other.
///
/// Parsing has no other input than the text, so it makes no difference to a caller whether a text is in here.
final class RecentTexts: Sendable {
    static let shared = RecentTexts()

    private struct Entry {
        let markup: String
        let text: RichText
    }

    /// A notification has two texts with markup; two accounts may receive one at the same time.
    private static let count = 4
    /// A longer text is not kept, in UTF-8 bytes.
    private static let longest = 4_096

    /// The oldest first.
    private let entries = Mutex<[Entry]>([])

    func text(of markup: String, parse: (String) -> RichText) -> RichText {
        if markup.isEmpty { return RichText() }
        if let known = entries.withLock({ entries in entries.last { $0.markup.hasSameBytes(as: markup) }?.text }) {
            return known
        }
        let text = parse(markup)
        guard markup.utf8.count <= Self.longest else { return text }
        entries.withLock { entries in
            if entries.count == Self.count { entries.removeFirst() }
            entries.append(Entry(markup: markup, text: text))
        }
        return text
    }
}
