import VisibleText

/// Filters texts from the network before they are displayed.
enum TextScalars {
    /// The maximum number of scalars of a text; no popup shows more.
    static let limit = 16_384

    /// Whether the end of a text is missing: ``shown(_:)`` cuts it, or it was cut at as many bytes when it was kept.
    static func isCut(_ text: String) -> Bool { text.utf8.count > limit - 4 }

    /// The visible scalars of `text` (``VisibleText``), at most `limit`: line ends become `\n`, other
    /// white space controls become a space.
    static func shown(_ text: String) -> [Unicode.Scalar] {
        if text.utf8.count <= limit, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A }) {
            return text.utf8.map { Unicode.Scalar($0) }
        }
        let end = text.unicodeScalars.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex) ?? text.endIndex
        let shown = Array(VisibleText.lines(String(text[..<end])).unicodeScalars)
        return end < text.endIndex ? shown + ["…"] : shown
    }
}

extension String {
    /// The text of these scalars. Appending one by one takes many times as long.
    init(scalars: some Collection<Unicode.Scalar>) {
        self.init(unsafeUninitializedCapacity: 4 * scalars.count) { buffer in
            var count = 0
            for scalar in scalars {
                if scalar.isASCII {
                    buffer[count] = UInt8(truncatingIfNeeded: scalar.value)
                    count += 1
                    continue
                }
                for byte in UTF8.encode(scalar)! {
                    buffer[count] = byte
                    count += 1
                }
            }
            return count
        }
    }
}

extension Unicode.Scalar {
    /// The property White_Space, without a table for ASCII.
    var isSpace: Bool { isASCII ? value == 0x20 || (0x09...0x0D).contains(value) : properties.isWhitespace }

    /// Whether the scalar is a letter or a digit, of any script.
    var isWordScalar: Bool {
        guard isASCII else { return properties.isAlphabetic || properties.numericType != nil }
        return (0x30...0x39).contains(value) || (0x61...0x7A).contains(value | 0x20)
    }
}
