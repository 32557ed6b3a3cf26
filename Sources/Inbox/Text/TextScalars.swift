import VisibleText

/// What may stand in a text that comes from the network and is shown to a user.
enum TextScalars {
    /// At most so many scalars of a text are read; no popup shows as much.
    static let limit = 16_384

    /// The scalars of `text` that may be shown (``VisibleText``), `limit` at the most: line ends become `\n`, other white
    /// space controls a space.
    static func shown(_ text: String) -> [Unicode.Scalar] {
        let end = text.unicodeScalars.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex) ?? text.endIndex
        let shown = Array(VisibleText.lines(String(text[..<end])).unicodeScalars)
        return end < text.endIndex ? shown + ["…"] : shown
    }
}
