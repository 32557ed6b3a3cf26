import AgentTestSupport
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// `feedbell accounts add` asks the service whether it accepts the account before it writes anything.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct AccountVerificationTests {
    /// The outcome of adding the account "work" to an empty configuration, and the text that it then has.
    private func add(
        _ options: [String],
        input: String = "",
        isVerified: Bool = true
    ) async throws -> (outcome: Programs.Outcome, text: String) {
        try await TemporaryFile.with("") { file in
            let outcome = try await AccountsCommand.add(
                ["work", "--config", file.path, "--no-secret-service"] + options,
                input: input,
                isVerified: isVerified
            )
            let added = file.ofAccount("work")
            let text = added.exists ? try added.read().replacing(file.directory, with: "DIR") : ""
            if outcome.status != .exited(0) {
                #expect(try Files.names(file.directory) == ["config.toml"], "neither a token nor another file")
            }
            return (outcome, text)
        }
    }

    /// Expects that nothing is added, with this exit code and exactly this sentence.
    private func expectRefusal(
        _ options: [String],
        input: String = "",
        code: Int32 = 77,
        _ sentence: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let (outcome, text) = try await add(options, input: input)
        #expect(outcome.status == .exited(code), sourceLocation: sourceLocation)
        #expect(outcome.errors == "feedbell: \(sentence)\n", sourceLocation: sourceLocation)
        #expect(outcome.output.isEmpty && text.isEmpty, sourceLocation: sourceLocation)
    }

    private func suprSend(key: String = "SS.PUBK.sandbox", user: String = "anna", at url: String) -> [String] {
        ["--public-key", key, "--distinct-id", user, "--hub-url", url, "--api-url", url, "--socket-url", url]
    }

    private func magicBell(key: String? = "pk_sandbox", user: String? = "user-1", at url: String) -> [String] {
        ["--provider", "magicbell", "--api-url", url] + (key.map { ["--api-key", $0] } ?? [])
            + (user.map { ["--external-id", $0] } ?? [])
    }

    @Test(
        "SuprSend: accepted values are added, others each give a sentence",
        .sandbox(users: ["anna"], expectsNoViolations: false)
    )
    func suprSend() async throws {
        let sandbox = Sandbox.current
        let url = sandbox.baseURL
        let token = try await sandbox.token(for: Recipient("anna"))
        let good = try await add(suprSend(at: url) + ["--token-stdin"], input: token)
        #expect(good.outcome.status == .exited(0), "\(good.outcome.errors)")
        #expect(good.text.contains("token_file = \"DIR/tokens/work\"\n"))
        #expect(await sandbox.state.hasOpenSockets == false, "no realtime connection is made")
        #expect(await !sandbox.requests.contains { $0.method != "GET" }, "nothing is changed")

        try await expectRefusal(
            suprSend(user: "bob", at: url) + ["--token-stdin"],
            input: token,
            "The token is for \"anna\", but \"distinct_id\" is \"bob\". Nothing was added."
        )
        try await expectRefusal(
            suprSend(at: url) + ["--token-stdin"],
            input: "no.jwt",
            code: 65,
            "That is not a token: it has three parts separated by dots and begins with \"eyJ\". Nothing was added."
        )
        let wrongKey = try await add(suprSend(key: "SS.PUBK.other", at: url) + ["--no-token"])
        #expect(wrongKey.outcome.status == .exited(77) && wrongKey.text.isEmpty)
        #expect(wrongKey.outcome.errors.contains("Compare \"public_key\" with the workspace's."))
        // The user can add an account without verification.
        let unverified = try await add(suprSend(key: "SS.PUBK.other", at: url) + ["--no-token"], isVerified: false)
        #expect(unverified.outcome.status == .exited(0) && unverified.text.contains("SS.PUBK.other"))
    }

    @Test("MagicBell: a wrong key, a missing and a wrong HMAC each give a sentence", .sandbox(.magicBell()))
    func magicBell() async throws {
        let sandbox = Sandbox.current
        let url = sandbox.baseURL
        let compare =
            "Compare \"api_key\", \"email\" and \"external_id\" of [accounts.work] with the project's."
        let hmacAdvice = " The HMAC must be of your external id or, without one, of your e-mail address."
        let good = try await add(magicBell(at: url) + ["--no-token"])
        #expect(good.outcome.status == .exited(0), "\(good.outcome.errors)")
        #expect(await sandbox.state.hasOpenSockets == false, "no realtime connection is made")
        #expect(await !sandbox.requests.contains { $0.method != "GET" }, "nothing is changed")

        try await expectRefusal(
            magicBell(key: "pk_other", at: url) + ["--no-token"],
            "MagicBell refused with status 401: The API key is unknown. \(compare) Nothing was added."
        )
        try await sandbox.execute("require-hmac", ["on": true])
        try await expectRefusal(
            magicBell(at: url) + ["--no-token"],
            "MagicBell refused with status 401: X-MAGICBELL-USER-HMAC is missing. \(compare)\(hmacAdvice) "
                + "Nothing was added."
        )
        let hmac = try await sandbox.execute("hmac", ["user": "user-1"])["hmac"]?.string ?? ""
        let accepted = try await add(magicBell(at: url) + ["--token-stdin"], input: hmac)
        #expect(accepted.outcome.status == .exited(0), "\(accepted.outcome.errors)")
        #expect(accepted.text.contains("hmac_file = \"DIR/tokens/work\"\n"))
        let other = try await sandbox.execute("hmac", ["user": "somebody-else"])["hmac"]?.string ?? ""
        try await expectRefusal(
            magicBell(at: url) + ["--token-stdin"],
            input: other,
            "MagicBell refused with status 401: The HMAC does not belong to the user. \(compare)\(hmacAdvice) "
                + "Nothing was added."
        )
        try await expectRefusal(
            magicBell(at: url) + ["--token-stdin"],
            input: "bm8=",
            code: 65,
            "That is not an HMAC: it has 44 characters, of which the last one is \"=\". Nothing was added."
        )
    }

    @Test("MagicBell: a user token alone is added from each source, and verified", .sandbox(.magicBell()))
    func userToken() async throws {
        let sandbox = Sandbox.current
        let alone = magicBell(key: nil, user: nil, at: sandbox.baseURL) + ["--token-alone"]
        let token = try await sandbox.token()
        let stored = try await add(alone + ["--token-stdin"], input: token)
        #expect(stored.outcome.status == .exited(0), "\(stored.outcome.errors)")
        #expect(stored.text.contains("user_token_file = \"DIR/tokens/work\"\n") && !stored.text.contains("api_key"))
        let printed = try await add(alone + ["--token-command", "echo", token])
        #expect(printed.outcome.status == .exited(0), "\(printed.outcome.errors)")
        #expect(printed.text.contains("user_token_command = [\"echo\", \"\(token)\"]\n"))

        try await expectRefusal(
            alone + ["--token-stdin"],
            input: "one.two",
            code: 65,
            "That is not a token: it has three parts separated by dots and begins with \"eyJ\". Nothing was added."
        )
        try await expectRefusal(
            alone + ["--token-command", "false"],
            """
            Cannot get the user token: "false" (user_token_command) failed: it exited with status 1. \
            Run "false" with its arguments in a terminal: it must exit with 0 and print the token on the first line. \
            Nothing was added.
            """
        )
        let expired = try await sandbox.token(lifetime: -90)
        let late = try await add(alone + ["--token-stdin"], input: expired)
        #expect(late.outcome.status == .exited(77) && late.text.isEmpty)
        #expect(late.outcome.errors.hasPrefix("feedbell: The user token expired "), "\(late.outcome.errors)")
        try await sandbox.execute("rotate-tokens")
        let rotated = try await add(alone + ["--token-stdin"], input: token)
        #expect(rotated.outcome.status == .exited(77) && rotated.text.isEmpty)
        #expect(rotated.outcome.errors.contains("The signature of the user token is wrong."))
        for output in [late.outcome.errors, rotated.outcome.errors] { #expect(!output.contains("eyJ")) }
    }

    @Test("The login with a token alone excludes what the token replaces", .sandbox(.magicBell()))
    func contradictions() async throws {
        let url = Sandbox.current.baseURL
        let alone = ["--provider", "magicbell", "--token-alone"]
        try await expectRefusal(
            magicBell(at: url) + ["--token-alone", "--token-stdin"],
            input: "t",
            code: 64,
            "--token-alone and --api-key exclude each other. Use one of them."
        )
        try await expectRefusal(
            alone + ["--no-token"],
            code: 64,
            "These options exclude each other: --no-token, --token-alone. Use one of them."
        )
        try await expectRefusal(
            alone,
            code: 64,
            "Cannot prompt without a terminal. Pass one of --token-stdin, --token-command, --token-file."
        )
        try await expectRefusal(
            ["--provider", "suprsend", "--token-alone", "--token-stdin"],
            input: "t",
            code: 64,
            "SuprSend has no login with a token alone. Omit --token-alone."
        )
        try await expectRefusal(
            ["--provider", "magicbell", "--no-token"],
            code: 64,
            "Cannot prompt without a terminal. Pass --api-key or --token-alone."
        )
    }

    @Test("A service that does not answer, or a gateway's page in its place, adds nothing", arguments: [true, false])
    func unanswered(isMagicBell: Bool) async throws {
        let options = isMagicBell ? SandboxOptions.magicBell() : SandboxOptions(users: ["anna"])
        func account(at url: String) -> [String] {
            (isMagicBell ? magicBell(at: url) : suprSend(at: url)) + ["--no-token"]
        }
        let advice = " Nothing was added. To add the account without a request to the service, use --no-verify.\n"
        try await Sandbox.with(options) { sandbox in
            let hostile = String(repeating: "<h1>\u{1B}[31m\u{202E}Sign in</h1>", count: 2_000)
            for status in [200, 403, 502] {
                let page = ServiceResponse(
                    status: status,
                    headers: ["Content-Type": "text/html"],
                    body: Array("<html>\(hostile)</html>".utf8)
                )
                await sandbox.inject(RequestFault(.respond(page), times: 1_000))
                let (outcome, text) = try await add(account(at: sandbox.baseURL))
                #expect(outcome.status == .exited(69) && text.isEmpty, "\(status): \(outcome.errors)")
                #expect(outcome.errors.hasSuffix(advice), "\(status): \(outcome.errors)")
                #expect(outcome.errors.utf8.count < 1_000 && !outcome.errors.contains("\u{1B}"))
                try await sandbox.execute("clear-faults")
            }
            await sandbox.inject(.status(429, type: "RATE_LIMITED", path: "/", times: 1_000))
            let limited = try await add(account(at: sandbox.baseURL)).outcome
            #expect(limited.status == .exited(69) && limited.errors.hasSuffix(advice), "\(limited.errors)")
        }
        let (outcome, text) = try await add(account(at: "http://127.0.0.1:1"))
        #expect(outcome.status == .exited(69) && text.isEmpty, "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix(advice), "\(outcome.errors)")
        let unverified = try await add(account(at: "http://127.0.0.1:1"), isVerified: false)
        #expect(unverified.outcome.status == .exited(0))
    }
}
