import CSHA256
import FoundationEssentials

/// Random texts of a sign-in, and their digests.
enum SecretText {
    /// So many random bytes of the system in base64url without padding (RFC 4648 §5).
    static func random(bytes count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return base64URL((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// The code challenge of a verifier by the method S256 (RFC 7636 §4.2).
    static func challenge(of verifier: String) -> String {
        let bytes = Array(verifier.utf8)
        var digest = [UInt8](repeating: 0, count: Int(CSHA256_LENGTH))
        csha256_digest(bytes, bytes.count, &digest)
        return base64URL(digest)
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        String(
            Data(bytes).base64EncodedString().compactMap { character in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            }
        )
    }
}
