import TestSupport
import Testing

@testable import Agent

@Suite struct ConfigurationAddingTests {
    private func account(_ name: String, _ service: SuprSendService) -> AccountConfiguration {
        AccountConfiguration(name: name, service: service)
    }

    private let service = SuprSendService(publicKey: "SS.PUBK.x", distinctID: "anna")

    /// Adds and reads again.
    private func accounts(_ text: String, adding account: AccountConfiguration) throws -> [AccountConfiguration] {
        let files = try Configuration.files(adding: account, to: text)
        return try Configuration(try ConfigurationLayers(files), services: Services.all).accounts
    }

    @Test("An added account is written as TOML") func writtenAccount() throws {
        var service = service
        #expect(
            account("work", service).toml == """
                [accounts.work]
                provider = "suprsend"
                public_key = "SS.PUBK.x"
                distinct_id = "anna"

                """
        )
        service.tenantID = "acme"
        service.token = .command(["pass", "a \"b\""])
        service.hubURL = "https://hub.example.com"
        service.caFile = "/etc/ssl/work.pem"
        service.pageSize = 30
        service.language = "es"
        #expect(
            account("at home", service).toml == """
                [accounts."at home"]
                provider = "suprsend"
                public_key = "SS.PUBK.x"
                distinct_id = "anna"
                tenant_id = "acme"
                token_command = ["pass", "a \\"b\\""]
                hub_url = "https://hub.example.com"
                ca_file = "/etc/ssl/work.pem"
                page_size = 30
                language = "es"

                """
        )
        service.token = .secret(TokenItem(account: "work").attributes)
        #expect(account("work", service).toml.contains("\ntoken_secret = true\n"))
        #expect(account("other", service).toml.contains("token_secret = { account = \"work\", application = "))
        service.token = .file("/a b/\u{7F}\n")
        #expect(account("work", service).toml.contains("token_file = \"/a b/\\u007f\\n\"\n"))
    }

    @Test(
        "An account is added to a configuration with every other kind of table, and nothing else changes",
        arguments: [
            "[quiet]\nfrom = \"22:00\"\nto = \"07:00\"\ndays = [\"sat\"]\n",
            "[quiet]\nfrom = \"22:00\"\nto = \"07:00\"\n\n[popups]\ngroup_above = 2\n",
            "[popups]\nlocked = \"hide-text\"\n\n[quiet]\nfrom = \"22:00\"\nto = \"07:00\"",
            "quiet = { from = '22:00', to = '07:00' }\r\naccounts = {}",
        ]
    ) func everyTable(text: String) throws {
        let added = account("work", service)
        let before = try Configuration(toml: text, file: "f")
        #expect(before.quiet != nil)
        let layers = try ConfigurationLayers(try Configuration.files(adding: added, to: text))
        let after = try Configuration(layers, services: Services.all)
        #expect(after == Configuration(accounts: [added], popups: before.popups, quiet: before.quiet))
    }

    @Test(
        "Special characters in an account are read back as they were written",
        arguments: [
            "a.b", "a b", "\"", "\\", "'", "]", "[accounts.x]", "#", "ä", "🔔", "=", "a\u{301}", "-", "0", "true",
            "\u{200B}",
            "\u{FEFF}", "\u{85}", "\\u0041", "\"\"\"", "''", "$(id)", "../..", "%", "\u{2028}",
        ]
    ) func specialCharacters(text: String) throws {
        var service = service
        service.publicKey = text
        service.distinctID = "\(text)\n\r\t\u{1}\u{1B}[31m\u{7F}\(text)"
        service.tenantID = text
        service.token = .command([text, "\n\(text)", ""])
        let name = text.unicodeScalars.contains("\u{85}") ? "plain" : text
        #expect(try accounts("[popups]\n", adding: account(name, service)) == [account(name, service)])
        service.token = .secret([text: "\(text)\n", "b\u{8}": ""])
        #expect(try accounts("", adding: account(name, service)) == [account(name, service)])
    }

    @Test("Random texts in an account are read back as they were written") func randomTexts() throws {
        var generator = SeededGenerator(seed: 4711)
        for _ in 0..<300 {
            func text(_ length: Int) -> String {
                var text = ""
                for _ in 0..<length {
                    let limit: UInt32 = Bool.random(using: &generator) ? 0x80 : 0x11_0000
                    text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: 1..<limit, using: &generator)) ?? "x")
                }
                return text
            }
            var service = service
            (service.publicKey, service.distinctID, service.tenantID) = (text(9), text(9), text(9))
            service.token = .file(text(9))
            #expect(try accounts("# a\n", adding: account("work", service)) == [account("work", service)])
        }
    }

    @Test("A duplicate account name is rejected") func duplicateName() {
        let text = account("work", service).toml
        #expect(
            throws: Configuration.AdditionFailure.nameInUse(
                "f already has an account \"work\". Choose another name."
            )
        ) { try Configuration.files(adding: account("work", service), to: text) }
    }

    @Test(
        "An account name that is empty, too long or has control characters is rejected",
        arguments: ["", "a\nb", "a\u{7F}", String(repeating: "x", count: 65)]
    ) func invalidName(name: String) {
        #expect(
            throws: Configuration.AdditionFailure.rejected(
                "An account's name must have 1 to 64 bytes and no control characters."
            )
        ) { try Configuration.files(adding: account(name, service), to: "") }
    }

    @Test("An invalid value is rejected") func invalidValue() {
        var service = service
        service.apiURL = "http://example.com"
        let failure = #expect(throws: Configuration.AdditionFailure.self) {
            try Configuration.files(adding: account("work", service), to: "")
        }
        guard case .rejected(let sentence)? = failure else {
            Issue.record("it was not refused")
            return
        }
        #expect(sentence.hasPrefix("\"accounts.work.api_url\" is invalid."))
    }

    @Test("No account is added to an invalid configuration")
    func invalidConfiguration() {
        let mistake = ConfigurationError(
            file: "f",
            line: 1,
            problem: "\"x\" is not a key of the configuration. The nearest valid key is \"inbox\"."
        )
        #expect(throws: Configuration.AdditionFailure.configuration(mistake)) {
            try Configuration.files(adding: account("work", service), to: "x = 1")
        }
    }
}
