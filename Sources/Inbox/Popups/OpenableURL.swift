import Basics

/// A URL from the network that may be passed to the desktop's opener: absolute, with an allowed scheme, one line,
/// ASCII.
package struct OpenableURL: Hashable, Sendable, CustomStringConvertible {
    /// The URL, with all characters outside of RFC 3986 percent-encoded.
    package let text: String
    package var description: String { text }

    /// The maximum length in scalars.
    package static let longest = 8192

    /// `nil` if the URL must not be opened: `file:` starts viewers, `javascript:` is passed to browsers, a leading "-"
    /// would be an option of the opener.
    ///
    /// - Parameter schemes: The allowed schemes, in lower case.
    package init?(_ address: String, schemes: Set<String>) {
        let trimmed = Array(address.unicodeScalars).drop { $0.isSpace }
        let scalars = trimmed.prefix(
            (trimmed.lastIndex { !$0.isSpace } ?? trimmed.startIndex - 1) - trimmed.startIndex + 1
        )
        guard let colon = scalars.firstIndex(of: ":"), scalars.count <= Self.longest else { return nil }
        let scheme = String(scalars: scalars[..<colon]).lowercased()
        guard schemes.contains(scheme) else { return nil }
        let rest = scalars[(colon + 1)...]
        guard !rest.isEmpty, rest.allSatisfy({ $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }) else {
            return nil
        }
        if scheme == "http" || scheme == "https" {
            guard rest.starts(with: "//".unicodeScalars), let first = rest.dropFirst(2).first else { return nil }
            guard first != "/", first != "?", first != "#", first != "@" else { return nil }
        }
        let encoded = rest.allSatisfy(Self.isKept) ? String(scalars: rest) : rest.map(Self.encoded).joined()
        text = scheme + ":" + (scheme == "mailto" ? Self.withoutOtherFields(encoded) : encoded)
    }

    /// Validates a saved URL again, for any scheme. Whether the scheme is allowed is checked when the URL is opened.
    package init?(saved text: String) {
        self.init(text, schemes: [text.prefix { $0 != ":" }.lowercased()])
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

    private static func encoded(_ scalar: Unicode.Scalar) -> String {
        isKept(scalar) ? String(Character(scalar)) : String(Character(scalar)).percentEncoded
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "\"", "<", ">", "\\", "^", "`", "{", "|", "}": false
        default: scalar.isASCII
        }
    }
}
