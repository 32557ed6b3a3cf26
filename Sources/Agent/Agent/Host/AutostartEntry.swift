/// The text of a desktop entry in an autostart directory
/// ([Desktop Application Autostart Specification](https://specifications.freedesktop.org/autostart-spec/latest/)).
struct AutostartEntry: Equatable {
    private static let group = "[Desktop Entry]"

    private(set) var text: String

    init(_ text: String) { self.text = text }

    /// Whether sessions do not start the program.
    var isHidden: Bool {
        get { lines[ownLines].contains { Self.isHiddenKey($0) && $0.hasSuffix("true") } }
        set {
            var lines = lines
            var own = lines[ownLines].filter { !Self.isHiddenKey($0) }
            if own.isEmpty { own = [Self.group] }
            if newValue { own.insert("Hidden=true", at: own.index(after: own.startIndex)) }
            lines.replaceSubrange(ownLines, with: own)
            text = lines.joined(separator: "\n")
        }
    }

    private var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// The lines of the entry's own group, with its title.
    private var ownLines: Range<Int> {
        let lines = lines
        guard let first = lines.firstIndex(of: Self.group) else { return 0..<0 }
        let next = lines[(first + 1)...].firstIndex { $0.hasPrefix("[") }
        return first..<(next ?? lines.endIndex)
    }

    private static func isHiddenKey(_ line: String) -> Bool {
        line.prefix { $0 != "=" }.filter { $0 != " " } == "Hidden"
    }
}
