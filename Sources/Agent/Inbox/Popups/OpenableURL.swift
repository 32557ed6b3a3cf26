import Basics

/// A URL from the network that may be passed to the desktop's opener: absolute, with an allowed scheme, one line,
/// ASCII.
package struct OpenableURL: Hashable, Sendable, CustomStringConvertible {
    /// The URL, with all characters outside of RFC 3986 percent-encoded.
    package let text: String
    package var description: String { text }

    /// The maximum length in UTF-8 bytes.
    package static let longest = 8192

    /// `nil` if the URL must not be opened: `file:` starts viewers, `javascript:` is passed to browsers, a leading "-"
    /// would be an option of the opener, `https://bank.example@evil.example/` opens another host than it seems to.
    ///
    /// - Parameter schemes: The allowed schemes, in lower case.
    package init?(_ address: String, schemes: Set<String>) {
        let bytes = Array(String(Self.trimmed(address)).utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes.count <= Self.longest else { return nil }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        let rest = bytes[(colon + 1)...]
        guard schemes.contains(scheme), !rest.isEmpty, !Self.hasControls(rest) else { return nil }
        if scheme == "http" || scheme == "https" {
            guard let authority = Self.authority(rest), !authority.isEmpty, !authority.contains(UInt8(ascii: "@"))
            else {
                return nil
            }
        }
        var encoded = String(decoding: rest, as: UTF8.self)
        if !rest.allSatisfy(Self.isKept) {
            encoded = encoded.hexEscaped("%", isUppercase: true) { byte, _ in Self.isKept(byte) }
        }
        text = scheme + ":" + (scheme == "mailto" ? Self.withoutOtherFields(encoded) : encoded)
    }

    /// Whether a web address names a user before its host.
    static func namesUser(_ address: String) -> Bool {
        let bytes = Array(String(trimmed(address)).utf8)
        guard let scheme = scheme(of: address), scheme == "http" || scheme == "https",
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return false }
        return authority(bytes[(colon + 1)...])?.contains(UInt8(ascii: "@")) ?? false
    }

    /// Validates a saved URL again, for any scheme. Whether the scheme is allowed is checked when the URL is opened.
    package init?(saved text: String) {
        self.init(text, schemes: [text.prefix { $0 != ":" }.lowercased()])
    }

    /// Scheme, host and port of a web address; nil: it has no host.
    package var origin: OpenableURL? {
        let start = text.utf8.firstIndex(of: UInt8(ascii: ":")).map { text.utf8.index(after: $0) }
        guard let start, let authority = Self.authority(Array(text.utf8[start...])[...]) else { return nil }
        return OpenableURL(saved: text[..<start] + "//" + String(decoding: authority, as: UTF8.self))
    }

    /// A reference that begins with "/" or "?", relative to this web address (RFC 3986 §5.2.2).
    func resolving(_ reference: String) -> String {
        let origin = origin?.text ?? ""
        if reference.utf8.first == UInt8(ascii: "/") { return origin + reference }
        let path = text.dropFirst(origin.count).prefix { $0 != "?" && $0 != "#" }
        return origin + (path.isEmpty ? "/" : path) + reference
    }

    /// The host that a web address opens, or the domain that a mail goes to, in lower case; nil: it has none.
    package var host: String? {
        let rest = Array(text.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst())[...]
        guard let authority = Self.authority(rest) else {
            guard text.hasPrefix("mailto:"), let at = rest.firstIndex(of: UInt8(ascii: "@")) else { return nil }
            return String(decoding: rest[(at + 1)...].prefix { !"?,".utf8.contains($0) }, as: UTF8.self).lowercased()
        }
        let host = authority.split(separator: UInt8(ascii: "@")).last ?? []
        let port = host.lastIndex(of: UInt8(ascii: ":")).flatMap { host[$0...].contains(UInt8(ascii: "]")) ? nil : $0 }
        return String(decoding: host[..<(port ?? host.endIndex)], as: UTF8.self).lowercased()
    }

    /// The authority: the text between "//" and the path (RFC 3986 §3.2); nil: there is no "//".
    private static func authority(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard rest.starts(with: "//".utf8) else { return nil }
        return rest.dropFirst(2).prefix { byte in
            switch Unicode.Scalar(byte) {
            case "/", "?", "#": false
            default: true
            }
        }
    }

    /// The scheme of an address, in lower case; nil: it has none.
    package static func scheme(of address: String) -> String? {
        let bytes = trimmed(address).utf8
        guard let end = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
        let isLetter = { (byte: UInt8) in (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        let isValid = scheme.utf8.allSatisfy { isLetter($0) || "0123456789+-.".utf8.contains($0) }
        // A single letter is the drive of a path, such as C:\x.
        guard isValid, scheme.utf8.first.map(isLetter) == true, (2...30).contains(scheme.utf8.count) else { return nil }
        return scheme
    }

    /// The header fields of a mail that a link may set (RFC 6068). Some programs accept dangerous ones such as
    /// `attach`, the name of a local file.
    private static let mailFields: Set<String> = ["to", "cc", "bcc", "subject", "body"]

    private static func withoutOtherFields(_ mail: String) -> String {
        guard let mark = mail.firstIndex(of: "?") else { return mail }
        let fields = mail[mail.index(after: mark)...].split(separator: "&").filter { field in
            let name = field.prefix { $0 != "=" }.percentDecoded
            return mailFields.contains(name?.lowercased() ?? "")
        }
        return mail[..<mark] + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
    }

    static func trimmed(_ address: String) -> Substring {
        var scalars = address.unicodeScalars[...]
        while scalars.first?.isSpace == true { scalars.removeFirst() }
        while scalars.last?.isSpace == true { scalars.removeLast() }
        return Substring(scalars)
    }

    /// Whether there are control characters: U+0000 to U+001F and U+007F to U+009F.
    private static func hasControls(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.indices.contains { index in
            switch bytes[index] {
            case 0..<0x20, 0x7F: true
            case 0xC2: index + 1 < bytes.endIndex && (0x80..<0xA0).contains(bytes[index + 1])
            default: false
            }
        }
    }

    private static func isKept(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case " ", "\"", "<", ">", "\\", "^", "`", "{", "|", "}": false
        default: byte < 0x80
        }
    }
}
