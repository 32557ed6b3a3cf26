import Agent
import FoundationEssentials
import Inbox
import SuprSend
import Testing

@Suite struct ConfigurationTests {
    static let account = """
        [accounts.work]
        provider = "suprsend"
        public_key = "SS.PUBK.x"
        distinct_id = "anna+test@example.com"

        """

    @Test(
        "A tilde in a path stands for the home directory",
        arguments: [
            ("ca_file = \"~/ca.pem\"", "/ca.pem"), ("token_file = \"~/tok\"", "/tok"),
            ("token_command = [\"~/bin/token\", \"~/x\"]", "/bin/token"),
            ("[[rules]]\nicon = \"~/a.png\"", "/a.png"), ("[[rules]]\nsound = \"~/a.oga\"", "/a.oga"),
        ]
    )
    func homeDirectory(text: String, path: String) throws {
        let home = try #require(ProcessInfo.processInfo.environment["HOME"])
        let configuration = try Configuration(toml: Self.account + text, file: "f")
        let account = try #require(configuration.accounts.first)
        let service = try #require(account.service as? SuprSendService)
        var found: [String?] = [service.caFile]
        switch service.token {
        case .file(let path): found.append(path)
        case .command(let words):
            found.append(words[0])
            #expect(words[1] == "~/x", "an argument is no path")
        default: break
        }
        for rule in configuration.popups.rules.rules {
            found.append(rule.effects.icon)
            if case .file(let path) = rule.effects.sound { found.append(path) }
        }
        #expect(found.compactMap(\.self) == [home + path])
    }

    @Test("Every key is read") func allKeys() throws {
        let text =
            Self.account + """
                tenant_id = "acme"
                token_command = ["pass", "suprsend/work"]
                hub_url = "https://hub.example.com"
                api_url = "http://127.0.0.1:8080"
                socket_url = "http://[::1]:8080/"
                ca_file = "/etc/ssl/work.pem"
                page_size = 50
                language = "es-AR"
                preference_tags = "sales"
                inbox_url = "https://example.com/inbox"
                link_base = "https://app.example.com/"
                [[accounts.work.stores]]
                id = "unread"
                label = "Unread"
                read = false
                tags = ["tab1"]
                [[accounts.work.stores]]
                id = "all"
                categories = ["x"]
                archived = true

                [popups]
                timeout = 7.5
                group_above = 5
                mark_seen = "shown"
                open_schemes = ["https", "Slack"]
                critical_categories = ["incidents"]
                text = "hide"
                locked = "hide-text"
                buttons = ["snooze", "read", "snooze"]
                pictures = false
                private_picture_hosts = ["Avatars.lan", "::1"]

                [quiet]
                from = "22:30"
                to = "07:00"
                days = ["mon", "fri"]
                let_through = "critical"

                [inbox]
                keep = 100
                keep_days = 7

                [desktop]
                tray_icon = false
                launcher_badge = "always"
                """
        let configuration = try Configuration(toml: text, file: "config.toml")
        let expected = SuprSendService(
            publicKey: "SS.PUBK.x",
            distinctID: "anna+test@example.com",
            tenantID: "acme",
            token: .command(["pass", "suprsend/work"]),
            hubURL: "https://hub.example.com",
            apiURL: "http://127.0.0.1:8080",
            socketURL: "http://[::1]:8080",
            caFile: "/etc/ssl/work.pem",
            pageSize: 50,
            language: "es-AR",
            preferenceTags: "sales",
            stores: [
                .init(id: "unread", label: "Unread", read: false, archived: nil, tags: ["tab1"], categories: []),
                .init(id: "all", label: "all", read: nil, archived: true, tags: [], categories: ["x"]),
            ]
        )
        let account = AccountConfiguration(
            name: "work",
            service: expected,
            inboxURL: "https://example.com/inbox",
            linkBase: OpenableURL("https://app.example.com/", schemes: ["https"])
        )
        #expect(configuration.accounts == [account])
        #expect(
            configuration.popups
                == PopupPolicy(
                    timeout: .after(milliseconds: 7500),
                    groupAbove: 5,
                    markSeen: .shown,
                    openSchemes: ["https", "slack"],
                    criticalCategories: ["incidents"],
                    text: .hide,
                    locked: .hideText,
                    ownButtons: [.snooze, .read],
                    hasPictures: false,
                    privatePictureHosts: ["avatars.lan", "::1"]
                )
        )
        let hours = WeeklyHours(from: 22 * 60 + 30, to: 7 * 60, days: [.monday, .friday])
        let quiet = QuietHours(hours: hours, letsCriticalThrough: true)
        #expect(configuration.quiet == quiet)
        #expect(configuration.desktop == DesktopSettings(trayIcon: false, launcherBadge: .always))
        #expect(configuration.inbox == .init(count: 100, days: 7))
    }

    @Test("Missing keys have default values") func defaults() throws {
        let configuration = try Configuration(
            toml: Self.account + "[accounts.\"a b/c\"]\nprovider='suprsend'\npublic_key='k'\ndistinct_id='d'",
            file: "f"
        )
        #expect(configuration.accounts.map(\.name) == ["work", "a b/c"])
        #expect(configuration.popups == PopupPolicy())
        #expect(configuration.desktop == DesktopSettings(trayIcon: true, launcherBadge: .auto))
        #expect(configuration.inbox == .init(count: 5_000, days: 180))
        guard let account = configuration.accounts.first?.service as? SuprSendService else { return }
        #expect(account.tenantID == "default")
        #expect(account.pageSize == 20)
        #expect(account.token == nil)
        #expect(account.stores == nil)
        #expect(try Configuration(toml: "", file: "f") == Configuration())
    }

    @Test(
        "token_secret is true or a table of attributes",
        arguments: [
            ("token_secret = true", ["application": "org.feedbell.Agent", "account": "work"]),
            ("token_secret = { application = \"pass\", \"a b\" = \"\" }", ["application": "pass", "a b": ""]),
            ("[accounts.work.token_secret]\nuser = \"anna\"", ["user": "anna"]),
        ]
    ) func tokenSecret(_ text: String, _ attributes: [String: String]) throws {
        let configuration = try Configuration(toml: Self.account + text, file: "f")
        guard let account = configuration.accounts.first?.service as? SuprSendService else { return }
        #expect(account.token == .secret(attributes))
    }

    @Test("token_credential is the name of a credential, and inbox_url the address of a page") func credential() throws
    {
        let text = Self.account + "token_credential = \"work\"\ninbox_url = \"https://example.com/in box\"\n"
        let account = try #require(try Configuration(toml: text, file: "f").accounts.first)
        #expect(account.inboxURL == "https://example.com/in%20box")
        let service = try #require(account.service as? SuprSendService)
        #expect(service.token == .credential("work"))
        #expect(service.keys(account: "work").contains { $0 == ("token_credential", "\"work\"") })
        for (line, problem) in [
            ("token_credential = \"../work\"", "must be the name of a credential of the agent's unit"),
            ("token_credential = \"a\"\ntoken_file = \"/t\"", "Keep one of token_file, token_credential."),
            ("inbox_url = \"file:///etc/passwd\"", "\"accounts.work.inbox_url\" is invalid."),
            ("inbox_url = \"example.com\"", "Use the address of a page: https://…"),
            ("link_base = \"/orders\"", "\"accounts.work.link_base\" is invalid. Use the address of a page"),
            ("link_base = \"https://a@b.example\"", "\"accounts.work.link_base\" is invalid."),
        ] {
            let error = #expect(throws: ConfigurationError.self) {
                try Configuration(toml: Self.account + line, file: "f")
            }
            #expect(error?.problem.contains(problem) == true, "\(error?.problem ?? "")")
        }
    }

    @Test(
        "Relative addresses belong to link_base or, without it, to the site of inbox_url; a change is another session",
        arguments: [
            ("", nil), ("inbox_url = \"https://a.example:8443/inbox?x\"\n", "https://a.example:8443"),
            ("link_base = \"https://b.example/app\"\n", "https://b.example/app"),
            ("inbox_url = \"https://a.example\"\nlink_base = \"https://b.example/app\"\n", "https://b.example/app"),
        ]
    )
    func linkBase(keys: String, expected: String?) throws {
        let account = try #require(try Configuration(toml: Self.account + keys, file: "f").accounts.first)
        #expect(account.linkBase?.text == expected)
        let other = try #require(
            try Configuration(toml: Self.account + "link_base = \"https://c.example\"", file: "f").accounts.first
        )
        #expect(account != other)
    }

    @Test(
        "preference_tags is a tag, or an operator as a table or as JSON",
        arguments: [
            ("\"sales\"", .text("sales")), ("{ or = [\"sales\", \"ops\"] }", .or(["sales", "ops"])),
            ("{ or = [{ and = [\"sales\", \"manager\"] }, \"ops\"] }", .or([.and(["sales", "manager"]), "ops"])),
            ("{ not = \"admin\" }", .not("admin")), ("{ exists = false }", .exists(false)),
            ("'{\"or\":[{\"not\":\"a\"},\"b\"]}'", .or([.not("a"), "b"])),
            ("\"\"", nil), ("17", nil), ("[\"sales\"]", nil), ("{}", nil), ("{ or = [] }", nil),
            ("{ or = \"a\" }", nil),
            ("{ or = [\"\"] }", nil), ("{ or = [1] }", nil), ("{ not = { or = [\"a\"] } }", nil),
            ("{ xor = [\"a\"] }", nil),
            ("{ or = [\"a\"], and = [\"b\"] }", nil), ("{ exists = \"yes\" }", nil), ("'{\"or\":'", nil), ("'{}'", nil),
        ] as [(String, PreferenceTags?)]
    )
    func preferenceTags(value: String, expected: PreferenceTags?) throws {
        let text = Self.account + "preference_tags = \(value)\n"
        if let expected {
            let account = try #require(try Configuration(toml: text, file: "f").accounts.first)
            #expect((account.service as? SuprSendService)?.preferenceTags == expected)
        } else {
            let error = #expect(throws: ConfigurationError.self) { try Configuration(toml: text, file: "f") }
            let fault = value == "\"\"" ? "is empty" : "must be "
            #expect(error?.problem.hasPrefix("\"accounts.work.preference_tags\" \(fault)") == true && error?.line == 5)
        }
    }

    @Test(
        "A mistake is reported with its line and the valid values",
        arguments: [
            (
                "[popups]\ntimeuot = 3",
                "f:2: \"timeuot\" is not a key of [popups]. The nearest valid key is \"timeout\"."
            ),
            ("[popup]\n", "f:1: \"popup\" is not a key of the configuration. The nearest valid key is \"popups\"."),
            (
                account + "page_sise = 3",
                "f:5: \"page_sise\" is not a key of [accounts.work]. The nearest valid key is \"page_size\"."
            ),
            (
                account + "language = \"es_AR\"",
                "f:5: \"accounts.work.language\" is invalid. Use a language tag, such as \"es\" or \"es-AR\"."
            ),
            (account + "page_size = 300", "f:5: \"accounts.work.page_size\" must be from 1 to 100, not 300."),
            (
                account + "page_size = \"x\"",
                "f:5: \"accounts.work.page_size\" must be a whole number, but it is a string."
            ),
            ("[accounts.work]\n", "f:1: [accounts.work] has no \"provider\". Add provider = \"suprsend\"."),
            (
                "[accounts.work]\nprovider = \"suprsent\"",
                "f:2: \"accounts.work.provider\" cannot be \"suprsent\". Choose one of \"suprsend\", \"magicbell\"."
            ),
            (
                "[accounts.work]\nprovider = \"suprsend\"\n",
                "f:1: [accounts.work] has no \"public_key\". Add public_key = \"…\"."
            ),
            (
                "[accounts.\"My Work\"]\n",
                "f:1: [accounts.\"My Work\"] has no \"provider\". Add provider = \"suprsend\"."
            ),
            ("[quiet]\nto = \"07:00\"", "f:1: [quiet] has no \"from\". Add from = \"…\"."),
            (
                "[quiet]\nfrom = \"24:00\"\nto = \"07:00\"",
                "f:2: \"quiet.from\" must be a time of day such as \"22:00\", not \"24:00\"."
            ),
            ("[quiet]\nfrom = 22\n", "f:2: \"quiet.from\" must be a string in quotation marks, but it is an integer."),
            (
                "[quiet]\nfrom = \"22:00\"\nto = \"07:00\"\ndays = [\"monday\"]",
                "f:4: \"monday\" in \"quiet.days\" is not a day. "
                    + "Choose from \"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\", \"sun\"."
            ),
            (
                "[quiet]\nfrom = \"22:00\"\nto = \"07:00\"\nlet_through = \"all\"",
                "f:4: \"quiet.let_through\" cannot be \"all\". Choose one of \"critical\", \"nothing\"."
            ),
            ("accounts = 3", "f:1: \"accounts\" must be a table, written [accounts], but it is an integer."),
            (
                account + account.replacing("work", with: "home") + "page_size = 5\n",
                "f:5: [accounts.work] and [accounts.home] are the same inbox. Remove one of them."
            ),
            (
                account + "distinct_id2 = 1\n",
                "f:5: \"distinct_id2\" is not a key of [accounts.work]. The nearest valid key is \"distinct_id\"."
            ),
            (
                account + "tenant_id = \"\"",
                "f:5: \"accounts.work.tenant_id\" is empty. Set a value or remove the line."
            ),
            (
                account + "token_file = \"a\"\ntoken_command = [\"b\"]",
                "f:5: [accounts.work] names more than one source of its token. Keep one of token_command, token_file."
            ),
            (
                account + "token_command = []",
                "f:5: \"accounts.work.token_command\" must name a program, such as [\"pass\", \"suprsend/work\"]."
            ),
            (
                account + "api_url = \"http://example.com\"",
                "f:5: \"accounts.work.api_url\" is invalid. The API host \"http://example.com\" cannot be used: "
                    + "plain http is allowed for this computer only; use https."
            ),
            (
                account + "socket_url = \"ws://127.evil.example\"",
                "f:5: \"accounts.work.socket_url\" is invalid. The socket host \"ws://127.evil.example\" "
                    + "cannot be used: plain ws is allowed for this computer only; use wss."
            ),
            (
                account + "hub_url = \"example.com\"",
                "f:5: \"accounts.work.hub_url\" is invalid. The hub host \"example.com\" cannot be used: "
                    + "it must begin with https://."
            ),
            (
                account + "ca_file = \"work.pem\"",
                "f:5: \"accounts.work.ca_file\" must be an absolute path, starting with / or ~/."
            ),
            (
                account + "[[accounts.work.stores]]\nid = \"a\"\n[[accounts.work.stores]]\nid = \"a\"",
                "f:5: Two stores of [accounts.work] have the id \"a\". Use a different id for each."
            ),
            (
                account + "[[accounts.work.stores]]\nlabel = \"a\"",
                "f:5: [accounts.work.stores] has no \"id\". Add id = \"…\"."
            ),
            (
                "[popups]\ntimeout = \"soon\"",
                "f:2: \"popups.timeout\" must be \"default\", \"never\" or a number of seconds."
            ),
            ("[popups]\ntimeout = 0", "f:2: \"popups.timeout\" must be more than 0 and at most 86400 seconds."),
            ("[popups]\ntimeout = nan", "f:2: \"popups.timeout\" must be more than 0 and at most 86400 seconds."),
            (
                "[popups]\nmark_seen = \"always\"",
                "f:2: \"popups.mark_seen\" cannot be \"always\". Choose one of \"shown\", \"dismissed\", \"never\"."
            ),
            (
                "[popups]\nbuttons = [\"read\", \"delete\"]",
                """
                f:2: "popups.buttons" cannot be "delete". Choose one of "read", "archive", "snooze", "mute".
                """
            ),
            (
                "[popups]\nopen_schemes = [\"ht tp\"]",
                "f:2: \"ht tp\" in \"popups.open_schemes\" is not a URL scheme. Use a name such as \"https\"."
            ),
            (
                "[popups]\nprivate_picture_hosts = [\"https://x\"]",
                """
                f:2: "https://x" in "popups.private_picture_hosts" is not a host. Use a name or an address.
                """
            ),
            (
                "[popups]\nopen_schemes = 5",
                "f:2: \"popups.open_schemes\" must be an array of strings, but it is an integer."
            ),
        ] as [(String, String)]
    ) func mistakes(_ text: String, _ message: String) {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(toml: text, file: "f") }
        #expect(error?.description == message)
    }

    @Test(
        "An invalid token_secret is reported with its two valid forms",
        arguments: [
            ("token_secret = false", ""), ("token_secret = {}", ""), ("token_secret = \"work\"", ""),
            (
                "token_secret = { a = 5 }",
                "\"accounts.work.token_secret.a\" must be a string in quotation marks, but it is an integer."
            ),
            (
                "token_secret = true\ntoken_file = \"a\"",
                "[accounts.work] names more than one source of its token. Keep one of token_file, token_secret."
            ),
        ]
    ) func invalidTokenSecret(_ text: String, _ problem: String) {
        let form =
            "\"accounts.work.token_secret\" must be true, for the item that feedbell accounts add makes, or the "
            + "attributes of an item of yours, such as { service = \"suprsend\", user = \"anna\" }."
        let error = #expect(throws: ConfigurationError.self) { try Configuration(toml: Self.account + text, file: "f") }
        #expect(error?.problem == (problem.isEmpty ? form : problem))
    }

    @Test("A file that is not TOML is reported with the line") func notTOML() {
        let error = #expect(throws: ConfigurationError.self) { try Configuration(toml: "a = \nb", file: "f") }
        #expect(error?.line == 1)
        #expect(error?.description.hasPrefix("f:1: This is not valid TOML: ") == true)
    }
}
