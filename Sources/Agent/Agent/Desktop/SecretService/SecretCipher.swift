import CSecretCipher

/// The encryption of secrets in one session with the Secret Service: AES-128 in CBC mode with PKCS #7 padding, a fresh
/// initialization vector for each secret, and a key agreed by Diffie-Hellman (Secret Service API, "Transfer of
/// Secrets").
///
/// The specification's other algorithm, `plain`, is not supported: it would expose secrets to every bus monitor.
/// gnome-keyring, KWallet and KeePassXC all support this one.
package struct SecretCipher: Sendable, Equatable {
    /// The algorithm's name for `OpenSession`.
    package static let name = "dh-ietf1024-sha256-aes128-cbc-pkcs7"

    /// One side of the key agreement: Diffie-Hellman in the Second Oakley Group (RFC 2409 §6.2).
    package struct KeyPair: Sendable {
        private let privateKey: [UInt8]
        /// The key for the other side: 128 bytes, big-endian.
        package let publicKey: [UInt8]

        /// Generates a key pair for one session.
        package init() {
            var (own, shown) = ([UInt8](zeros: CSECRETCIPHER_NUMBER), [UInt8](zeros: CSECRETCIPHER_NUMBER))
            repeat {
                // Fails only if memory is exhausted.
                precondition(csecretcipher_generate(&own, &shown))
                // KWallet reads the key as a signed number and would change a negative one whose first bytes are
                // redundant.
            } while shown[0] >= 0x80
            (privateKey, publicKey) = (own, shown)
        }

        /// A given key pair, 128 bytes each, big-endian.
        package init(privateKey: [UInt8], publicKey: [UInt8]) {
            precondition(privateKey.count == Int(CSECRETCIPHER_NUMBER))
            (self.privateKey, self.publicKey) = (privateKey, publicKey)
        }

        /// The cipher that results from both public keys; `nil` if `peer` is not a valid public key.
        package func cipher(with peer: [UInt8]) -> SecretCipher? { agreement(with: peer)?.cipher }

        /// The same cipher, and whether every service computes the same one. If the shared number begins with a zero
        /// byte, GNOME Keyring hashes all 128 bytes and KWallet omits the zero.
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

    /// Encrypts a secret. Returns the initialization vector and the encrypted secret.
    package func seal(_ secret: [UInt8]) -> (vector: [UInt8], value: [UInt8]) {
        let vector = (0..<CSECRETCIPHER_BLOCK).map { _ in UInt8.random(in: 0...255) }
        guard let value = crypt(vector, secret, encrypts: true) else { preconditionFailure("a secret of 2 GB") }
        return (vector, value)
    }

    /// Decrypts a secret; `nil` if it was not encrypted with this key.
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
