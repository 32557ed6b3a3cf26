/// Reads the markup of the agent's interface.
struct MarkupReader {
    enum Token {
        case text(String)
        case start(String, href: String?)
        case end(String)
        case error
    }

    private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "#39": "'"]
    private static let hrefStart = "a href=\""

    private var rest: Substring.UnicodeScalarView
    /// The number of scalars and of elements that are still read.
    private var left: (scalars: Int, elements: Int)
    /// Whether the text goes on beyond the limit.
    private(set) var isCut = false

    /// - Parameter limit: The number of scalars of text that are read, as well as that of elements.
    init(_ markup: String, limit: Int) {
        rest = Substring(markup).unicodeScalars
        left = (limit, limit)
    }

    /// nil: at the end, or at the limit. After an error there may be further tokens.
    mutating func next() -> Token? {
        guard let first = rest.first else { return nil }
        isCut = first == "<" ? left.elements == 0 : left.scalars == 0
        if isCut { return nil }
        guard first == "<" else { return text() }
        left.elements -= 1
        guard let end = rest.firstIndex(of: ">") else {
            rest.removeAll()
            return .error
        }
        let tag = String(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
        if tag.hasPrefix("/") { return .end(String(tag.dropFirst())) }
        guard tag.hasPrefix(Self.hrefStart) else { return .start(tag, href: nil) }
        let value = tag.dropFirst(Self.hrefStart.count)
        guard value.last == "\"", !value.dropLast().contains("\""), !value.contains("<") else { return .error }
        return Self.decoded(value.dropLast().unicodeScalars).map { .start("a", href: $0) } ?? .error
    }

    /// The text up to the next element, or to the limit.
    private mutating func text() -> Token {
        var text = String.UnicodeScalarView()
        while left.scalars > 0, let scalar = rest.first, scalar != "<" {
            rest.removeFirst()
            left.scalars -= 1
            guard scalar == "&" else {
                text.append(scalar)
                continue
            }
            guard let entity = Self.readEntity(from: &rest) else { return .error }
            text.append(contentsOf: entity.unicodeScalars)
        }
        return .text(String(text))
    }

    /// Reads the rest of an entity, after `&`; nil: there is no such entity.
    private static func readEntity(from rest: inout Substring.UnicodeScalarView) -> String? {
        let name = rest.prefix(longestEntity + 1).prefix { $0 != ";" }
        guard name.endIndex < rest.endIndex, rest[name.endIndex] == ";", let entity = entities[String(name)] else {
            return nil
        }
        rest = rest[rest.index(after: name.endIndex)...]
        return entity
    }

    private static let longestEntity = 4

    /// nil: it has an unknown entity.
    private static func decoded(_ text: Substring.UnicodeScalarView) -> String? {
        var (decoded, rest) = (String.UnicodeScalarView(), text)
        while let mark = rest.firstIndex(of: "&") {
            decoded.append(contentsOf: rest[..<mark])
            rest = rest[rest.index(after: mark)...]
            guard let entity = readEntity(from: &rest) else { return nil }
            decoded.append(contentsOf: entity.unicodeScalars)
        }
        decoded.append(contentsOf: rest)
        return String(decoded)
    }
}
