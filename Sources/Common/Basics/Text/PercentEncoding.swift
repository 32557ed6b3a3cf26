extension String {
    /// This text with everything outside the unreserved set (RFC 3986 §2.3) as `%XX`, for one path segment or one query
    /// value.
    ///
    /// "/" and "+" included: a server may decode a raw "+" in a query as a space, and an id may contain either.
    package var percentEncoded: String {
        // As most ids and names are.
        if utf8.allSatisfy({ $0.isAlphanumeric || $0 == UInt8(ascii: "-") }) { return self }
        return percentEncoded(keeping: "-._~")
    }

    /// This text with every byte as `%XX` that is neither an ASCII letter, nor a digit, nor in `kept`.
    package func percentEncoded(keeping kept: StaticString) -> String {
        let kept = "\(kept)".utf8
        return hexEscaped("%", isUppercase: true) { byte, _ in byte.isAlphanumeric || kept.contains(byte) }
    }
}

extension StringProtocol {
    /// This text with each `%XX` decoded; nil: an escape is malformed, or the result is not UTF-8.
    package var percentDecoded: String? { hexUnescaped("%") }
}
