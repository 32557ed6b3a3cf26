import Agent
import AgentInterface
import ArgumentParser
import DBus
import FoundationEssentials
import Logging
import ServiceKit
import ServiceOptions
import Services
import Store
import TestSupport
import Testing
import Transport

/// The line that a service takes.
private let services: ServiceList = Services.all + [EchoService.self]

/// A service takes one folder (`Echo`) and one line (above), and is in the configuration, in `accounts add`, in
/// `doctor` and on the bus.
@Suite(.sessionBus, .timeLimit(.minutes(1))) struct EchoServiceTests {
    private static let text = "[accounts.wall]\nprovider = \"echo\"\ntext = \"hello\"\n"
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func configuration(_ text: String) throws(ConfigurationError) -> Configuration {
        try Configuration(toml: text, file: "f", services: services)
    }

    /// Runs `body` with a configuration file in a directory of its own.
    private func withFile(_ text: String, _ body: (ConfigurationFile) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "feedbell-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "config.toml").path
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: mode))
        try await body(ConfigurationFile(path: path, services: services))
    }

    private func environment(_ transport: NIOTransport) -> ServiceEnvironment {
        ServiceEnvironment(
            transport: transport,
            keyring: Keyring(nil),
            now: AgentEnvironment().now,
            logger: Self.logger
        )
    }

    @Test("A new service's accounts are read from the configuration, and written to it (13.2)") func configuration()
        throws
    {
        let account = try #require(try configuration(Self.text).accounts.first)
        #expect((account.service as? EchoService)?.text == "hello" && account.toml == Self.text)
        let other = try configuration(Self.text.replacing("hello", with: "other"))
        #expect(account == account && [account] != other.accounts)
        #expect(account.service.key(of: account.service.owner) == "\"echo\" \"hello\"")
        let errors = [
            ("[accounts.wall]\nprovider = \"echo\"\n", "has no \"text\""),
            (Self.text + "txet = \"x\"\n", "The nearest valid key is \"text\"."),
            (Self.text + "volume = \"low\"\n", "Choose one of \"normal\", \"high\"."),
            (Self.text + "token_command = []\n", "such as [\"pass\", \"echo/work\"]"),
            ("[accounts.wall]\nprovider = \"ohce\"\n", "\"echo\"."),
        ]
        for (text, problem) in errors {
            let error = #expect(throws: ConfigurationError.self) { try configuration(text) }
            #expect(error?.problem.contains(problem) == true, "\(error?.problem ?? "")")
        }
    }

    @Test("Each secret of a service has keys of its own, which messages name (13.2)") func secrets() async throws {
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

    @Test("A new service's options are those of accounts add, and make an account (13.2)") func options() async throws {
        enum Catalog: ServiceCatalog {
            static var services: [ServiceDescription] { ServicesTests.services.map { $0.description } }
        }
        let options = try ServiceOptions<Catalog>.parse(["--provider", "echo", "--text", "hello"])
        #expect(options.service == EchoService.description && options.values == ["text": "hello"])
        #expect(try ServiceOptions<Catalog>.parse([]).service?.name == Services.all[0].description.name)
        #expect(throws: (any Error).self) { try ServiceOptions<Catalog>.parse(["--provider", "ohce"]) }
        // A program that does not know the services accepts every option, to say what is wrong instead.
        enum Nothing: ServiceCatalog { static var services: [ServiceDescription] { [] } }
        #expect(try ServiceOptions<Nothing>.parse(["--text", "hello"]).service == nil)
        let help = ServiceOptions<Catalog>.helpMessage(columns: 80)
        #expect(help.contains("--volume <level>") && help.contains("What it says."))

        let account = try AccountConfiguration(
            name: "wall",
            service: EchoService.self,
            values: options.values,
            token: nil
        )
        try await withFile("# mine\n") { file in
            let sentences = try await AccountAddition(account, to: file).run()
            let path = file.path(ofAccount: "wall")
            #expect(sentences == ["Added the account \"wall\" to \(path)."])
            #expect(try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self) == Self.text)
            let refused = try AccountConfiguration(
                name: "other",
                service: EchoService.self,
                values: ["text": "hush"],
                token: nil
            )
            await #expect(throws: AccountAddition.Failure.rejected("Echo cannot say \"hush\".")) {
                try await AccountAddition(refused, to: file).check()
            }
        }
    }

    @Test("A new service's findings are those of doctor (13.2)") func findings() async throws {
        try await withFile(Self.text) { file in
            try await NIOTransport.withTransport(logger: Self.logger) { transport in
                let findings = await Check(file: file, environment: environment(transport)).run()
                #expect(findings.map(\.topic) == [.configuration, .network, .clock])
                #expect(findings.dropFirst().first?.sentence == "Echo answers: hello.")
            }
        }
    }

    @Test("A new service's account is on the bus, with its notifications (13.2)") func agent() async throws {
        try await withFile(Self.text) { file in
            try await NIOTransport.withTransport(logger: Self.logger) { transport in
                let environment = environment(transport)
                let agent = Agent(
                    version: "1",
                    file: file,
                    configuration: try await file.read(),
                    bus: try await Bus.connect(to: .address(SessionBus.address)),
                    store: StateStore(),
                    logger: Self.logger
                ) { (account, owner) throws(ConfigurationError) in
                    try Agent.AccountInbox(account, of: owner, environment: environment, store: StateStore())
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await agent.run() }
                    try await withBus { bus in
                        let owners = try await bus.nameOwnerChanges(of: AgentNames.busName)
                        for await change in owners where change.new != nil { break }
                        let account = Proxy(bus, AgentNames.busName, AgentNames.accountPath("wall"))
                        let changes = try await account.propertyChanges()
                        if try await account.get(AgentAccount.state) != "online" {
                            for await message in changes {
                                let values = try PropertyValues<AgentAccount>(changedIn: message)
                                if try values?.value(AgentAccount.state) == "online" { break }
                            }
                        }
                        #expect(try await account.get(AgentAccount.provider) == "echo")
                        #expect(try await account.get(AgentAccount.user) == "hello")
                        let notification = try await account.call(AgentInbox.get, "1")
                        #expect(notification["title"] == .string("hello"))
                    }
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
        }
    }
}
