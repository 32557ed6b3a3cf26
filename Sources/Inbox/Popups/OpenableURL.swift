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
        let trimmed = address.unicodeScalars.drop { $0.properties.isWhitespace }
        let scalars = Array(trimmed.reversed().drop { $0.properties.isWhitespace }.reversed())
        guard let colon = scalars.firstIndex(of: ":"), scalars.count <= Self.longest else { return nil }
        var scheme = ""
        scheme.unicodeScalars.append(contentsOf: scalars[..<colon])
        scheme = scheme.lowercased()
        guard schemes.contains(scheme) else { return nil }
        let rest = scalars[(colon + 1)...]
        guard !rest.isEmpty, rest.allSatisfy({ $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }) else {
            return nil
        }
        if scheme == "http" || scheme == "https" {
            guard rest.starts(with: "//".unicodeScalars), let first = rest.dropFirst(2).first else { return nil }
            guard first != "/", first != "?", first != "#", first != "@" else { return nil }
        }
        let encoded = rest.map(Self.encoded).joined()
        text = scheme + ":" + (scheme == "mailto" ? Self.withoutOtherFields(encoded) : encoded)
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
        let isKept = scalar.isASCII && !" \"<>\\^`{|}".unicodeScalars.contains(scalar)
        guard !isKept else { return String(Character(scalar)) }
        return String(Character(scalar)).percentEncoded
    }
}

extension OpenableURL: Codable {
    /// Validates a saved URL again, for any scheme. Whether the scheme is allowed is checked when the URL is opened.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard let url = OpenableURL(text, schemes: [scheme]) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a URL that may be opened")
        }
        self = url
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
