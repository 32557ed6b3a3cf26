/// A list of texts in one text: of each its length in UTF-8 bytes, a colon and the text itself, as in `1:a5:büch`.
struct TextList {
    private(set) var utf8: [UInt8] = []

    /// An empty list.
    /// - Parameter capacity: The number of bytes for which it has memory at once.
    init(capacity: Int = 0) { utf8.reserveCapacity(capacity) }

    /// The list as one text.
    var text: String { String(decoding: utf8, as: UTF8.self) }

    /// Adds a text, with something before it.
    mutating func append(_ text: String, after prefix: StaticString = "") {
        var text = text
        text.withUTF8 { bytes in
            append(length: prefix.utf8CodeUnitCount + bytes.count)
            prefix.withUTF8Buffer { utf8.append(contentsOf: $0) }
            utf8.append(contentsOf: bytes)
        }
    }

    /// Adds a number as a text, with something before it.
    mutating func append(_ number: Int64, after prefix: StaticString = "") {
        append(String(number), after: prefix)
    }

    /// Adds a list as one text.
    mutating func append(_ list: TextList) {
        append(length: list.utf8.count)
        utf8 += list.utf8
    }

    private mutating func append(length: Int) {
        append(digitsOf: length)
        utf8.append(UInt8(ascii: ":"))
    }

    private mutating func append(digitsOf number: Int) {
        if number >= 10 { append(digitsOf: number / 10) }
        utf8.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    static func encode(_ texts: [String]) -> String {
        var list = TextList()
        for text in texts { list.append(text) }
        return list.text
    }

    /// The texts up to the first that is not complete.
    static func decode(_ list: String) -> [String] {
        var texts: [String] = []
        var rest = list.utf8[...]
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")), let length = Int(Substring(rest[..<colon])) {
            let content = rest[rest.index(after: colon)...]
            guard length >= 0, length <= content.count else { break }
            let end = content.index(content.startIndex, offsetBy: length)
            texts.append(String(decoding: content[..<end], as: UTF8.self))
            rest = content[end...]
        }
        return texts
    }
}
