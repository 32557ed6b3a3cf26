/// The character references of HTML that occur in notification texts.
enum HTMLEntities {
    /// The maximum length of a reference, from `&` to `;`.
    static let longest = 12

    /// Decodes the reference at `start` (an `&`). Returns its scalar and the position after its `;`, or `nil` if there
    /// is none.
    static func decode(_ text: inout TextScanner, at start: Int) -> (scalar: Unicode.Scalar, end: Int)? {
        let semicolon = text.end(from: start + 1, before: start + longest) { $0 != ";" }
        guard semicolon > start + 1, semicolon < start + longest, text.scalar(at: semicolon) == ";" else { return nil }
        var name = ""
        name.unicodeScalars.append(contentsOf: text.slice((start + 1)..<semicolon))
        guard let scalar = scalar(named: name) else { return nil }
        return (scalar, semicolon + 1)
    }

    private static func scalar(named name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return named[name] }
        let digits = name.dropFirst()
        let value =
            digits.first == "x" || digits.first == "X"
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
        guard let value, let scalar = Unicode.Scalar(value) else { return nil }
        return scalar == "\u{A0}" ? " " : scalar
    }

    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ensp": " ", "emsp": " ",
        "thinsp": " ", "ndash": "–", "mdash": "—", "hellip": "…", "bull": "•", "middot": "·", "laquo": "«",
        "raquo": "»",
        "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "copy": "©", "reg": "®",
        "trade": "™", "deg": "°", "euro": "€", "pound": "£", "yen": "¥", "cent": "¢", "sect": "§", "para": "¶",
        "times": "×", "divide": "÷", "plusmn": "±", "frac12": "½", "larr": "←", "rarr": "→", "uarr": "↑", "darr": "↓",
        "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é",
        "egrave": "è", "agrave": "à", "ccedil": "ç", "ntilde": "ñ", "check": "✓", "hearts": "♥",
    ]
}
