import CSecretCipher

/// The encryption of secrets in a session, at the side of the service (Secret Service API, "Transfer of Secrets").
struct SessionCipher {
    static let name = "dh-ietf1024-sha256-aes128-cbc-pkcs7"

    private let key: [UInt8]

    /// - Parameter key: 16 bytes.
    init(key: [UInt8]) { self.key = key }

    /// Agrees on a key with a client that has this public key.
    ///
    /// - Returns: The cipher, the public key of this side, and whether the shared number begins with a zero byte; nil
    ///   if `peer` is not a valid public key.
    static func agreed(with peer: [UInt8]) -> (cipher: SessionCipher, publicKey: [UInt8], hasLeadingZero: Bool)? {
        let zeros = [UInt8](repeating: 0, count: Int(CSECRETCIPHER_NUMBER))
        var (own, shown) = (zeros, zeros)
        var key = [UInt8](repeating: 0, count: Int(CSECRETCIPHER_BLOCK))
        var hasLeadingZero = false
        precondition(csecretcipher_generate(&own, &shown))
        guard csecretcipher_derive(own, peer, peer.count, &key, &hasLeadingZero) else { return nil }
        return (SessionCipher(key: key), shown, hasLeadingZero)
    }

    /// Encrypts a secret with a fresh initialization vector.
    func seal(_ secret: [UInt8]) -> (vector: [UInt8], value: [UInt8]) {
        let vector = (0..<CSECRETCIPHER_BLOCK).map { _ in UInt8.random(in: 0...255) }
        guard let value = crypt(vector, secret, encrypts: true) else { preconditionFailure("a secret of 2 GB") }
        return (vector, value)
    }

    /// Decrypts a secret; nil if it was not encrypted with this key.
    func open(vector: [UInt8], value: [UInt8]) -> [UInt8]? {
        vector.count == Int(CSECRETCIPHER_BLOCK) ? crypt(vector, value, encrypts: false) : nil
    }

    private func crypt(_ vector: [UInt8], _ input: [UInt8], encrypts: Bool) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: input.count + Int(CSECRETCIPHER_BLOCK))
        let length = csecretcipher_crypt(encrypts, key, vector, input, input.count, &output)
        return length < 0 ? nil : Array(output[..<length])
    }
}
