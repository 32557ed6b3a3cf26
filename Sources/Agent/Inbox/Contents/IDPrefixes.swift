/// Ids of notifications and beginnings of ids, each once.
package struct IDPrefixes: Equatable, Sendable, ExpressibleByArrayLiteral {
    /// Sorted by their bytes.
    package let texts: [String]
    /// The prefixes that do not begin with another one, sorted: only the last one before an id can be its beginning.
    private let shortest: [String]

    package init(_ texts: some Sequence<String>) {
        self.texts = Set(texts).sorted(by: Self.precedes)
        shortest = self.texts.reduce(into: []) { shortest, text in
            if let last = shortest.last, text.utf8.starts(with: last.utf8) { return }
            shortest.append(text)
        }
    }

    package init(arrayLiteral texts: String...) { self.init(texts) }

    /// Whether an id is one of these, or begins with one of them. The cost hardly depends on their number.
    package func contain(_ id: NotificationID) -> Bool {
        var (low, high) = (0, shortest.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(id.rawValue, shortest[middle]) { high = middle } else { low = middle + 1 }
        }
        return low > 0 && id.rawValue.utf8.starts(with: shortest[low - 1].utf8)
    }

    private static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }
}
