import Agent
import TestSupport
import Testing

/// `token_url` and the table `sign_in` of an account.
@Suite struct SignInConfigurationTests {
    private static func account(_ lines: String) -> String {
        """
        [accounts.work]
        provider = "suprsend"
        public_key = "SS.PUBK.x"
        distinct_id = "anna"

        """ + lines
    }

    private static func read(_ text: String) throws -> AccountConfiguration {
        let files = [ConfigurationLayers.File(.personal, path: "/c.toml", text: text)]
        return try #require(try Configuration(ConfigurationLayers(files), services: Services.all).accounts.first)
    }

    private static let whole = """
        token_url = "https://app.example.com/token/"
        [accounts.work.sign_in]
        issuer = "https://login.example.com/realms/staff"
        client_id = "feedbell"
        client_secret = "no secret"
        scopes = ["openid", "inbox"]
        redirect_port = 8765
        redirect_host = "localhost"
        login_hint = "anna@example.com"
        parameters = { audience = "https://app.example.com" }

        """

    @Test("All keys are read, and written again") func allKeys() throws {
        let account = try Self.read(Self.account(Self.whole))
        let backend = try #require(account.service.token?.backend)
        #expect(backend.url == "https://app.example.com/token/")
        #expect(backend.host == "app.example.com")
        let signIn = backend.signIn
        #expect(signIn.client.issuer.text == "https://login.example.com/realms/staff")
        #expect(signIn.client.scopes == ["openid", "inbox"])
        #expect(signIn.client.parameters == [.init("audience", "https://app.example.com")])
        #expect(signIn.redirectPort == 8765 && signIn.redirectHost == "localhost")
        #expect(signIn.loginHint == "anna@example.com")
        #expect(try Self.read(account.toml) == account)
    }

    @Test(
        "A mistake is named with what to do",
        arguments: [
            ("token_url = \"https://a.example/t\"\n", "needs [accounts.work.sign_in]"),
            ("token_url = \"http://a.example/t\"\n", "plain http is allowed for this computer only"),
            ("token_url = \"https://a.example/t?x=1\"\n", "must not contain a user, a query or a fragment"),
            ("token_url = \"https://a.example/t\"\n[accounts.work.sign_in]\nclient_id = \"x\"\n", "has no \"issuer\""),
            (
                "token_url = \"https://a.example/t\"\n[accounts.work.sign_in]\nissuer = \"https://i.example\"\n",
                "has no \"client_id\""
            ),
            ("token_file = \"/t\"\n" + whole, "names more than one source"),
            (whole.replacing("audience", with: "state"), "belongs to the sign-in itself"),
            (whole.replacing("8765", with: "80"), "must be from 1024 to 65535"),
            (whole.replacing("localhost", with: "example.com"), "Choose one of"),
            (whole.replacing("\"inbox\"", with: "\"in box\""), "cannot be a scope"),
            (whole + "secret = \"x\"\n", "is not a key of [accounts.work.sign_in]"),
        ]
    )
    func mistakes(_ lines: String, _ sentence: String) {
        #expect { try Self.read(Self.account(lines)) } throws: { "\($0)".contains(sentence) }
    }

    @Test("The table of a preset stays when the user has another source, and the address may be replaced alone")
    func layers() throws {
        let preset = ConfigurationLayers.File(.preset, path: "/p.toml", text: Self.account(Self.whole))
        func account(_ own: String) throws -> AccountConfiguration? {
            let file = ConfigurationLayers.File(.personal, path: "/c.toml", text: "[accounts.work]\n" + own)
            let layers = try ConfigurationLayers([preset, file])
            return try Configuration(layers, services: Services.all).accounts.first
        }
        #expect(try account("token_file = \"/t\"\n")?.service.token == .file("/t"))
        let other = try account("token_url = \"https://b.example/t\"\n")?.service.token?.backend
        #expect(other?.url == "https://b.example/t" && other?.signIn.redirectPort == 8765)
    }

    @Test("MagicBell takes user tokens and HMACs from a backend") func magicBell() throws {
        func account(_ lines: String) throws -> AccountConfiguration {
            let signIn = "[accounts.work.sign_in]\nissuer = \"https://i.example\"\nclient_id = \"x\"\n"
            return try Self.read("[accounts.work]\nprovider = \"magicbell\"\n\(lines)\(signIn)")
        }
        let token = try account("user_token_url = \"https://a.example/t\"\n")
        #expect(token.service.token?.backend?.kind == .userToken)
        let other = try account("api_key = \"k\"\nemail = \"a@b.c\"\nhmac_url = \"https://a.example/h\"\n")
        #expect(other.service.token?.backend?.kind.member == "hmac")
        for account in [token, other] { #expect(try Self.read(account.toml) == account) }
    }
}
