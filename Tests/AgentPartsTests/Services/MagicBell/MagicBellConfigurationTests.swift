import AgentInterface
import Inbox
import Testing

@testable import Agent

@Suite struct MagicBellConfigurationTests {
    private static let minimal = """
        [accounts.home]
        provider = "magicbell"
        api_key = "pk_1"
        email = "Anna@example.com"

        """

    private func service(_ text: String) throws -> MagicBellService {
        let configuration = try Configuration(toml: text, file: "f", services: Services.all)
        return try #require(configuration.accounts.first?.service as? MagicBellService)
    }

    @Test("An API key and an e-mail address are enough; the user's case does not change the inbox") func minimal()
        throws
    {
        let service = try service(Self.minimal)
        #expect(
            service
                == MagicBellService(login: .apiKey("pk_1", email: "Anna@example.com", externalID: nil, hmac: nil))
        )
        #expect(service.owner.user == "Anna@example.com" && service.token == nil && !service.holdsSecrets)
        let other = try self.service(Self.minimal.replacing("Anna", with: "anna"))
        #expect(service.owner.inbox == other.owner.inbox)
        try service.check()
    }

    @Test("Every key is read, and written again") func allKeys() throws {
        let keys = """
            api_key = "pk_1"
            email = "anna@example.com"
            external_id = "u1"
            hmac_file = "/run/hmac"
            api_url = "https://api.example"
            socket_url = "wss://socket.example"
            ably_rest_url = "https://rest.example"
            ably_realtime_url = "wss://ably.example"
            realtime = "ably"
            ca_file = "/etc/ca.pem"
            page_size = 50

            """
        let head = "[accounts.home]\nprovider = \"magicbell\"\n"
        let stores = """
            [[accounts.home.stores]]
            id = "ci"
            label = "Builds"
            read = false
            seen = false
            archived = false
            categories = ["ci"]
            topics = ["a", "b"]
            """
        let configuration = try Configuration(toml: head + keys + stores, file: "f", services: Services.all)
        let account = try #require(configuration.accounts.first)
        let service = try #require(account.service as? MagicBellService)
        let login = MagicBellService.Login.apiKey(
            "pk_1",
            email: "anna@example.com",
            externalID: "u1",
            hmac: .source(.file("/run/hmac"))
        )
        let store = MagicBellService.Store(
            id: "ci",
            label: "Builds",
            read: false,
            seen: false,
            archived: false,
            categories: ["ci"],
            topics: ["a", "b"]
        )
        #expect(service.login == login && service.stores == [store] && service.realtime == .ably)
        #expect(service.pageSize == 50 && service.owner.user == "u1" && service.token == .file("/run/hmac"))
        // Tabs are what only users write.
        #expect(account.toml == head + keys)
    }

    @Test("A user token is used alone") func userToken() throws {
        let text = """
            [accounts.home]
            provider = "magicbell"
            user_token_command = ["pass", "home"]

            """
        let service = try service(text)
        #expect(service.login == .userToken(.command(["pass", "home"])) && service.owner.user.isEmpty)
        #expect(service.keys(account: "home").map(\.key) == ["user_token_command"])
        let other = try self.service(text.replacing("\"home\"]", with: "\"away\"]"))
        #expect(service.owner != other.owner)
        var changed = service
        changed.token = .file("/t")
        #expect(changed.login == .userToken(.file("/t")))
    }

    @Test(
        "A mistake names the key and what to do",
        arguments: [
            (
                "email = \"a@b.c\"",
                "has no \"api_key\". Add api_key = \"…\" and email or external_id, or a user token"
            ),
            ("api_key = \"k\"", "has neither \"email\" nor \"external_id\". Add email = \"…\"."),
            (
                "api_key = \"k\"\nuser_token_file = \"/t\"",
                "has a user token, which names project and user, and also \"api_key\". Remove one of them."
            ),
            ("user_token_file = \"/t\"\nhmac = \"h\"", "and also \"hmac\". Remove one of them."),
            (
                "user_token_file = \"/t\"\nuser_token_command = [\"t\"]",
                "names more than one source of its user token. Keep one of user_token_command, user_token_file."
            ),
            (
                "api_key = \"k\"\nemail = \"e\"\nhmac = \"h\"\nhmac_file = \"/h\"",
                "has \"hmac\" and another source of it. Keep one of hmac, hmac_command, hmac_file, hmac_secret, "
                    + "hmac_credential and hmac_url."
            ),
            (
                "user_token_file = \"/t\"\nrealtime = \"ably\"",
                "come through \"socket\" only. Remove \"realtime\"."
            ),
            (
                "api_key = \"k\"\nemail = \"e\"\nrealtime = \"sse\"",
                "\"accounts.home.realtime\" cannot be \"sse\". Choose one of \"socket\", \"ably\"."
            ),
            (
                "api_key = \"k\"\nemail = \"e\"\napi_url = \"http://example.com\"",
                "\"accounts.home.api_url\" is invalid. The API host"
            ),
            ("api_key = \"k\"\nemial = \"e\"\nemail = \"e\"", "The nearest valid key is \"email\"."),
            ("api_key = \"k\"\nemail = \"e\"\npage_size = 101", "must be from 1 to 100, not 101."),
        ]
    )
    func mistakes(keys: String, problem: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(
                toml: "[accounts.home]\nprovider = \"magicbell\"\n\(keys)\n",
                file: "f",
                services: Services.all
            )
        }
        #expect(error?.problem.contains(problem) == true, "\(error?.problem ?? "")")
    }

    @Test("Two stores with one id, and an unknown key of a store, are mistakes") func stores() {
        let store = "[[accounts.home.stores]]\nid = \"a\"\n"
        for (text, problem) in [
            (store + store, "Two stores of [accounts.home] have the id \"a\"."),
            (store + "tags = [\"x\"]\n", "\"tags\" is not a key of [accounts.home.stores]."),
        ] {
            let error = #expect(throws: ConfigurationError.self) {
                try Configuration(toml: Self.minimal + text, file: "f", services: Services.all)
            }
            #expect(error?.problem.contains(problem) == true, "\(error?.problem ?? "")")
        }
    }

    @Test("An HMAC in the file is a secret, and text that no header can contain is refused") func secrets() throws {
        let withHMAC = try service(Self.minimal + "hmac = \"abc=\"\n")
        #expect(withHMAC.holdsSecrets)
        let invalid = try service(Self.minimal.replacing("pk_1", with: " pk"))
        #expect(throws: ServiceProblem.self) { try invalid.check() }
    }

    @Test("accounts add stores the secret as the HMAC, and needs no e-mail address beside an external id") func adding()
        throws
    {
        let account = try AccountConfiguration(
            name: "home",
            service: MagicBellService.self,
            values: ["api_key": "k", "external_id": "u1"],
            token: .file("/h")
        )
        #expect(
            account.toml == """
                [accounts.home]
                provider = "magicbell"
                api_key = "k"
                external_id = "u1"
                hmac_file = "/h"

                """
        )
        let email = try #require(MagicBellService.description.options.first { $0.name == "email" })
        #expect(email.isNeeded(beside: [:]) && !email.isNeeded(beside: ["external-id": "u1"]))
    }
}
