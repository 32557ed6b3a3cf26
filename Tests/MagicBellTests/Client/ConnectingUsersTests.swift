import ClientKit
import Logging
import TestSupport
import Testing

@testable import MagicBell

/// The claims of the tokens are an external id and an e-mail address, or one of them; the signature is empty.
private enum Token {
    static func make(_ claims: String) -> String { "eyJhbGciOiJIUzI1NiJ9.\(base64URL(claims)).c2ln" }

    private static func base64URL(_ text: String) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var result = ""
        var bits = 0
        var count = 0
        for byte in text.utf8 {
            bits = bits << 8 | Int(byte)
            count += 8
            while count >= 6 {
                count -= 6
                result.append(digits[bits >> count & 63])
            }
        }
        if count > 0 { result.append(digits[bits << (6 - count) & 63]) }
        return result
    }
}

@Suite("Users are found by each of their identifiers", .timeLimit(.minutes(5)))
struct ConnectingUsersTests {
    private let mail = "anna@example.com"

    @Test("The same arguments return the same user") func sameUser() throws {
        let client = try ClientWorld().client
        let byMail = try client.connectUser(email: mail)
        let byID = try client.connectUser(externalID: "7")
        let both = try client.connectUser(email: "bert@example.com", externalID: "8")
        #expect(try client.connectUser(email: mail) === byMail)
        #expect(try client.connectUser(email: "Anna@Example.com") === byMail)
        #expect(try client.connectUser(externalID: "7") === byID)
        #expect(try client.connectUser(email: "bert@example.com", externalID: "8") === both)
        #expect(Set([byMail, byID, both].map(ObjectIdentifier.init)).count == 3)
        #expect((both.email, both.externalID) == ("bert@example.com", "8"))
        #expect((byID.email, byID.externalID) == (nil, "7"))
    }

    @Test("A user with both identifiers is found by either of them") func eitherIdentifier() throws {
        let client = try ClientWorld().client
        let both = try client.connectUser(email: mail, externalID: "7")
        #expect(try client.connectUser(email: mail) === both)
        #expect(try client.connectUser(externalID: "7") === both)
    }

    @Test("An e-mail address that equals another user's external id is another user") func collision() throws {
        let client = try ClientWorld().client
        let byID = try client.connectUser(externalID: mail)
        #expect(try client.connectUser(email: mail) !== byID)
    }

    @Test("One e-mail address under two external ids is two users, and alone a third one") func sharedAddress()
        async throws
    {
        let client = try ClientWorld().client
        let first = try client.connectUser(email: mail, externalID: "1")
        let second = try client.connectUser(email: mail, externalID: "2")
        #expect(first !== second)
        let error = await #expect(throws: MagicBellError.self) { try await client.disconnectUser(email: mail) }
        #expect(error?.kind == .invalidArgument)
        #expect(first.isConnected && second.isConnected)
        let third = try client.connectUser(email: mail)
        #expect(third !== first && third !== second)
        try await client.disconnectUser(email: mail)
        #expect(!third.isConnected && first.isConnected && second.isConnected)
    }

    @Test("A user with an external id gets the newer e-mail address") func newAddress() throws {
        let client = try ClientWorld().client
        let user = try client.connectUser(email: mail, externalID: "7")
        #expect(try client.connectUser(email: "new@example.com", externalID: "7") === user)
        #expect(user.email == "new@example.com")
        #expect(try client.connectUser(email: "new@example.com") === user)
    }

    private func hmac(_ world: ClientWorld, _ index: Int = 0) async throws -> String? {
        let headers = try await world.part(index).authorization.current().headers
        return headers.first { $0.name == "X-MAGICBELL-USER-HMAC" }?.value
    }

    @Test("A newer HMAC replaces the previous one, and none keeps it") func replacedHMAC() async throws {
        let world = try ClientWorld()
        _ = try world.client.connectUser(email: mail)
        #expect(try await hmac(world) == nil)
        _ = try world.client.connectUser(email: mail, hmac: "first")
        #expect(try await hmac(world) == "first")
        _ = try world.client.connectUser(email: mail, hmac: "second")
        _ = try world.client.connectUser(email: mail)
        #expect(try await hmac(world) == "second")
    }

    @Test("The HMAC of an e-mail address does not replace that of the same user's external id")
    func foreignHMAC() async throws {
        let world = try ClientWorld()
        let user = try world.client.connectUser(email: mail, externalID: "7", hmac: "of the id")
        #expect(try world.client.connectUser(email: mail, hmac: "of the address") === user)
        #expect(try await hmac(world) == "of the id")
    }

    @Test("With the project's secret the client computes the HMAC of every user")
    func computedHMAC() async throws {
        let world = try ClientWorld(hmacSecret: "s3cr3t-key")
        _ = try world.client.connectUser(externalID: "user-001")
        _ = try world.client.connectUser(email: "mary@example.com")
        _ = try world.client.connectUser(email: "x@example.com", externalID: "user-002", hmac: "given")
        #expect(try await hmac(world, 0) == "qwnmY4hTm8rFcgUX+zWJ6BOXQAzrrr5WsILiFpGaWho=")
        #expect(try await hmac(world, 1) == "PZ7n5wWLf53luMYyqyS8GoygRiyySFLQ8jrFl2uG6gg=")
        #expect(try await hmac(world, 2) == "given")
    }

    @Test("A user token connects the user that it names, for the user API") func userToken() throws {
        let world = try ClientWorld(apiKey: nil)
        let token = Token.make(#"{"user_external_id":"7","user_email":"anna@example.com","api_key":"pk"}"#)
        let user = try world.client.connectUser(userToken: token)
        #expect((user.email, user.externalID) == (mail, "7"))
        #expect(world.part().hasToken)
        #expect(try world.client.connectUser(userToken: token) === user)
        #expect(try world.client.connectUser(externalID: "7", refreshUserToken: { _ in nil }) === user)
        let unnamed = try #require(throws: MagicBellError.self) {
            try world.client.connectUser(userToken: Token.make(#"{"api_key":"pk"}"#))
        }
        #expect(unnamed.kind == .invalidArgument)
        #expect(throws: MagicBellError.self) { try world.client.connectUser(userToken: "abc") }
    }

    @Test("Without an API key, a user cannot be connected by an identifier alone") func noKey() throws {
        let error = try #require(throws: MagicBellError.self) {
            try ClientWorld(apiKey: nil).client.connectUser(email: mail)
        }
        #expect(error.kind == .invalidArgument)
        #expect(error.message.contains("API key"))
    }

    @Test(
        "Invalid arguments are refused, and the error names them",
        arguments: [
            ("", 50, "API key"), ("a\nb", 50, "API key"), ("pk", 0, "page size 0"), ("pk", 101, "page size 101"),
        ]
    )
    func invalidArguments(key: String, pageSize: Int, named: String) throws {
        let error = try #require(throws: MagicBellError.self) { try MagicBellClient(apiKey: key, pageSize: pageSize) }
        #expect(error.kind == .invalidArgument)
        #expect(error.message.contains(named))
        #expect(throws: MagicBellError.self) { try ClientWorld().client.connectUser(email: "") }
        #expect(throws: MagicBellError.self) { try ClientWorld().client.connectUser(externalID: "a\r\nb") }
    }

    @Test("By default nothing is logged", arguments: LogLevel.allCases) func logLevel(level: LogLevel) {
        let lines = LogLines()
        let logger = level.applied(to: Logger(label: "test") { _ in lines })
        logger.error("1")
        logger.warning("2")
        logger.info("3")
        logger.debug("4")
        let expected: [LogLevel: [String]] = [
            .none: [], .error: ["1"], .warning: ["1", "2"], .info: ["1", "2", "3"], .debug: ["1", "2", "3", "4"],
        ]
        #expect(lines.all == expected[level])
    }
}
