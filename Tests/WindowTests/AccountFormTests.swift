import AgentInterface
import Testing

@testable import Window

@Suite struct AccountFormTests {
    typealias Field = AccountForm.Field

    private static let services = [
        ServiceDescription(
            name: "one",
            title: "One",
            options: [
                .init("public-key", help: "", label: "Public Key", question: "?", isNeeded: true),
                .init("tenant-id", help: "", label: "Tenant", question: "?", default: "default"),
                .init("api-url", help: "", label: "API Address"),
                .init("carrier", help: "", label: "Carrier", choices: ["socket", "ably"]),
            ]
        ),
        ServiceDescription(
            name: "two",
            title: "Two",
            tokenLabel: "HMAC",
            tokenLogin: .init(key: "user_token", question: "?", label: "User Token", replaced: ["api-key"]),
            options: [.init("api-key", help: "", label: "API Key", question: "?", isNeeded: true)],
            signInOptions: [
                .init("token-url", help: "", label: "Tokens", question: "?", isNeeded: true),
                .init("issuer", help: "", label: "Server", question: "?", isNeeded: true),
                .init("scopes", help: "", label: "Scopes"),
            ]
        ),
    ]

    private static func form(_ purpose: AccountForm.Purpose = .add, names: [String] = []) -> AccountForm {
        var form = AccountForm(purpose, names: names)
        #expect(form.beginning == [.load(purpose)])
        #expect(form.receive(.services(services)) == (purpose == .add ? [.focus(.service)] : []))
        return form
    }

    /// The request to save an account.
    private static func addition(
        _ name: String,
        _ provider: String,
        _ values: [String: String],
        _ token: NewToken? = nil,
        isChange: Bool = false
    ) -> [AccountForm.Effect] {
        let details = AccountDetails(name: name, provider: provider, values: values, hasTokenAlone: false)
        return [.submit(.addAccount(details, token, isChange: isChange, isVerified: true))]
    }

    private static func rows(_ form: AccountForm) -> [Field: FormRow<Field>] {
        let rows = form.groups.flatMap(\.rows).flatMap { [$0] + $0.rows }
        return Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }

    @Test("The form has the fields of the chosen service, and a name that no other account has") func fields() {
        var form = Self.form(names: ["work", "work-2"])
        var rows = Self.rows(form)
        #expect(rows[.name]?.value == .typed("work-3"))
        #expect(rows[.service]?.choices == ["One", "Two"] && rows[.service]?.value == .choice(0))
        #expect(rows[.option("tenant-id")]?.title == "Tenant (default if empty)")
        #expect(form.groups.last?.rows.first?.rows.first?.id == .option("tenant-id"), "the details are folded")
        #expect(rows[.token]?.title == "Token (optional)" && rows[.tokenAlone] == nil)
        _ = form.receive(.set(.service, .choice(1)))
        rows = Self.rows(form)
        #expect(rows[.option("api-key")] != nil && rows[.option("tenant-id")] == nil)
        #expect(rows[.token]?.title == "HMAC (optional)")
        _ = form.receive(.set(.tokenAlone, .toggle(true)))
        rows = Self.rows(form)
        #expect(rows[.option("api-key")] == nil && rows[.token]?.title == "User Token")
    }

    @Test("A sign-in with the browser takes the place of the token, where the program knows it") func browser() {
        var form = Self.form(names: ["home"])
        #expect(Self.rows(form)[.browser] == nil)
        _ = form.receive(.set(.service, .choice(1)))
        _ = form.receive(.set(.option("api-key"), .typed("k")))
        _ = form.receive(.set(.token, .secret("t0k3n")))
        #expect(Self.rows(form)[.browser]?.value == .toggle(false) && Self.rows(form)[.option("issuer")] == nil)
        _ = form.receive(.set(.browser, .toggle(true)))
        let rows = Self.rows(form)
        #expect(rows[.token] == nil && rows[.tokenInFile] == nil && rows[.option("issuer")] != nil)
        #expect(form.groups.last?.rows.first?.rows.first?.id == .option("scopes"), "the details are folded")
        #expect(form.receive(.submit) == [.focus(.option("token-url"))])
        _ = form.receive(.set(.option("token-url"), .typed("https://a")))
        _ = form.receive(.set(.option("issuer"), .typed("https://b")))
        let values = ["api-key": "k", "issuer": "https://b", "token-url": "https://a"]
        #expect(form.receive(.submit) == Self.addition("work", "two", values))
        let refused = AgentRequest.Failure(.refused, "It is no address of tokens.", options: ["token-url"])
        #expect(form.receive(.ended(refused)) == [.focus(.option("token-url"))])
        #expect(Self.rows(form)[.option("token-url")]?.problem.hasSuffix(": It is no address of tokens.") == true)
        _ = form.receive(.set(.option("token-url"), .typed("https://c")))
        _ = form.receive(.submit)
        #expect(form.receive(.ended(nil)) == [.saved(account: "work", mustSignIn: true)])
    }

    @Test("Who gives up the sign-in with the browser has to give a token") func leavingTheBrowser() {
        var form = Self.form(.change(account: "work"))
        let values = ["api-key": "k", "token-url": "https://a", "issuer": "https://b"]
        _ = form.receive(.details(AccountDetails(provider: "two", values: values, hasTokenAlone: false)))
        #expect(Self.rows(form)[.browser]?.value == .toggle(true) && Self.rows(form)[.token] == nil)
        #expect(form.canSubmit && !form.isChanged)
        _ = form.receive(.set(.browser, .toggle(false)))
        #expect(form.receive(.submit) == [.focus(.token)])
        _ = form.receive(.set(.token, .secret("t0k3n")))
        let token = NewToken.stored("t0k3n", inFile: false)
        #expect(form.receive(.submit) == Self.addition("work", "two", ["api-key": "k"], token, isChange: true))
    }

    @Test("It can be saved when what is needed is given") func completeness() {
        var form = Self.form()
        #expect(!form.canSubmit && form.receive(.submit) == [.focus(.option("public-key"))])
        #expect(Self.rows(form)[.option("public-key")]?.problem == "This is needed.")
        _ = form.receive(.set(.option("public-key"), .typed(" SS.PUBK.x\n")))
        #expect(form.canSubmit)
        #expect(Self.rows(form)[.option("public-key")]?.value == .typed(" SS.PUBK.x\n"), "a text stays as it is typed")
        _ = form.receive(.set(.name, .typed("")))
        #expect(!form.canSubmit)
        _ = form.receive(.set(.name, .typed("home")))
        _ = form.receive(.set(.token, .secret("t0k3n")))
        let token = NewToken.stored("t0k3n", inFile: false)
        #expect(form.receive(.submit) == Self.addition("home", "one", ["public-key": "SS.PUBK.x"], token))
        #expect(!form.canSubmit && form.message == "Asking One …")
        #expect(form.receive(.ended(nil)) == [.saved(account: "home", mustSignIn: false)])
    }

    @Test("What was typed and not saved is known, so that it is not lost unasked") func changes() {
        var form = Self.form()
        #expect(!form.isChanged)
        _ = form.receive(.set(.option("public-key"), .typed("x")))
        #expect(form.isChanged)
        _ = form.receive(.set(.option("public-key"), .typed("")))
        #expect(!form.isChanged)
        _ = form.receive(.set(.name, .typed("home")))
        #expect(form.isChanged)
        _ = form.receive(.set(.name, .typed("work")))
        _ = form.receive(.set(.token, .secret("x")))
        #expect(form.isChanged)
        form = Self.form(.change(account: "work"))
        let details = AccountDetails(provider: "one", values: ["public-key": "a"], hasTokenAlone: false)
        _ = form.receive(.details(details))
        _ = form.receive(.set(.option("public-key"), .typed("a")))
        #expect(!form.isChanged)
        _ = form.receive(.set(.option("public-key"), .typed("b")))
        #expect(form.isChanged)
    }

    @Test("A name that another account has is refused, also if another program adds it meanwhile") func usedName() {
        var form = Self.form(names: ["work"])
        _ = form.receive(.set(.option("public-key"), .typed("x")))
        #expect(form.canSubmit)
        _ = form.receive(.set(.name, .typed(" work")))
        #expect(Self.rows(form)[.name]?.problem == "Another account has this name." && !form.canSubmit)
        #expect(form.receive(.submit) == [.focus(.name)])
        _ = form.receive(.set(.service, .choice(1)))
        _ = form.receive(.set(.tokenAlone, .toggle(true)))
        #expect(Self.rows(form)[.name]?.problem == "Another account has this name.")
        _ = form.receive(.set(.name, .typed("home")))
        #expect(Self.rows(form)[.name]?.problem == "")
        _ = form.receive(.names(["work", "home"]))
        #expect(Self.rows(form)[.name]?.problem == "Another account has this name.")
        _ = form.receive(.names(["work"]))
        #expect(Self.rows(form)[.name]?.problem == "")
        _ = form.receive(.set(.token, .secret("t")))
        _ = form.receive(.submit)
        let used = AgentRequest.Failure(.invalidValue, "A file already has an account.", options: ["name"])
        #expect(form.receive(.ended(used)) == [.focus(.name)])
        #expect(
            Self.rows(form)[.name]?.problem == "Choose another name, with letters and digits.\n"
                + "For your administrator: A file already has an account."
        )
    }

    @Test("An option with few values is a choice, of which the first one leaves it to the program") func choice() {
        var form = Self.form()
        _ = form.receive(.set(.option("public-key"), .typed("x")))
        #expect(Self.rows(form)[.option("carrier")]?.choices == ["Automatic", "socket", "ably"])
        func isSubmitted(_ index: Int) -> Bool {
            _ = form.receive(.set(.option("carrier"), .choice(index)))
            #expect(Self.rows(form)[.option("carrier")]?.value == .choice(index))
            var copy = form
            guard case .submit(.addAccount(let details, _, _, _)) = copy.receive(.submit).first else { return false }
            return details.values["carrier"] == "ably"
        }
        #expect(isSubmitted(2) && !isSubmitted(0))
    }

    @Test("A token alone needs a token") func tokenAlone() {
        var form = Self.form()
        _ = form.receive(.set(.service, .choice(1)))
        _ = form.receive(.set(.tokenAlone, .toggle(true)))
        #expect(!form.canSubmit)
        _ = form.receive(.set(.token, .secret("t")))
        #expect(form.canSubmit)
    }

    @Test("When typing pauses, each changed value is checked alone, and what is wrong stands at its field")
    func checks() throws {
        var form = Self.form()
        #expect(form.receive(.set(.option("public-key"), .typed("x"))) == [.waitForPause(1)])
        #expect(form.receive(.set(.option("public-key"), .typed("xy"))) == [.waitForPause(2)])
        #expect(form.receive(.paused(1)) == [])
        let request = AgentRequest.checkAccount(
            AccountDetails(provider: "one", values: ["public-key": "xy"], hasTokenAlone: false),
            nil,
            isChange: false,
            isVerified: true,
            isComplete: true
        )
        #expect(form.receive(.paused(2)) == [.check(.option("public-key"), 2, request)])
        _ = form.receive(.checked(.option("public-key"), 2, .init(.invalidValue, "It is\nno key.")))
        let problem = "This value is not possible.\nFor your administrator: It is no key."
        #expect(Self.rows(form)[.option("public-key")]?.problem == problem && !form.canSubmit)
        #expect(form.receive(.set(.option("public-key"), .typed("xyz"))) == [.waitForPause(3)])
        #expect(Self.rows(form)[.option("public-key")]?.problem == "")
        _ = form.receive(.checked(.option("public-key"), 2, .init(.invalidValue, "Late.")))
        #expect(Self.rows(form)[.option("public-key")]?.problem == "", "the check of an earlier text")
    }

    @Test("What the service refuses stands at the field that it is about, otherwise above the form") func refusals() {
        var form = Self.form()
        _ = form.receive(.set(.option("public-key"), .typed("x")))
        _ = form.receive(.submit)
        let wrongKey = AgentRequest.Failure(.refused, "One refuses it.", options: ["public-key"])
        #expect(form.receive(.ended(wrongKey)) == [.focus(.option("public-key"))])
        let problem = "One does not accept this.\nFor your administrator: One refuses it."
        #expect(Self.rows(form)[.option("public-key")]?.problem == problem && form.message == nil)
        _ = form.receive(.set(.option("public-key"), .typed("y")))
        _ = form.receive(.submit)
        #expect(form.receive(.ended(.init(.unavailable, "One did not answer."))) == [.focus(nil)])
        let advice = "To save the account all the same, open \"More Options\" and switch off \"Ask the Service First\"."
        let reason = "One does not answer. Check that this computer is online."
        #expect(form.message == "\(reason) \(advice)\nFor your administrator: One did not answer." && form.canSubmit)
        _ = form.receive(.submit)
        _ = form.receive(.ended(.init(.refused, "It is locked.", options: ["no-secret-service"])))
        #expect(
            Self.rows(form)[.tokenInFile]?.problem
                == "The keyring is locked, or does not work. Switch this on to do without the keyring.\n"
                + "For your administrator: It is locked."
        )
        _ = form.receive(.set(.tokenInFile, .toggle(true)))
        _ = form.receive(.set(.verification, .toggle(false)))
        _ = form.receive(.set(.token, .secret("t")))
        guard case .submit(.addAccount(_, let token, _, let isVerified)) = form.receive(.submit).first else {
            return #expect(Bool(false))
        }
        #expect(token == .stored("t", inFile: true) && !isVerified)
    }

    @Test("Of several fields that may be wrong, a change of any lets it be saved again") func doubtfulFields() {
        var form = Self.form()
        _ = form.receive(.set(.option("public-key"), .typed("x")))
        _ = form.receive(.submit)
        let refused = AgentRequest.Failure(.refused, "One refuses it.", options: ["public-key", "token"])
        #expect(form.receive(.ended(refused)) == [.focus(nil)])
        #expect(form.message == "One does not accept this: Public Key.\nFor your administrator: One refuses it.")
        #expect(form.canSubmit)
        var rows = Self.rows(form)
        #expect(
            rows[.option("public-key")]?.problem == "This may be wrong." && rows[.option("tenant-id")]?.problem == ""
        )
        #expect(rows[.token]?.problem == "The service may need it.")
        _ = form.receive(.set(.token, .secret("t")))
        rows = Self.rows(form)
        #expect(form.message == nil && form.canSubmit && rows.allSatisfy { $0.value.problem.isEmpty })
    }

    @Test("A change begins with the present values and keeps the token if there is no other") func change() {
        var form = Self.form(.change(account: "work"))
        #expect(form.groups.isEmpty && !form.canSubmit)
        _ = form.receive(.details(AccountDetails(provider: "one", values: ["public-key": "k"], hasTokenAlone: false)))
        let rows = Self.rows(form)
        #expect(rows[.option("public-key")]?.value == .typed("k") && rows[.service] == nil && rows[.name] == nil)
        #expect(rows[.token]?.title == "Token (empty to keep it)")
        #expect(form.receive(.submit) == Self.addition("work", "one", ["public-key": "k"], isChange: true))
    }

    @Test("An account of a file that programs do not change says so") func unusable() {
        var form = Self.form(.change(account: "work"))
        #expect(form.receive(.unusable("It is in your file.")) == [.focus(nil)])
        #expect(form.message == "It is in your file." && form.groups.isEmpty && !form.canSubmit)
    }

    @Test("Signing in again asks for a token only") func signIn() {
        var form = AccountForm(.signIn(account: "work"))
        #expect(form.receive(.submit) == [])
        #expect(form.receive(.loaded) == [.focus(.token)])
        #expect(Self.rows(form).map(\.key) == [.token] && !form.canSubmit)
        _ = form.receive(.set(.token, .secret("new")))
        #expect(
            form.receive(.submit) == [
                .submit(.storeToken("new", account: "work", isVerified: true))
            ]
        )
        _ = form.receive(.ended(.init(.refused, "The service refuses it.")))
        let problem = "work does not accept this.\nFor your administrator: The service refuses it."
        #expect(Self.rows(form)[.token]?.problem == problem)
        _ = form.receive(.set(.token, .secret("newer")))
        _ = form.receive(.submit)
        _ = form.receive(.ended(.init(.invalidInput, "It has two lines.")))
        let malformed = "This is not the whole Token.\nFor your administrator: It has two lines."
        #expect(Self.rows(form)[.token]?.problem == malformed)
    }
}
