import AgentInterface
import ArgumentParser
import FoundationEssentials
import Testing

@testable import Agent

/// A service takes one folder (`Echo`) and one line (`EchoAgent.services`), and is in the configuration, in
/// `accounts add`, in `doctor` and on the bus.
@Suite(.timeLimit(.minutes(5))) struct EchoServiceTests {
    private static let text = "[accounts.wall]\nprovider = \"echo\"\nurl = \"http://127.0.0.1:1\"\nuser = \"anna\"\n"

    private func configuration(_ text: String) throws(ConfigurationError) -> Configuration {
        try Configuration(toml: text, file: "f", services: EchoAgent.services)
    }

    @Test("A new service's accounts are read from the configuration, and written to it") func configuration()
        throws
    {
        let account = try #require(try configuration(Self.text).accounts.first)
        #expect((account.service as? EchoService)?.user == "anna" && account.toml == Self.text)
        let full = Self.text + "language = \"de\"\ntoken_file = \"/t\"\npage_size = 7\n"
        #expect(try configuration(full).accounts.first?.toml == full)
        let other = try configuration(Self.text.replacing("anna", with: "other"))
        #expect(account == account && [account] != other.accounts)
        #expect(account.service.key(of: account.service.owner) == "\"echo\" \"http://127.0.0.1:1\" \"anna\"")
        let errors = [
            ("[accounts.wall]\nprovider = \"echo\"\nurl = \"http://127.0.0.1:1\"\n", "has no \"user\""),
            ("[accounts.wall]\nprovider = \"echo\"\nuser = \"anna\"\n", "has no \"url\""),
            (Self.text.replacing("127.0.0.1:1", with: "example.com"), "plain http is allowed for this computer only"),
            (Self.text + "usr = \"x\"\n", "The nearest valid key is \"user\"."),
            (Self.text + "language = \"low\"\n", "Choose one of \"en\", \"de\"."),
            (Self.text + "token_command = []\n", "such as [\"pass\", \"echo/work\"]"),
            ("[accounts.wall]\nprovider = \"ohce\"\n", "\"echo\"."),
        ]
        for (text, problem) in errors {
            let error = #expect(throws: ConfigurationError.self) { try configuration(text) }
            #expect(error?.problem.contains(problem) == true, "\(error?.problem ?? "")")
        }
    }

    @Test("Each secret of a service has keys of its own, which messages name") func secrets() async throws {
        var table = ConfigurationTable(["hmac_file": "/nonexistent/hmac"], path: "accounts.wall", file: "f")
        let none = try TokenSource(&table, account: "wall", service: "echo")
        let hmac = try #require(try TokenSource(&table, named: "hmac", account: "wall", service: "echo"))
        try table.finish()
        #expect(none == nil && hmac == .file("/nonexistent/hmac"))
        #expect(hmac.pair(named: "hmac", account: "wall") == ("hmac_file", "\"/nonexistent/hmac\""))
        let reader = TokenReader(source: hmac, named: "hmac", clock: ContinuousClock(), keyring: Keyring(nil))
        let failure = await #expect(throws: TokenReader.Failure.self) { try await reader.read() }
        #expect(failure?.sentence.hasPrefix("\"/nonexistent/hmac\" (hmac_file) cannot be read;") == true)
    }

    @Test("A new service's options are those of accounts add, and make an account") func options() async throws {
        enum Catalog: ServiceCatalog {
            static var services: [ServiceDescription] { EchoAgent.services.map { $0.description } }
        }
        let values = ["url": "http://127.0.0.1:1", "user": "anna"]
        let options = try ServiceOptions<Catalog>.parse(
            ["--provider", "echo", "--url", "http://127.0.0.1:1", "--user", "anna"]
        )
        #expect(options.service == EchoService.description && options.values == values)
        #expect(try ServiceOptions<Catalog>.parse([]).service?.name == Services.all[0].description.name)
        #expect(throws: (any Error).self) { try ServiceOptions<Catalog>.parse(["--provider", "ohce"]) }
        // A program that does not know the services accepts every option, to say what is wrong instead.
        enum Nothing: ServiceCatalog { static var services: [ServiceDescription] { [] } }
        #expect(try ServiceOptions<Nothing>.parse(["--user", "anna"]).service == nil)
        let help = ServiceOptions<Catalog>.helpMessage(columns: 80)
        #expect(help.contains("--language <tag>") && help.contains("Your name at the service."))

        let account = try AccountConfiguration(name: "wall", service: EchoService.self, values: values, token: nil)
        try await EchoAgent.withFile("# mine\n") { file in
            let sentences = try await AccountAddition(account, to: file).run()
            let path = file.path(ofAccount: "wall")
            #expect(sentences == ["Added the account \"wall\" to \(path)."])
            #expect(try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self) == Self.text)
            var refusedValues = values
            refusedValues["user"] = "anna b"
            let refused = try AccountConfiguration(
                name: "other",
                service: EchoService.self,
                values: refusedValues,
                token: nil
            )
            await #expect(throws: AgentRequest.Failure.invalid("The user \"anna b\" contains a space.")) {
                try await AccountAddition(refused, to: file).check()
            }
        }
        #expect(throws: ServiceProblem.self) { try account.service.check(token: "eyJ") }
        #expect(throws: Never.self) { try account.service.check(token: "echo-1") }
    }
}
