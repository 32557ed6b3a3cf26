extension String {
    /// This text with everything outside the unreserved set (RFC 3986 §2.3) as `%XX`, for one path segment or one query
    /// value.
    ///
    /// "/" and "+" included: a server may decode a raw "+" in a query as a space, and an id may contain either.
    package var percentEncoded: String { percentEncoded(keeping: "-._~") }

    /// This text with every byte as `%XX` that is neither an ASCII letter, nor a digit, nor in `kept`.
    package func percentEncoded(keeping kept: StaticString) -> String {
        let kept = "\(kept)".utf8
        let hex = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        for byte in utf8 {
            if byte.isAlphanumeric || kept.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 0xF)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
