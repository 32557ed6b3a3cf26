/// Removes tokens from texts of other programs.
package enum Redaction {
    /// `text` with "…" in place of everything that looks like a JWT, and of each of `secrets`.
    package static func tokens(in text: String, secrets: [String] = []) -> String {
        var text = text
        for secret in secrets where !secret.isEmpty { text.replace(secret, with: "…") }
        guard text.contains("eyJ") else { return text }
        // A JWT begins with base64url of `{"`.
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "eyJ")?.lowerBound {
            result += rest[..<start] + "…"
            rest = rest[start...].drop { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.=+/".contains($0)) }
        }
        return result + rest
    }
}
