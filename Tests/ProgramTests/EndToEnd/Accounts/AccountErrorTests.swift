import AgentInterface
import AgentTestSupport
import DBus
import Foundation
import Subprocess
import TestSupport
import Testing

/// Errors of `feedbell accounts add`, which then changes no file.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct AccountErrorTests {
    /// A rejected account changes no file.
    @Test("Invalid arguments are rejected and change no file") func invalidArguments() async throws {
        let before = "[accounts.work]\nprovider = \"suprsend\"\npublic_key = \"k\"\ndistinct_id = \"c\"\n"
        try await TemporaryFile.with(before) { file in
            let config = ["--config", file.path]
            let given = ["--public-key", "k", "--distinct-id", "d"]
            let cases: [(arguments: [String], code: Int32, sentence: String)] = [
                (["work", "--no-token"] + given, 64, "already has an account \"work\". Choose another name."),
                ([String(repeating: "x", count: 65), "--no-token"] + given, 64, "must have 1 to 64 bytes"),
                (
                    ["new", "--no-token", "--api-url", "http://a.example"] + given, 64,
                    "plain http is allowed for this computer only"
                ),
                (["new", "--no-token", "--token-stdin"] + given, 64, "exclude each other: --no-token, --token-stdin."),
                (["new", "--token-stdin"] + given, 65, "Standard input has no valid token."),
                (["--no-token"] + given, 64, "Cannot prompt without a terminal. Pass NAME."),
                (["new", "--no-token", "--distinct-id", "d"], 64, "Pass --public-key."),
                (["new", "--no-token", "--public-key", "k"], 64, "Pass --distinct-id."),
                (["new"] + given, 64, "Pass one of --token-stdin, --token-command, --token-file, --no-token."),
            ]
            for (arguments, code, sentence) in cases {
                let outcome = try await AccountsCommand.add(arguments + config)
                #expect(outcome.status == .exited(code), "\(arguments)")
                #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
                #expect(outcome.output.isEmpty)
            }
            #expect(try Files.text(file.path) == before)
            #expect(try Files.names(file.directory) == ["config.toml"])
        }
    }

    @Test("An account that a program has added is not replaced by another one with its name") func addedName()
        async throws
    {
        try await TemporaryFile.with("") { file in
            let config = ["--config", file.path]
            let first = ["work", "--token-stdin", "--no-secret-service"] + AccountsCommand.required + config
            let added = try await AccountsCommand.add(first, input: "eyJhIjoxfQ.eyJhIjoxfQ.one")
            #expect(added.status == .exited(0), "\(added.errors)")
            let (account, token) = (file.directory + "/accounts.d/work.toml", file.directory + "/tokens/work")
            let before = try [account, token].map(Files.text)
            let second = ["work", "--token-stdin", "--no-secret-service"] + AccountsCommand.required(user: "bob")
            let outcome = try await AccountsCommand.add(second + config, input: "eyJhIjoxfQ.eyJhIjoxfQ.two")
            #expect(outcome.status == .exited(64))
            #expect(outcome.errors.contains("already has an account \"work\". Choose another name."))
            let details = AccountDetails(
                name: "work",
                provider: "suprsend",
                values: ["public-key": "SS.PUBK.sandbox", "distinct-id": "bob"],
                hasTokenAlone: false
            )
            for request: AgentRequest in [
                .checkAccount(details, nil, isChange: false, isVerified: true, isComplete: true),
                .addAccount(details, nil, isChange: false, isVerified: false),
            ] {
                let failure = try await AgentAnswer.failure(of: request, configuration: file.path)
                #expect(failure?.kind == .invalidValue && failure?.options == ["name"])
            }
            #expect(try [account, token].map(Files.text) == before)
        }
    }

    @Test("An invalid configuration is not changed") func invalidConfiguration() async throws {
        try await TemporaryFile.with("[popups\n") { file in
            let outcome = try await AccountsCommand.add(
                ["work", "--token-stdin", "--config", file.path] + AccountsCommand.required,
                input: "t"
            )
            #expect(outcome.status == .exited(78))
            #expect(outcome.errors.contains("\(file.path):1: This is not valid TOML"))
            #expect(try Files.text(file.path) == "[popups\n")
            #expect(try Files.names(file.directory) == ["config.toml"])
        }
    }

    @Test("A dismissed prompt of the keyring adds nothing") func dismissedPrompt() async throws {
        try await TemporaryFile.with("") { file in
            try await withBus { bus in
                let fake = FakeSecretService(bus: bus, answer: .dismiss, isCollectionLocked: true)
                try await fake.appear()
                let outcome = try await AccountsCommand.add(
                    ["work", "--token-stdin", "--config", file.path] + AccountsCommand.required,
                    input: "t"
                )
                #expect(outcome.status == .exited(77))
                #expect(outcome.errors.contains("To store the token in a file, use --no-secret-service."))
                #expect(try Files.text(file.path).isEmpty)
                #expect(try Files.names(file.directory) == ["config.toml"])
            }
        }
    }

    @Test("An unwritable directory is reported") func unwritableDirectory() async throws {
        let outcome = try await AccountsCommand.add(
            ["work", "--no-token", "--config", "/proc/feedbell/config.toml"] + AccountsCommand.required
        )
        #expect(outcome.status == .exited(73))
        #expect(outcome.errors.contains("Cannot create the directory /proc/feedbell."))
    }

    @Test("An unknown service is an error that names the known ones") func unknownService() async throws {
        try await TemporaryFile.with("") { file in
            let other = try await AccountsCommand.add(
                ["work", "--provider", "other", "--config", file.path] + AccountsCommand.required
            )
            #expect(other.status == .exited(64))
            #expect(other.errors.contains("'other' is invalid for '--provider <provider>'."))
            #expect(other.errors.contains("Please provide one of 'suprsend'"))
            let known = try await AccountsCommand.add(
                ["work", "--provider", "suprsend", "--no-token", "--config", file.path] + AccountsCommand.required
            )
            #expect(known.status == .exited(0), "\(known.errors)")
        }
    }

    @Test(
        "A public key that the service's client rejects is not added",
        arguments: ["my work!", "schlüssel", ""]
    )
    func invalidPublicKey(key: String) async throws {
        try await TemporaryFile.with("") { file in
            let given = ["--public-key", key, "--distinct-id", "anna"]
            let outcome = try await AccountsCommand.add(["work", "--no-token", "--config", file.path] + given)
            #expect(outcome.status == .exited(64))
            #expect(outcome.errors.contains(key.isEmpty ? "public_key\" is empty" : "The public key contains a blank"))
            #expect(try Files.text(file.path).isEmpty)
        }
    }

    @Test("A token file that is missing, empty or readable by others is not added")
    func invalidTokenFile() async throws {
        try await TemporaryFile.with("") { (file) async throws in
            let path = file.directory + "/token"
            func refusal(_ text: String?, mode: Int = 0o600) async throws -> String {
                if let text {
                    let attributes: [FileAttributeKey: Any] = [.posixPermissions: mode]
                    #expect(
                        FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: attributes)
                    )
                }
                let outcome = try await AccountsCommand.add(
                    ["work", "--token-file", path, "--config", file.path] + AccountsCommand.required
                )
                #expect(outcome.status == .exited(64))
                return outcome.errors
            }
            #expect(try await refusal(nil).contains("\"\(path)\" (token_file) cannot be read; check that it exists"))
            #expect(try await refusal("secret-text\n", mode: 0o644).contains("Other users can read or change it"))
            #expect(try await refusal("\n").contains("contains no valid token"))
            #expect(try await !refusal("two secret-words\n").contains("secret-words"))
            #expect(try Files.text(file.path).isEmpty)
        }
    }
}
