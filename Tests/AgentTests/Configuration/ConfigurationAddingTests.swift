import Agent
import ServiceKit
import Services
import TestSupport
import Testing

@Suite struct ConfigurationAddingTests {
    private func account(_ name: String, _ service: SuprSendService) -> AccountConfiguration {
        AccountConfiguration(name: name, service: service)
    }

    private let service = SuprSendService(publicKey: "SS.PUBK.x", distinctID: "anna")

    /// Adds and reads again.
    private func accounts(_ text: String, adding account: AccountConfiguration) throws -> [AccountConfiguration] {
        try Configuration(toml: try Configuration.text(text, adding: account, file: "f"), file: "f").accounts
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

    /// Everything that is there stays: comments, white space, a last line without an end, Windows' line ends.
    @Test(
        "Adding an account keeps comments, white space and line ends",
        arguments: [
            ("", ""), ("# only a comment", "\n\n"), ("# a\n\n[popups] # b\n  group_above=5 # c\n", "\n"),
            ("[popups]\r\ngroup_above = 5\r\n", "\n"),
            (
                "[accounts.home]\nprovider='suprsend'\npublic_key='k'\ndistinct_id='d'\n"
                    + "[[accounts.home.stores]]\nid='x'",
                "\n\n"
            ),
        ]
    ) func existingText(text: String, between: String) throws {
        let added = account("work", service)
        #expect(try Configuration.text(text, adding: added, file: "f") == text + between + added.toml)
        let before = try Configuration(toml: text, file: "f").accounts
        #expect(try accounts(text, adding: added) == before + [added])
    }

    @Test(
        "An account is added to a configuration with every other kind of table, and nothing else changes",
        arguments: [
            "[quiet]\nfrom = \"22:00\"\nto = \"07:00\"\ndays = [\"sat\"]\n",
            "[quiet]\nfrom = \"22:00\"\nto = \"07:00\"\n\n[popups]\ngroup_above = 2\n",
            "[popups]\nlocked = \"hide-text\"\n\n[quiet]\nfrom = \"22:00\"\nto = \"07:00\"",
        ]
    ) func everyTable(text: String) throws {
        let added = account("work", service)
        let before = try Configuration(toml: text, file: "f")
        #expect(before.quiet != nil)
        let after = try Configuration(toml: try Configuration.text(text, adding: added, file: "f"), file: "f")
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
            throws: Configuration.AdditionFailure.rejected(
                "f already has an account \"work\". Choose another name."
            )
        ) { try Configuration.text(text, adding: account("work", service), file: "f") }
    }

    @Test(
        "An account name that is empty, too long or has control characters is rejected",
        arguments: ["", "a\nb", "a\u{7F}", String(repeating: "x", count: 65)]
    ) func invalidName(name: String) {
        #expect(
            throws: Configuration.AdditionFailure.rejected(
                "An account's name must have 1 to 64 bytes and no control characters."
            )
        ) { try Configuration.text("", adding: account(name, service), file: "f") }
    }

    @Test("An invalid value is rejected") func invalidValue() {
        var service = service
        service.apiURL = "http://example.com"
        let failure = #expect(throws: Configuration.AdditionFailure.self) {
            try Configuration.text("", adding: account("work", service), file: "f")
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
            try Configuration.text("x = 1", adding: account("work", service), file: "f")
        }
        let closed = "accounts = { home = { provider = 'suprsend', public_key = 'k', distinct_id = 'd' } }"
        let form = ConfigurationError(
            file: "f",
            problem: "Cannot add to this form of \"accounts\". Write each account as [accounts.NAME]."
        )
        #expect(throws: Configuration.AdditionFailure.configuration(form)) {
            try Configuration.text(closed, adding: account("work", service), file: "f")
        }
    }
}
