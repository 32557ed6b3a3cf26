import CSecretCipher

/// How secrets travel in one session with the Secret Service: AES-128 in CBC mode with PKCS #7 padding, a fresh initialization
/// vector for each secret, the key agreed on by Diffie-Hellman ("Transfer of Secrets" in the specification).
///
/// The specification's other way, `plain`, is not spoken: secrets do not cross the bus in the clear, where every monitor reads along,
/// and gnome-keyring, KWallet and KeePassXC all know this one.
package struct SecretCipher: Sendable, Equatable {
    /// The algorithm's name, as `OpenSession` takes it.
    package static let name = "dh-ietf1024-sha256-aes128-cbc-pkcs7"

    /// One side of the key agreement: Diffie-Hellman in the Second Oakley Group (RFC 2409 §6.2).
    package struct KeyPair: Sendable {
        private let privateKey: [UInt8]
        /// What the other side is told: 128 bytes, big-endian.
        package let publicKey: [UInt8]

        /// A pair of keys for one session.
        package init() {
            var (own, shown) = ([UInt8](zeros: CSECRETCIPHER_NUMBER), [UInt8](zeros: CSECRETCIPHER_NUMBER))
            repeat {
                // Fails only for want of memory.
                precondition(csecretcipher_generate(&own, &shown))
                // KWallet reads the key as a signed number, and a negative one whose first bytes are redundant becomes another key.
            } while shown[0] >= 0x80
            (privateKey, publicKey) = (own, shown)
        }

        /// A pair that is known, 128 bytes each, big-endian.
        package init(privateKey: [UInt8], publicKey: [UInt8]) {
            precondition(privateKey.count == Int(CSECRETCIPHER_NUMBER))
            (self.privateKey, self.publicKey) = (privateKey, publicKey)
        }

        /// The cipher that both sides have when they know each other's public keys; `nil` if `peer` is none.
        package func cipher(with peer: [UInt8]) -> SecretCipher? { agreement(with: peer)?.cipher }

        /// The same, and whether every service computes this cipher: where the shared number begins with a zero, GNOME Keyring hashes all
        /// 128 bytes and KWallet leaves the zero out.
        package func agreement(with peer: [UInt8]) -> (cipher: SecretCipher, isUnambiguous: Bool)? {
            var key = [UInt8](zeros: CSECRETCIPHER_BLOCK)
            var hasLeadingZero = false
            guard csecretcipher_derive(privateKey, peer, peer.count, &key, &hasLeadingZero) else { return nil }
            return (SecretCipher(key: key), !hasLeadingZero)
        }
    }

    private let key: [UInt8]

    /// - Parameter key: 16 bytes.
    package init(key: [UInt8]) {
        precondition(key.count == Int(CSECRETCIPHER_BLOCK))
        self.key = key
    }

    /// The initialization vector and the encrypted secret.
    package func seal(_ secret: [UInt8]) -> (vector: [UInt8], value: [UInt8]) {
        let vector = (0..<CSECRETCIPHER_BLOCK).map { _ in UInt8.random(in: 0...255) }
        guard let value = crypt(vector, secret, encrypts: true) else { preconditionFailure("a secret of 2 GB") }
        return (vector, value)
    }

    /// What was sealed; `nil` when it was not sealed with this key.
    package func open(vector: [UInt8], value: [UInt8]) -> [UInt8]? {
        vector.count == Int(CSECRETCIPHER_BLOCK) ? crypt(vector, value, encrypts: false) : nil
    }

    private func crypt(_ vector: [UInt8], _ input: [UInt8], encrypts: Bool) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: input.count + Int(CSECRETCIPHER_BLOCK))
        let length = csecretcipher_crypt(encrypts, key, vector, input, input.count, &output)
        return length < 0 ? nil : Array(output[..<length])
    }
}

extension [UInt8] {
    fileprivate init(zeros count: Int32) { self.init(repeating: 0, count: Int(count)) }
}
