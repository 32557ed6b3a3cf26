import Basics

/// A URL of the form that services have: `https://host:port/path?query` of allowed characters only, without user and
/// fragment. It is split without `URLComponents`, which takes twenty times as long for each request.
struct PlainURL {
    let host: String
    let port: Int
    let isSecure: Bool
    let target: String

    /// nil for any other form, also for a valid one.
    init?(_ url: String) {
        let bytes = Array(url.utf8)
        let schemes = [("https://", true), ("http://", false), ("wss://", true), ("ws://", false)]
        guard let (scheme, isSecure) = schemes.first(where: { bytes.starts(with: $0.0.utf8) }) else { return nil }
        let length = scheme.utf8.count
        self.isSecure = isSecure
        let endOfAuthority = bytes[length...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        let authority = bytes[length..<(endOfAuthority ?? bytes.endIndex)]
        let name = authority.prefix { $0 != UInt8(ascii: ":") }
        guard !name.isEmpty, name.count <= 255, name.allSatisfy(Self.isHostByte) else { return nil }
        host = String(decoding: name, as: UTF8.self)
        let digits = authority.dropFirst(name.count + 1)
        if authority.count == name.count {
            port = isSecure ? 443 : 80
        } else {
            guard digits.count <= 5, digits.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(String(decoding: digits, as: UTF8.self)), (1...65535).contains(number)
            else { return nil }
            port = number
        }
        let rest = bytes[authority.endIndex...]
        guard Self.isAllowed(rest) else { return nil }
        let text = String(decoding: rest, as: UTF8.self)
        target = rest.first == UInt8(ascii: "/") ? text : "/" + text
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// RFC 3986 §3.3 and §3.4: the characters of paths and queries, and complete escapes.
    private static func isAllowed(_ bytes: ArraySlice<UInt8>) -> Bool {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch Unicode.Scalar(bytes[index]) {
            case "%":
                guard index + 2 < bytes.endIndex, bytes[index + 1].hexDigitValue != nil,
                    bytes[index + 2].hexDigitValue != nil
                else { return false }
            case "-", ".", "_", "~", "/", "?", "&", "=", ":", "@", "!", "$", "'", "(", ")", "*", "+", ",", ";": break
            default: guard bytes[index].isAlphanumeric else { return false }
            }
            index += 1
        }
        return true
    }
}
