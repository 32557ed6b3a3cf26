import Agent
import AgentInterface
import Testing

/// Links and files that propose an account.
@Suite struct AccountLinkTests {
    private static let signIn = [
        "token_url=https%3A%2F%2Fapp.example.com%2Ftoken", "issuer=https%3A%2F%2Flogin.example.com%2Frealms%2Fstaff",
        "client_id=feedbell", "scopes=openid+inbox",
    ].joined(separator: "&")

    private static func signIn(issuer: String, tokens: String) -> String {
        "feedbell:add?provider=suprsend&client_id=x&issuer=\(issuer)&token_url=\(tokens)"
    }

    private static func read(_ query: String, _ ownership: HostOwnership = .one) throws -> AccountDetails {
        try AccountLink(link: "feedbell:add?" + query, services: Services.all) { _, _ in ownership }.details
    }

    private static func problem(_ body: () throws -> Void) -> String {
        let error = #expect(throws: AccountLink.Problem.self) { try body() }
        return error?.sentence ?? ""
    }

    @Test("A link has the values of a form, and a file has the same ones in TOML") func values() throws {
        let link = try Self.read("provider=suprsend&name=work%20%26+home&public_key=SS.PUBK.x&" + Self.signIn)
        var expected = AccountDetails(
            provider: "suprsend",
            values: [
                "public-key": "SS.PUBK.x", "token-url": "https://app.example.com/token",
                "issuer": "https://login.example.com/realms/staff", "client-id": "feedbell", "scopes": "openid inbox",
            ],
            hasTokenAlone: false
        )
        expected.name = "work & home"
        #expect(link == expected)
        let file = """
            name = "work & home"
            provider = "suprsend"
            public_key = "SS.PUBK.x"
            token_url = "https://app.example.com/token"
            issuer = "https://login.example.com/realms/staff"
            client_id = "feedbell"
            scopes = ["openid", "inbox"]
            """
        #expect(try AccountLink(file: file, services: Services.all) { _, _ in .one }.details == expected)
    }

    @Test(
        "Slashes that programs add to a link mean nothing",
        arguments: ["feedbell:add?", "feedbell://add?", "feedbell://add/?", "feedbell:/add?", "Feedbell:Add/?"]
    )
    func slashes(_ beginning: String) throws {
        let link = beginning + "provider=suprsend&public_key=SS.PUBK.x"
        #expect(
            try AccountLink(link: link, services: Services.all) { _, _ in .one }.details.values == [
                "public-key": "SS.PUBK.x"
            ]
        )
    }

    @Test("A file is read in UTF-8, and in UTF-16 with a byte order mark") func encodings() {
        let text = "name = \"büro 📥\"\n"
        let units = Array(text.utf16)
        #expect(AccountLink.text(of: Array(text.utf8)) == text)
        #expect(AccountLink.text(of: [0xEF, 0xBB, 0xBF] + Array(text.utf8)) == text)
        #expect(AccountLink.text(of: [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) == text)
        #expect(AccountLink.text(of: [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) == text)
        for bytes in [[], [0xFF], [0xFF, 0xFE], [0xFF, 0xFE, 0x61]] as [[UInt8]] { _ = AccountLink.text(of: bytes) }
    }

    @Test("The two hosts are compared, and nothing is proposed if they have different owners") func owners() throws {
        var compared: [String] = []
        _ = try AccountLink(link: "FEEDBELL:ADD?provider=suprsend&" + Self.signIn, services: Services.all) {
            compared = [$0, $1]
            return .one
        }
        #expect(compared == ["app.example.com", "login.example.com"])
        let different = Self.problem { _ = try Self.read("provider=suprsend&" + Self.signIn, .different) }
        #expect(different.contains("app.example.com would learn who signs in at login.example.com"))
        #expect(different.hasSuffix("Your administrator can install this account as a preset."))
        let unknown = Self.problem { _ = try Self.read("provider=suprsend&" + Self.signIn, .unknown) }
        #expect(unknown.contains("libpsl is not installed"))
    }

    @Test("MagicBell's user token comes from a backend where no other login is named") func tokenAlone() throws {
        #expect(try Self.read("provider=magicbell&" + Self.signIn).hasTokenAlone)
        #expect(try !Self.read("provider=magicbell&api_key=x&email=anna%40example.com&" + Self.signIn).hasTokenAlone)
        #expect(try !Self.read("provider=magicbell").hasTokenAlone)
    }

    @Test(
        "What is no public value is refused with its name",
        arguments: [
            "token_command", "token_file", "token_secret", "token_credential", "token", "hmac", "client_secret",
            "parameters", "redirect_port", "redirect_host", "login_hint", "ca_file", "proxy", "api_url", "hub_url",
            "socket_url", "inbox_url", "link_base", "realtime", "sign_in", "token-url", "public-key", "x", "",
        ]
    )
    func refusedKeys(key: String) {
        let sentence = Self.problem { _ = try Self.read("provider=suprsend&\(key)=1") }
        #expect(sentence.contains("\"\(key)\""), "\(sentence)")
        let file = "provider = \"suprsend\"\n\"\(key)\" = \"1\"\n"
        let other = Self.problem { _ = try AccountLink(file: file, services: Services.all) { _, _ in .one } }
        #expect(other == sentence)
    }

    @Test(
        "A damaged link is refused with a sentence",
        arguments: [
            ("https://example.com/add?provider=suprsend", "damaged"), ("feedbell:remove?provider=suprsend", "damaged"),
            ("feedbell:add?provider", "damaged"), ("feedbell:add?provider=%zz", "damaged"),
            ("feedbell:add?provider=%FF", "damaged"), ("feedbell:add?", "names no service"),
            ("feedbell:add?provider=other", "names no service"),
            ("feedbell:add?provider=suprsend&provider=suprsend", "\"provider\" twice"),
            ("feedbell:add?provider=suprsend&name=a%0Ab", "\"name\" has characters"),
            ("feedbell:add?provider=suprsend&name=a%E2%80%AEb", "\"name\" has characters"),
            ("feedbell:add?provider=suprsend&name=", "\"name\" has characters"),
            ("feedbell:add?provider=suprsend&name=" + String(repeating: "x", count: 65), "too long"),
            ("feedbell:add?provider=suprsend&public_key=" + String(repeating: "x", count: 1_025), "\"public_key\" has"),
            ("feedbell:add?provider=suprsend&x=" + String(repeating: "x", count: 4 << 10), "longer than 4 KiB"),
            ("feedbell:add?provider=suprsend&issuer=https%3A%2F%2Fa.example", "needs token_url, issuer, client_id"),
            (
                signIn(issuer: "https%3A%2F%2Fa.example", tokens: "http%3A%2F%2Fb.example"),
                "http://b.example cannot be used"
            ),
            (
                signIn(issuer: "https%3A%2F%2Fa%40b.example", tokens: "https%3A%2F%2Fb.example"),
                "https://a@b.example cannot be used"
            ),
        ] as [(String, String)]
    )
    func damagedLinks(link: String, words: String) {
        let sentence = Self.problem { _ = try AccountLink(link: link, services: Services.all) { _, _ in .one } }
        #expect(sentence.contains(words), "\(sentence)")
    }

    @Test(
        "Two hosts have one owner if their registrable domain is the same",
        arguments: [
            ("app.example.com", "login.example.com", HostOwnership.one),
            ("example.com", "login.example.com:8443", .one), ("app.example.co.uk", "login.example.co.uk", .one),
            ("app.example.com", "app.example.org", .different), ("a.co.uk", "b.co.uk", .different),
            ("anna.github.io", "bob.github.io", .different), ("github.io", "github.io", .different),
            ("com", "com", .different), ("192.0.2.1", "192.0.2.1", .different), ("10.0.2.3", "11.0.2.3", .different),
            ("[2001:db8::1]", "[2001:db8::1]", .different), ("127.0.0.1:8000", "127.0.0.1:8000", .one),
            ("127.0.0.1:8000", "127.0.0.1:8001", .different), ("localhost", "app.example.com", .different),
            ("example.com.", "login.example.com", .different), ("", "", .different),
            ("notexample.com", "example.com", .different), ("login.victim.co.uk.", "evil.co.uk.", .different),
            ("a..example.com", "b.example.com", .different),
        ]
    )
    func hosts(first: String, second: String, ownership: HostOwnership) {
        #expect(HostOwnership(first, second) == ownership)
        #expect(HostOwnership(second, first) == ownership)
    }
}
