/// How the window was when it was closed, and is when it is opened next.
package struct SavedWindow: Equatable, Sendable {
    package var width: Int
    package var height: Int
    package var isMaximized: Bool
    /// As ``InboxPage/hasHeadings``.
    package var hasHeadings: Bool

    /// A damaged file makes no window that is larger than any screen.
    private static let limit = 1...20_000
    private static let (maximized, plain) = ("maximized", "without-headings")

    package init(width: Int, height: Int, isMaximized: Bool, hasHeadings: Bool) {
        (self.width, self.height) = (width, height)
        (self.isMaximized, self.hasHeadings) = (isMaximized, hasHeadings)
    }

    /// nil: it is not what ``text`` was.
    package init?(text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count >= 2, let width = Int(words[0]), let height = Int(words[1]),
            Self.limit.contains(width), Self.limit.contains(height),
            words[2...].allSatisfy([Self.maximized, Self.plain].contains)
        else { return nil }
        let (isMaximized, isPlain) = (words.contains(Self.maximized), words.contains(Self.plain))
        self.init(width: width, height: height, isMaximized: isMaximized, hasHeadings: !isPlain)
    }

    /// For a file: width and height, and what else there is.
    package var text: String {
        let words = [isMaximized ? Self.maximized : "", hasHeadings ? "" : Self.plain].filter { !$0.isEmpty }
        return (["\(width)", "\(height)"] + words).joined(separator: " ") + "\n"
    }
}
