import VisibleText

/// Filters texts from the network before they are displayed.
enum TextScalars {
    /// The maximum number of scalars of a text; no popup shows more.
    static let limit = 16_384

    /// The visible scalars of `text` (``VisibleText``), at most `limit`: line ends become `\n`, other
    /// white space controls become a space.
    static func shown(_ text: String) -> [Unicode.Scalar] {
        let end = text.unicodeScalars.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex) ?? text.endIndex
        let shown = Array(VisibleText.lines(String(text[..<end])).unicodeScalars)
        return end < text.endIndex ? shown + ["…"] : shown
    }
}
