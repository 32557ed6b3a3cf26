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

    private static func read(_ place: String) async throws -> (AccountDetails?, Programs.Outcome) {
        let outcome = try await Programs.run("feedbell-agent", ["account-link"], input: place)
        return (try? JSONDecoder().decode(AccountDetails.self, from: Data(outcome.output.utf8)), outcome)
    }

    @Test("A file is read by its path and by its address, and what is no such file is refused") func places()
        async throws
    {
        try await TemporaryFile.with("provider = \"suprsend\"\npublic_key = \"SS.PUBK.x\"\n") { file in
            let (details, _) = try await Self.read(file.path)
            #expect(details?.values == ["public-key": "SS.PUBK.x"])
            let address = "file://" + file.path.replacing("c", with: "%63")
            #expect(try await Self.read(address).0 == details)
            for place in ["", file.directory, file.path + "x", "file://other" + file.path, "/dev/zero"] {
                let outcome = try await Self.read(place).1
                #expect(outcome.status == .exited(65) && outcome.errors.contains("cannot be read"), "\(outcome)")
            }
            try file.write("x")
            #expect(try await Self.read(file.path).1.status == .exited(65))
            try file.write("# " + String(repeating: "x", count: 5_000))
            #expect(try await Self.read(file.path).1.status == .exited(65))
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
