import Testing

@testable import Agent

/// Values computed with Python's `pow` and the package `cryptography`.
@Suite struct SecretCipherTests {
    private static let privateKeys = [
        "164cd3c81760cdd539e2e4753786f034f96ee3edb454aaffb423b313869b7ee76f1a1fea5d3d66b84f32259d35a7"
            + "e6dd6def64028a46471b92ea31ae7f6e552729fc5d234beb4f909f99b7a8b4de3367dacdba8976b67639f20f9611"
            + "50238eeaa0b64250d11263dc8a19f9c5e8a951739e01d474507a3b3f865a486477550bad",
        "1b9b006ccf9c2b646ebc7f699a292a6be751e517090242fb737c7ab23166ac8f9b0d5f81ad126c8a38527a48ecc1"
            + "bf521a1dd577ba981a669d82669c2a0a11f0b696b943d4a2eb0f35ccfe8f33be45a30075e28a23f14033e2504fec"
            + "76be2cacf6cb016c833a0af01ed9b87bc354e5ff3522d7813aa3082d7d48c9a2b2eeb75e",
    ]
    private static let publicKeys = [
        "ab1fb900b06ac5859cb230d57f9290851a728e065c149befd8287a92cdb5f04ceda2439c2f654d3e0b2d7a7c0766"
            + "ea5f19459dbe1f3a04bb5677cb073511e5adfe4f03977a68b9e52b56379e2c8719ea28299dfe0716c80c32657d61"
            + "e65182f42467425433eaa711d891d123429ad967cccaf8558e81ffbfac026535afedb15f",
        "d4c56d9cf22e2788fd9490a3b057e7b7186d6ccd4346974b180c7d46000dcb611ac9f2804908bfd02acefd1a1e67"
            + "7bbccac784b7102e553b6773c1df2b217d2de8641b25ffa819fc8a05a5e923d1545744121c2473bab105b6b0b87c"
            + "bdcb94bb4ff78a9016793ba11bc8931caa7403d81743f68af57c0baa9eea5c70a3de40d3",
    ]
    private static let key = "ccbc3533451f4eba2b1fc3cbdc132f05"

    private func keys(_ index: Int) -> SecretCipher.KeyPair {
        SecretCipher.KeyPair(privateKey: bytes(Self.privateKeys[index]), publicKey: bytes(Self.publicKeys[index]))
    }

    @Test("Both sides derive the same key") func keyAgreement() {
        let expected = SecretCipher(key: bytes(Self.key))
        #expect(keys(0).cipher(with: keys(1).publicKey) == expected)
        #expect(keys(1).cipher(with: keys(0).publicKey) == expected)
        let (one, other) = (SecretCipher.KeyPair(), SecretCipher.KeyPair())
        #expect(one.publicKey != other.publicKey)
        #expect(one.cipher(with: other.publicKey) == other.cipher(with: one.publicKey))
        #expect(one.cipher(with: other.publicKey) != nil)
    }

    /// KWallet reads public keys as signed numbers and reduces a negative one: FF before a byte from 80 to FF is lost.
    @Test("The first bit of our public keys is 0, so that KWallet reads them correctly") func positivePublicKeys() {
        for _ in 1...20 { #expect(SecretCipher.KeyPair().publicKey[0] < 0x80) }
    }

    /// A shared secret that begins with a zero, and a public key whose leading zero was left out.
    @Test(
        "The key is right when a shared number or a public key begins with zeros",
        arguments: [
            (
                "b8be83109860ac7cac2e53e1f03387f1476f91076109d5cc8efd841a7aa4058a66caca46aaa987397f439c4b255a"
                    + "0c75540133aa79b0e00a5f091b30e0a604582eec40b2d4047cc2e896b6923b0bed294d133337d47612aeb98745dd"
                    + "e6cee33bc8dffa9660946550834ce1882421940553e194bc4ca0977ce7616392263037b0",
                "40d2e1b432e7596671b4ffc5939f0208"
            ),
            (
                "05f8a2c4b1deb60696f8cd06d0fc759771138ef2efb051e619192b40b227bd2c0b6f8aa05c929669978708986b34"
                    + "bdd22f31379772e0a92745a7084db6e72c44f36f23b7a01a7d7329a28f5ab35f8af990cf70f0eba6177df0db5084"
                    + "f8f19424f5afc0aaff8f709abb71ec1f68731e7e53039e582461e5a9db21f95872b154",
                "fa387d4d863269d3c6c81e71be15f631"
            ),
        ]
    ) func leadingZeros(publicKey: String, key: String) {
        #expect(keys(0).cipher(with: bytes(publicKey)) == SecretCipher(key: bytes(key)))
    }

    @Test("A public key may have leading zeros, as every second one of KWallet has", arguments: [0, 1, 2])
    func zerosBeforeAKey(count: Int) {
        let expected = SecretCipher(key: bytes(Self.key))
        for (own, other) in [(0, 1), (1, 0)] {
            let zeros = [UInt8](repeating: 0, count: count)
            #expect(keys(own).cipher(with: zeros + keys(other).publicKey) == expected)
        }
    }

    @Test("A shared number that begins with a zero is ambiguous") func ambiguousAgreement() throws {
        let peer = bytes(
            "b8be83109860ac7cac2e53e1f03387f1476f91076109d5cc8efd841a7aa4058a66caca46aaa987397f439c4b255a"
                + "0c75540133aa79b0e00a5f091b30e0a604582eec40b2d4047cc2e896b6923b0bed294d133337d47612aeb98745dd"
                + "e6cee33bc8dffa9660946550834ce1882421940553e194bc4ca0977ce7616392263037b0"
        )
        #expect(try #require(keys(0).agreement(with: peer)).isUnambiguous == false)
        #expect(try #require(keys(0).agreement(with: keys(1).publicKey)).isUnambiguous)
    }

    /// 0, 1, the prime minus 1, the prime, and more bytes than a key has.
    @Test("Invalid public keys are rejected") func invalidPublicKeys() {
        let prime =
            "ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e34"
            + "04ddef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6"
            + "f406b7edee386bfb5a899fa5ae9f24117c4b1fe649286651ece65381ffffffffffffffff"
        let less = prime.dropLast(2) + "fe"
        for text in ["", "00", "01", String(less), prime, "00" + prime, "02" + prime] {
            #expect(keys(0).cipher(with: bytes(text)) == nil, "\(text)")
        }
        #expect(keys(0).cipher(with: [2]) != nil)
    }

    @Test(
        "Ciphertexts of another implementation are decrypted",
        arguments: [
            ("", "1d89f2751b1449a4e906aac6ceffffb8"),
            (
                "eyJhbGciOiJFUzI1NiJ9.e30.c2ln",
                "6782e2e40f530e1192a8870db77b5d25b3c90df4af7ba8246a3ad639eb544801"
            ),
            ("0123456789abcdef", "bac156281bb11711e977eebfc43908fe42d5106151f4094a544223cd0f0466a7"),
        ]
    ) func knownCiphertexts(secret: String, sealed: String) {
        let cipher = SecretCipher(key: bytes(Self.key))
        #expect(cipher.open(vector: Array(0..<16), value: bytes(sealed)) == Array(secret.utf8))
        let (vector, value) = cipher.seal(Array(secret.utf8))
        #expect(vector != cipher.seal([]).vector)
        #expect(value.count == bytes(sealed).count)
        #expect(cipher.open(vector: vector, value: value) == Array(secret.utf8))
    }

    @Test("Invalid ciphertexts are rejected") func invalidCiphertext() {
        let cipher = SecretCipher(key: bytes(Self.key))
        let sealed = bytes("1d89f2751b1449a4e906aac6ceffffb8")
        #expect(cipher.open(vector: [], value: sealed) == nil)
        #expect(cipher.open(vector: Array(0..<17), value: sealed) == nil)
        #expect(cipher.open(vector: Array(0..<16), value: []) == nil)
        #expect(cipher.open(vector: Array(0..<16), value: Array(sealed.dropLast())) == nil)
        #expect(SecretCipher(key: Array(0..<16)).open(vector: Array(0..<16), value: sealed) == nil)
    }

    private func bytes(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
