/// The size of the window, which it has again when it is opened next.
package struct WindowSize: Equatable, Sendable {
    package var width: Int
    package var height: Int
    package var isMaximized: Bool

    /// A damaged file makes no window that is larger than any screen.
    private static let limit = 1...20_000

    package init(width: Int, height: Int, isMaximized: Bool) {
        self.width = width
        self.height = height
        self.isMaximized = isMaximized
    }

    /// nil: it is not what ``text`` was.
    package init?(text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard (2...3).contains(words.count), let width = Int(words[0]), let height = Int(words[1]),
            Self.limit.contains(width), Self.limit.contains(height), words.count < 3 || words[2] == Self.maximized
        else { return nil }
        self.init(width: width, height: height, isMaximized: words.count == 3)
    }

    private static let maximized = "maximized"

    /// For a file: width and height.
    package var text: String { "\(width) \(height)\(isMaximized ? " " + Self.maximized : "")\n" }
}
