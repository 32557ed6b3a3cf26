import ClientKit

/// A list of texts as JSON, which SQLite's `json_each` reads.
///
/// `json_each` ends a text at U+0000, so that is written as two other control characters.
enum JSONList {
    private static let escapes = [("\u{1A}", "\u{1A}\u{1C}"), ("\0", "\u{1A}\u{1B}")]

    static func text(_ texts: [String]) -> String {
        texts.isEmpty ? "[]" : JSONValue.array(texts.map { .string(escaped($0)) }).text
    }

    static func texts(_ list: String) -> [String] {
        guard list != "[]", case .array(let values)? = try? JSONValue(parsing: Array(list.utf8)) else { return [] }
        return values.compactMap { $0.string.map(unescaped) }
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0 || $0 == 0x1A }) else { return text }
        return escapes.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(0x1A) else { return text }
        return escapes.reversed().reduce(text) { $0.replacing($1.1, with: $1.0) }
    }
}
