extension String {
    /// The text, cut at a character boundary to at most this many UTF-8 bytes. A first character that is longer than
    /// the limit is cut at a scalar boundary.
    package func cut(to bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: bytes)
        while UTF8.isContinuation(utf8[end]) { utf8.formIndex(before: &end) }
        var text = String(self[..<end])
        let isWhole = Index(end, within: self) != nil
        if !isWhole, let last = text.indices.last, last > text.startIndex { text.remove(at: last) }
        return text
    }

    /// The text, unless it has more than this many UTF-8 bytes.
    package func unlessLonger(than bytes: Int) -> String? { utf8.count > bytes ? nil : self }
}
