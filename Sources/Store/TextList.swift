/// A list of texts in one column: of each its length in UTF-8 bytes, a colon and the text itself, as in `1:a5:büch`.
enum TextList {
    static func encode(_ texts: [String]) -> String {
        var list = ""
        for text in texts {
            list += String(text.utf8.count)
            list += ":"
            list += text
        }
        return list
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
