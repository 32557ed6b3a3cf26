import FoundationEssentials

/// The two alphabets of RFC 4648 that the services use.
enum Base64 {
    /// The standard alphabet, with padding.
    static func standard(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// The alphabet for URLs, without padding.
    static func url(_ bytes: [UInt8]) -> String {
        String(standard(bytes).prefix { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    /// Decodes the alphabet for URLs, without padding; nil for other text.
    static func decodeURL(_ text: some StringProtocol) -> [UInt8]? {
        let plain = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain + padding).map(Array.init)
    }
}
