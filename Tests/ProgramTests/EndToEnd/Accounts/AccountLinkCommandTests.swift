import AgentInterface
import AgentTestSupport
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Links and files for a new account, through the built programs.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct AccountLinkCommandTests {
    /// A file of a company whose servers are the sandbox.
    static func file(_ sandbox: Sandbox = .current) -> String {
        """
        name = "home"
        provider = "suprsend"
        public_key = "SS.PUBK.sandbox"
        token_url = "\(sandbox.baseURL)\(SimulatedSignIn.backendPath)"
        issuer = "\(sandbox.baseURL)\(SimulatedSignIn.issuerPath)"
        client_id = "feedbell"

        """
    }

    private static func read(_ place: String) async throws -> Result<AccountDetails, AgentRequest.Failure> {
        try await AgentAnswer.result(of: .link(place))
    }

    private static func failure(_ place: String) async throws -> AgentRequest.Failure? {
        if case .failure(let failure) = try await read(place) { failure } else { nil }
    }

    @Test("A file is read by its path and by its address, and what is no such file is refused") func places()
        async throws
    {
        try await TemporaryFile.with("provider = \"suprsend\"\npublic_key = \"SS.PUBK.x\"\n") { file in
            let details = try await Self.read(file.path).get()
            #expect(details.values == ["public-key": "SS.PUBK.x"])
            let address = "file://" + file.path.replacing("c", with: "%63")
            #expect(try await Self.read(address).get() == details)
            for place in ["", file.directory, file.path + "x", "file://other" + file.path, "/dev/zero"] {
                let failure = try await Self.failure(place)
                #expect(failure?.kind == .invalidInput)
                #expect(failure?.reason.contains("cannot be read") == true, "\(place)")
            }
            try file.write("x")
            #expect(try await Self.failure(file.path)?.kind == .invalidInput)
            try file.write("# " + String(repeating: "x", count: 5_000))
            #expect(try await Self.failure(file.path)?.kind == .invalidInput)
        }
    }

    @Test(
        "On a terminal the command shows what a file proposes, and adds it only when the user agrees",
        .sandbox(BrowserSignInCommandTests.options("anna"))
    )
    func dialogue() async throws {
        let sandbox = Sandbox.current
        let host = try #require(sandbox.baseURL.split(separator: "/").last.map(String.init))
        try await TemporaryFile.with("") { file in
            let proposal = TemporaryFile(path: file.directory + "/home.feedbell")
            try proposal.write(Self.file(sandbox))
            let words = ["feedbell", "accounts", "add", "--link", proposal.path, "--no-verify", "--config", file.path]
            let shown = [
                ("A link proposes an account at SuprSend:", ""),
                ("  Public Key of the Workspace: SS.PUBK.sandbox", ""),
                ("You sign in at \(host). \(host) learns who you are.", ""),
            ]
            let refused = try await TerminalDialogue.run(words, shown + [("Go on? [y/N]: ", "\n")])
            #expect(refused.status == 64 && refused.shown.contains("Nothing was added."))
            #expect(!file.ofAccount("home").exists)
            let added = try await TerminalDialogue.run(
                words,
                shown + [
                    ("Go on? [y/N]: ", "y\n"), ("A name for this account [home]: ", "\n"),
                    ("Your user ID in this workspace, often your e-mail address: ", "anna\n"),
                    ("The tenant [default]: ", "\n"),
                ]
            )
            #expect(added.status == 0, "\(added.shown)")
            #expect(try file.ofAccount("home").read().contains("sign_in = { issuer = "))
            #expect(await sandbox.requests.isEmpty, "nothing was asked")
        }
    }
}
