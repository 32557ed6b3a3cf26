import CSHA256

/// SHA-256 (FIPS 180-4).
enum SHA256 {
    static func hash(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(CSHA256_LENGTH))
        csha256_digest(message, message.count, &digest)
        return digest
    }
}

/// HMAC with SHA-256 (RFC 2104).
enum HMAC {
    static func sha256(_ message: String, key: String) -> [UInt8] {
        let (message, key) = (Array(message.utf8), Array(key.utf8))
        var digest = [UInt8](repeating: 0, count: Int(CSHA256_LENGTH))
        let hasMemory = csha256_hmac(key, key.count, message, message.count, &digest)
        precondition(hasMemory, "no memory for a digest")
        return digest
    }
}
