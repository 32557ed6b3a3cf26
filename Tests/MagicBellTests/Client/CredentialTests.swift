import ClientKit
import FoundationEssentials
import MagicBell
import TestSupport
import Testing

@Suite("Credentials")
struct CredentialTests {
    @Test("The HMAC is of the external id, and without one of the e-mail address")
    func hmac() throws {
        let byID = "qwnmY4hTm8rFcgUX+zWJ6BOXQAzrrr5WsILiFpGaWho="
        let byEmail = "PZ7n5wWLf53luMYyqyS8GoygRiyySFLQ8jrFl2uG6gg="
        let secret = "s3cr3t-key"
        #expect(try UserIdentity(externalID: "user-001").hmac(secret: secret) == byID)
        #expect(try UserIdentity(email: "mary@example.com").hmac(secret: secret) == byEmail)
        #expect(try UserIdentity(email: "Mary@Example.com").hmac(secret: secret) == byEmail)
        #expect(try UserIdentity(email: "mary@example.com", externalID: "user-001").hmac(secret: secret) == byID)
    }

    /// The first two are test cases 2 and 1 of RFC 4231; the key of the third is longer than the block of the hash.
    @Test(
        "The HMAC agrees with known values",
        arguments: [
            ("Jefe", "what do ya want for nothing?", "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM="),
            (String(repeating: "\u{0B}", count: 20), "Hi There", "sDRMYdjbOFNcqK/OrwvxK4gdwgDJgz2nJuk3bC4yz/c="),
            (String(repeating: "a", count: 131), "Test", "wCb99GWeGBpd0zzvfIdfC+q6eaq/1cDAsybZYdEfMmA="),
            ("", "x", "TLyWCZpkZ84AJGHxBUm0iYJl6+YYi0XvrMRCk1FuYsQ="),
        ]
    )
    func knownHMACs(key: String, message: String, expected: String) throws {
        #expect(try UserIdentity(externalID: message).hmac(secret: key) == expected)
    }

    @Test("A user needs an e-mail address or an external id that a header can contain")
    func invalidIdentities() {
        for (email, id) in [(nil, nil), ("", nil), (nil, ""), ("a\r\nb@c", nil), (nil, " x"), (nil, "x\u{0}")] {
            let error = #expect(throws: MagicBellError.self) { try UserIdentity(email: email, externalID: id) }
            #expect(error?.kind == .invalidArgument)
        }
    }

    @Test("The claims of a user token are read, and its text is not printed")
    func claims() throws {
        let token = try UserToken(AnswerSamples.token)
        #expect(token.apiKey == "pk_test_demo")
        #expect(token.email == "mary@example.com" && token.externalID == "user-001")
        #expect(token.expiresOn == Date(timeIntervalSince1970: 1_798_761_600))
        #expect(token.user?.identifier == "user-001")
        let credentials = try UserCredentials.userToken(AnswerSamples.token)
        var dumped = ""
        dump(credentials, to: &dumped)
        dump(token, to: &dumped)
        for text in ["\(token)", "\(credentials)", String(reflecting: credentials), dumped] {
            #expect(!text.contains("eyJ") && !text.contains("FSSK5OM"))
        }
    }

    @Test("A text that is not a JWT is refused without being quoted", arguments: ["", "secret", "a.b", "a.W10.c"])
    func notATokens(text: String) {
        let error = #expect(throws: MagicBellError.self) { try UserToken(text) }
        #expect(error?.kind == .invalidArgument)
        #expect(error?.message.contains("secret") == false)
    }
}
