import Agent
import AgentInterface
import Inbox
import Testing

private typealias LayerFile = ConfigurationLayers.File

private func preset(_ text: String, _ path: String = "/etc/xdg/feedbell/config.toml") -> LayerFile {
    LayerFile(.preset, path: path, text: text)
}

private func account(_ text: String, _ name: String = "work") -> LayerFile {
    LayerFile(.account, path: "/c/accounts.d/\(name).toml", text: text)
}

private func settings(_ text: String) -> LayerFile { LayerFile(.settings, path: "/c/settings.toml", text: text) }

private func personal(_ text: String) -> LayerFile { LayerFile(.personal, path: "/c/config.toml", text: text) }

/// The order of the configuration's files, and where each value comes from.
@Suite struct ConfigurationLayersTests {
    private static let specifiers = Specifiers(user: "anna", home: "/home/anna")

    private static func layers(_ files: [LayerFile]) throws(ConfigurationError) -> ConfigurationLayers {
        try ConfigurationLayers(files, specifiers: specifiers)
    }

    /// A value as text, with its file and line.
    private static func found(_ key: String, in files: [LayerFile]) throws -> String? {
        let node = try layers(files).node(try #require(ConfigurationKey(key)))
        return node.map { "\($0.value) \($0.file.split(separator: "/").last ?? ""):\($0.line)" }
    }

    @Test("The origin of an account is the preset that has keys of it, or else the user's file") func origins() throws {
        func table(_ name: String) -> String {
            "[accounts.\(name)]\nprovider = \"suprsend\"\npublic_key = \"k\"\ndistinct_id = \"\(name)\"\n"
        }
        let files = [
            preset(table("shared") + table("locked")), account(table("work")), account(table("both"), "both"),
            personal(table("own") + "[accounts.shared]\npage_size = 10\n[accounts.both]\npage_size = 10\n"),
        ]
        let accounts = try Configuration(try Self.layers(files), services: Services.all).accounts
        let origins = Dictionary(uniqueKeysWithValues: accounts.map { ($0.name, $0.origin) })
        #expect(
            origins == ["shared": .preset, "locked": .preset, "work": .program, "both": .config, "own": .config]
        )
    }

    @Test(
        "The value of a later file replaces that of an earlier one, key by key",
        arguments: [
            ([preset("[popups]\ngroup_above = 1")], "integer(1) config.toml:2"),
            (
                [
                    preset("[popups]\ngroup_above = 1", "/etc/xdg/a.toml"),
                    preset("[popups]\n\ngroup_above = 2", "/etc/xdg/b.toml"),
                ], "integer(2) b.toml:3"
            ),
            ([preset("popups.group_above = 1"), settings("[popups]\ngroup_above = 3")], "integer(3) settings.toml:2"),
            (
                [settings("[popups]\ngroup_above = 3"), personal("popups = { group_above = 4 }")],
                "integer(4) config.toml:1"
            ),
            (
                [settings("[popups]\ngroup_above = 3"), personal("[popups]\npictures = false")],
                "integer(3) settings.toml:2"
            ),
            ([personal("[popups]\npictures = false")], nil),
        ]
    )
    fileprivate func order(files: [LayerFile], expected: String?) throws {
        #expect(try Self.found("popups.group_above", in: files) == expected)
    }

    private static let work = "[accounts.work]\nprovider = \"suprsend\"\npublic_key = \"k\"\ndistinct_id = \"%u\"\n"

    @Test("Keys of an account come from several files, and accounts keep the order of the files")
    func accountKeys() throws {
        let files = [
            preset(Self.work + "hub_url = \"https://hub.example.com\"\n"),
            account("[accounts.home]\nprovider = \"suprsend\"\npublic_key = \"k\"\ndistinct_id = \"b\"", "home"),
            personal("[accounts.work]\npage_size = 7\n"),
        ]
        let configuration = try Configuration(try Self.layers(files), services: Services.all)
        #expect(configuration.accounts.map(\.name) == ["home", "work"])
        let service = try #require(configuration.accounts.last?.service as? SuprSendService)
        #expect(service.distinctID == "anna" && service.pageSize == 7)
        #expect(service.hubURL == "https://hub.example.com")
    }

    @Test(
        "A source of a secret replaces one of another kind in an earlier file",
        arguments: [
            "token_command = [\"pass\"]", "token_file = \"/t\"", "token_secret = true", "token_credential = 'a'",
        ]
    )
    func tokenSources(key: String) throws {
        let preset = preset(Self.work + "token_credential = \"work\"\n")
        let layers = try Self.layers([preset, personal("[accounts.work]\n\(key)\n")])
        let account = try #require(try Configuration(layers, services: Services.all).accounts.first)
        #expect(account.toml.contains(String(key.prefix { $0 != " " })))
        #expect(account.toml.contains("token_credential") == key.hasPrefix("token_credential"))
        let both = personal(Self.work.replacing("%u", with: "u") + "token_file = \"/t\"\n\(key)\n")
        guard !key.hasPrefix("token_file") else { return }
        #expect(throws: ConfigurationError.self) {
            try Configuration(try Self.layers([both]), services: Services.all)
        }
    }

    @Test(
        "%u, %h and %% are replaced in each text of a preset, and only there",
        arguments: [
            ("\"%u\"", "string(\"anna\")"), ("\"%h/x %u@example.com\"", "string(\"/home/anna/x anna@example.com\")"),
            ("\"100 %%\"", "string(\"100 %\")"), ("\"%%u\"", "string(\"%u\")"), ("\"ä%uä\"", "string(\"äannaä\")"),
            ("7", "integer(7)"),
        ]
    )
    func specifierTexts(text: String, expected: String) throws {
        #expect(try Self.found("a.b", in: [preset("[a]\nb = \(text)")]) == "\(expected) config.toml:2")
        let array = try #require(try Self.layers([preset("a = [\(text)]")]).node(ConfigurationKey(["a"])))
        guard case .array(let elements) = array.value else {
            Issue.record("no array")
            return
        }
        #expect("\(elements[0].value)" == expected)
        guard text != "7" else { return }
        #expect(try Self.found("a", in: [personal("a = \(text)")]) == "string(\(text)) config.toml:1")
    }

    @Test(
        "Mistakes name the file and line",
        arguments: [
            (
                [preset("\na = \"%x\"")],
                "/etc/xdg/feedbell/config.toml:2: A text of a preset has a % without a meaning. Use %u, %h, or %% "
                    + "for a percent sign."
            ),
            ([preset("a = \"50 %\""), personal("x")], "/etc/xdg/feedbell/config.toml:1: A text of a preset has a %"),
            ([settings("\n[popups]\n\ntimeout = true")], "/c/settings.toml:4: \"popups.timeout\" must be"),
            ([preset("[popups]"), personal("[popups]\ntimeuot = 5")], "/c/config.toml:2: \"timeuot\" is not a key"),
            ([preset("[popups]\ntimeuot = 5"), personal("[popups]")], "/etc/xdg/feedbell/config.toml:2: \"timeuot\""),
            ([account("[accounts.home]")], "/c/accounts.d/work.toml:1: A file in accounts.d has one account"),
            ([account("[accounts.work]\n[popups]")], "/c/accounts.d/work.toml:1: A file in accounts.d has one account"),
            ([account("")], "/c/accounts.d/work.toml:1: A file in accounts.d has one account"),
            ([settings("\n[accounts.work]")], "/c/settings.toml:2: Accounts are not configured here."),
            ([personal("\n[locked]\nkeys = []")], "/c/config.toml:2: \"locked\" is not a key of the configuration."),
            ([preset("[locked]\nkeys = [\"a b\"]")], "/etc/xdg/feedbell/config.toml:2: \"a b\" in \"locked.keys\""),
            ([preset("[locked]\nkey = []")], "/etc/xdg/feedbell/config.toml:2: \"key\" is not a key of [locked]."),
            (
                [preset("\n\n[accounts.work]\nprovider = \"suprsend\""), personal("[accounts.work]\npage_size = 3")],
                "/c/config.toml:1: [accounts.work] has no \"public_key\"."
            ),
        ]
    )
    fileprivate func mistakes(files: [LayerFile], expected: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(try Self.layers(files), services: Services.all)
        }
        #expect(error?.description.hasPrefix(expected) == true, "\(error?.description ?? "")")
    }

    @Test(
        "A locked key or table keeps the presets' value, and the ignored one is known with its line",
        arguments: [
            ("popups.group_above", ["popups.group_above settings.toml:2", "popups.group_above config.toml:3"]),
            (
                "popups",
                ["popups settings.toml:1", "popups config.toml:1"]
            ),
            ("popups.timeout", []),
            ("desktop", []),
        ]
    )
    func locks(key: String, ignored: [String]) throws {
        let files = [
            preset("[popups]\ngroup_above = 1\n[locked]\nkeys = [\"\(key)\"]", "/etc/a.toml"),
            preset("[popups]\ngroup_above = 2", "/etc/b.toml"),
            settings("[popups]\ngroup_above = 3"),
            personal("[popups]\npictures = false\ngroup_above = 4"),
        ]
        let layers = try Self.layers(files)
        #expect(layers.ignored.map { "\($0.key) \($0.file.dropFirst(3)):\($0.line)" } == ignored)
        #expect(layers.ignored.allSatisfy { $0.preset == "/etc/a.toml" })
        let configuration = try Configuration(layers, services: Services.all)
        #expect(configuration.popups.groupAbove == (ignored.isEmpty ? 4 : 2))
        #expect(configuration.popups.hasPictures == (key == "popups"))
        #expect(layers.lock(of: ConfigurationKey(["popups", "group_above"])) != nil || ignored.isEmpty)
    }

    @Test("A locked source of a secret locks the other kinds, and a locked account has no other keys")
    func lockedAccounts() throws {
        let token = preset(
            Self.work + "token_credential = \"work\"\n[locked]\nkeys = [\"accounts.work.token_credential\"]"
        )
        let other = personal("[accounts.work]\ntoken_file = \"/t\"\npage_size = 4")
        #expect(try Self.layers([token, other]).ignored.map(\.key.description) == ["accounts.work.token_file"])
        let whole = preset(Self.work + "[locked]\nkeys = [\"accounts.work\"]")
        #expect(try Self.layers([whole, other]).ignored.map(\.key.description) == ["accounts.work"])
        let all = preset("[locked]\nkeys = ['accounts']")
        let added = try Self.layers([all, account(Self.work)])
        #expect(try Configuration(added, services: Services.all).accounts.isEmpty)
    }

    @Test("Programs change whether popups show texts, unless a preset locks that or the personal file says it")
    func popupText() throws {
        let hide = "[popups]\ntext = \"hide\"\n"
        let cases: [(files: [LayerFile], isFixed: Bool)] = [
            ([], false), ([settings(hide)], false), ([preset(hide)], false), ([personal("")], false),
            ([preset(hide), settings(hide), personal("")], false), ([settings(hide), personal(hide)], true),
            ([preset("[locked]\nkeys = [\"popups\"]\n"), settings(hide)], true),
            ([preset(hide + "[locked]\nkeys = [\"popups.text\"]\n")], true),
        ]
        for (files, isFixed) in cases {
            #expect(try Configuration(Self.layers(files), services: Services.all).isPopupTextFixed == isFixed)
        }
    }

    @Test("The rules of all files are joined, and keep the order of their files") func rules() throws {
        func rules(_ titles: String...) -> String { titles.map { "[[rules]]\ntitle = \"\($0)\"\n" }.joined() }
        let mute = "[[rules]]\nid = \"m\"\ntitle = \"mute\"\nmute = true\nbadge = false\n"
        let files = [
            preset(rules("less"), "/etc/a.toml"), preset(rules("more"), "/etc/b.toml"),
            preset(rules("locked") + "[locked]\nkeys = [\"rules\"]\n", "/etc/c.toml"),
            settings(rules("made") + mute + rules("last")), personal(rules("own", "other")),
        ]
        let layers = try Self.layers(files)
        let read = try Configuration(layers, services: Services.all).popups.rules.rules
        #expect(
            read.map { "\($0.conditions.matches[0].patterns[0].source) \($0.id)" } == [
                "locked preset-3", "mute m", "own config-1", "other config-2", "made settings-1", "last settings-3",
                "more preset-2", "less preset-1",
            ]
        )
        #expect(layers.ignored.isEmpty)
        #expect(RuleFacts(Rules(read), of: layers.ruleLists, accounts: []).findings.map(\.level) == [.ok])
        let one = try Self.layers([settings(mute), personal(rules("own"))])
        #expect(RuleFacts(Rules(), of: one.ruleLists, accounts: []).findings == [], "nothing has changed")
    }

    @Test("Two rules of a file have different ids") func sameIDs() {
        let rule = "[[rules]]\nid = \"a\"\n"
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(try Self.layers([settings(rule + rule)]), services: Services.all)
        }
        #expect(error?.description == "/c/settings.toml:4: Two rules have the id \"a\". Remove one of the lines.")
    }

    @Test(
        "Names of keys are read and written as in TOML",
        arguments: [
            ("popups", ["popups"]), ("popups.timeout", ["popups", "timeout"]),
            ("accounts.\"a b\"", ["accounts", "a b"]),
            ("accounts.\"a.b\".token_file", ["accounts", "a.b", "token_file"]),
        ]
    )
    func names(text: String, names: [String]) {
        #expect(ConfigurationKey(text) == ConfigurationKey(names))
        #expect(ConfigurationKey(names).description == text)
        #expect(ConfigurationKey("\(text) = 1\nb") == nil)
        #expect(ConfigurationKey("\(text) ]") == nil)
    }
}
