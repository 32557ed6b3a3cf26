extension String {
    /// This text with everything outside the unreserved set (RFC 3986 §2.3) as `%XX`, for one path segment or one query
    /// value.
    ///
    /// "/" and "+" included: the service decodes a raw "+" in a query as a space, and an id may contain either.
    package var percentEncoded: String {
        let hex = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        for byte in utf8 {
            switch byte {
            case _ where byte.isAlphanumeric, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 0xF)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
