import AgentInterface
import FakeSecretService
import Foundation
import Sandbox
import Subprocess
import TestSupport
import Testing

@testable import ServiceKit
@testable import Services

/// `feedbell-agent check` as `feedbell doctor` runs it, against what really goes wrong.
@Suite(.sessionBus, .timeLimit(.minutes(1))) struct CheckTests {
    /// What it finds with this configuration, whose path is replaced by `FILE`.
    private func check(_ text: String, mode: Int = 0o600) async throws -> [Finding] {
        try await TemporaryFile.with(text) { file in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            return try await Self.findings(["check", "--config", file.path]).map { finding in
                var finding = finding
                finding.sentence.replace(file.path, with: "FILE")
                finding.remedy?.replace(file.path, with: "FILE")
                return finding
            }
        }
    }

    private static func findings(_ arguments: [String]) async throws -> [Finding] {
        let outcome = try await Programs.run("feedbell-agent", arguments)
        #expect(outcome.status == .exited(0))
        #expect(outcome.errors.isEmpty)
        return try outcome.output.split(separator: "\n").map {
            try JSONDecoder().decode(Finding.self, from: Data($0.utf8))
        }
    }

    /// What it finds about the account of `anna` at a sandbox.
    private func check(
        requiringTokens: Bool = false,
        clockOffset: Int64 = 0,
        prepare: (Sandbox) async throws -> String = { _ in "" }
    ) async throws -> [Finding] {
        let options = SandboxOptions(
            users: ["anna"],
            requireToken: requiringTokens,
            clockOffset: clockOffset
        )
        return try await Sandbox.with(options) { sandbox in
            let keys = try await prepare(sandbox)
            let findings = try await check(
                AgentConfiguration.account("work", user: "anna", url: sandbox.baseURL, hasToken: false) + keys
            )
            #expect(await sandbox.violations.isEmpty)
            #expect(findings.first?.sentence == "FILE is valid and configures the account work.")
            return findings
        }
    }

    private func wrong(_ findings: [Finding]) -> [Finding] { findings.filter { $0.level != .ok } }

    // MARK: The configuration

    @Test func noConfiguration() async throws {
        let findings = try await Self.findings(["check"])
        #expect(
            findings == [
                Finding(
                    .configuration,
                    .problem,
                    "There is no configuration at /nonexistent/feedbell/config.toml.",
                    remedy: "Add an account with: feedbell accounts add"
                )
            ]
        )
        let named = try await Self.findings(["check", "--config", "/nonexistent.toml"])
        #expect(named.map(\.level) == [.problem])
        #expect(named.first?.sentence.hasPrefix("/nonexistent.toml: Cannot read the file.") == true)
    }

    @Test func mistakeInTheConfiguration() async throws {
        let findings = try await check("[popups]\ngroup_abov = 3\n")
        #expect(findings.map(\.level) == [.problem])
        #expect(
            findings.first?.sentence
                == "FILE:2: \"group_abov\" is not a key of [popups]. The nearest valid key is \"group_above\"."
        )
    }

    @Test("A configuration that others may change is refused (11.19)", arguments: [0o620, 0o602])
    func aConfigurationOthersMayChange(mode: Int) async throws {
        let findings = try await check("", mode: mode)
        #expect(findings.map(\.level) == [.problem])
        let sentence =
            "FILE: The file is rejected, because it can run programs as you. "
            + "Other users can change it: its mode is 0\(String(mode, radix: 8)). Restrict access: chmod go-w FILE"
        #expect(findings.first?.sentence == sentence)
    }

    @Test("A token in a configuration that others can read is a finding")
    func readableToken() async throws {
        let words = AgentConfiguration.account("work", user: "anna", url: "http://127.0.0.1:1", hasToken: false)
        let secret = words + "token_command = [\"echo\", \"eyJhbGciOiJub25lIn0.e30.\"]\n"
        let readable = try await check(secret, mode: 0o644)
        #expect(readable.contains { $0.remedy == "Restrict access: chmod 600 FILE" })
        #expect(try await check(secret).filter { $0.topic == .configuration }.map(\.level) == [.ok])
        #expect(try await check(words, mode: 0o644).filter { $0.topic == .configuration }.map(\.level) == [.ok])
    }

    // MARK: The account

    @Test func everythingWell() async throws {
        let findings = try await check(requiringTokens: true) { sandbox in
            let token = try await sandbox.token(for: Recipient("anna"), lifetime: 7200)
            return "token_command = [\"echo\", \"\(token)\"]\n"
        }
        #expect(wrong(findings).isEmpty)
        #expect(
            findings.map(\.topic) == [
                .configuration, .token, .network, .network, .network, .credentials, .clock,
            ]
        )
        #expect(findings[1].sentence == "The token is well-formed and expires in 2 hours.")
    }

    @Test("A failing token command is a finding") func failingTokenCommand() async throws {
        let findings = wrong(try await check { _ in "token_command = [\"false\", \"geheim\"]\n" })
        #expect(findings.map(\.topic) == [.token])
        #expect(findings.first?.level == .problem)
        #expect(findings.first?.sentence.contains("\"false\" (token_command) failed") == true)
        #expect(findings.first?.remedy?.contains("Run \"false\" with its arguments in a terminal") == true)
    }

    @Test(
        "A token's command that is absent, fails or hangs is called what it is (12.23f)",
        arguments: [
            (#"["/nonexistent/pass", "geheim"]"#, "could not be started: it does not exist"),
            (#"["nonexistent-pass", "geheim"]"#, "could not be started: it does not exist"),
            (#"["sh", "-c", "echo geheim; exit 7"]"#, "failed: it exited with status 7."),
            (#"["sh", "-c", "echo geheim; kill -9 $$"]"#, "failed: signal 9 ended it."),
            (#"["head", "-c", "70000", "/dev/zero"]"#, "printed more than the limit"),
        ]
    )
    func commandFailures(command: String, words: String) async throws {
        let findings = wrong(try await check { _ in "token_command = \(command)\n" })
        #expect(findings.map(\.topic) == [.token])
        #expect(findings.first?.sentence.contains(words) == true, "\(findings)")
        #expect(!"\(findings)".contains("geheim"))
    }

    @Test("A token's command that hangs is given up after its time, and ended (12.23f)") func commandThatHangs()
        async throws
    {
        let clock = ManualClock()
        let reader = TokenReader(
            source: .command(["sleep", "infinity"]),
            clock: clock,
            keyring: Keyring(nil),
            place: .here,
            deadline: TokenCheck.timeout
        )
        async let failure = #expect(throws: TokenReader.Failure.self) { try await reader.read() }
        await clock.sleeper(for: .seconds(10))
        clock.advance(by: .seconds(10))
        #expect(await failure?.command == .tooSlow(.seconds(10)))
    }

    @Test("Without a Secret Service the remedy is to start one (12.23f)") func noSecretService() async throws {
        let findings = wrong(try await check { _ in "token_secret = true\n" })
        #expect(findings.map(\.topic) == [.token])
        #expect(findings.first?.sentence.contains("There is no Secret Service in this session") == true)
        #expect(findings.first?.remedy == "Install or start one, or use token_command or token_file.")
    }

    /// It reads the keyring, and leaves a locked one locked.
    @Test func tokenInTheSecretService() async throws {
        try await withBus { bus in
            let attributes = ["application": "org.feedbell.Agent", "account": "work"]
            let fake = FakeSecretService(bus: bus)
            try await fake.appear()
            let findings = try await check(requiringTokens: true) { sandbox in
                try await fake.replace([.init(attributes, try await sandbox.token(for: Recipient("anna")))])
                return "token_secret = true\n"
            }
            #expect(wrong(findings).isEmpty)
            let locked = wrong(
                try await check { _ in
                    try await fake.replace([.init(attributes, "t", isLocked: true)])
                    return "token_secret = true\n"
                }
            )
            #expect(locked.map(\.topic) == [.token])
            #expect(locked.first?.sentence.contains("The keyring with the item is locked.") == true)
            #expect(locked.first?.remedy?.hasPrefix("Unlock it") == true)
            #expect(await fake.promptCount == 0)
        }
    }

    @Test("An invalid token is a finding") func invalidToken() async throws {
        let findings = wrong(try await check { _ in "token_command = [\"echo\", \"geheim\"]\n" })
        #expect(findings.map(\.sentence).first?.hasPrefix("The source returned no valid token") == true)
        #expect(!"\(findings)".contains("geheim"))
    }

    @Test func expiredToken() async throws {
        let findings = wrong(
            try await check(requiringTokens: true) { sandbox in
                let token = try await sandbox.token(for: Recipient("anna"), lifetime: -7200)
                return "token_command = [\"echo\", \"\(token)\"]\n"
            }
        )
        #expect(findings.map(\.topic) == [.token, .credentials])
        #expect(findings.first?.sentence == "The token expired 2 hours ago.")
        #expect(findings.last?.sentence.contains("SuprSend refused with status 401") == true)
    }

    /// The service returns the token in its message; the token is not printed.
    @Test func refusedCredentials() async throws {
        try await Sandbox.with(SandboxOptions(users: ["anna"])) { sandbox in
            let token = try await sandbox.token(for: Recipient("anna"))
            for _ in 0..<2 {
                try await sandbox.perform(
                    .fault(.status(401, type: "token_invalid", message: "bad token \(token)", path: "/v", times: 1))
                )
            }
            try await TemporaryFile.with(token + "\n", named: "token") { file in
                let account = AgentConfiguration.account("work", user: "anna", url: sandbox.baseURL, hasToken: false)
                let findings = wrong(try await check(account + "token_file = \"\(file.path)\"\n"))
                #expect(findings.map(\.sentence) == ["SuprSend refused with status 401: bad token …"])
                for part in token.split(separator: ".") { #expect(!"\(findings)".contains(part)) }
            }
        }
    }

    @Test func refusedPublicKey() async throws {
        try await Sandbox.with(SandboxOptions(publicKey: "SS.PUBK.other", users: ["anna"])) { sandbox in
            let account = AgentConfiguration.account("work", user: "anna", url: sandbox.baseURL, hasToken: false)
            let findings = wrong(try await check(account))
            #expect(findings.map(\.topic) == [.credentials])
            #expect(findings.first?.level == .problem)
            #expect(findings.first?.remedy?.contains("Compare \"public_key\"") == true)
        }
    }

    /// As the feed joins: with the same payload, by the same code.
    @Test("A realtime server that refuses to let us join is found (11.0)") func refusedJoin() async throws {
        let findings = wrong(
            try await check { sandbox in
                try await sandbox.perform(.refuse(ConnectRefusal(message: "Authentication Error: wrong auth token")))
                return ""
            }
        )
        #expect(findings.map(\.topic) == [.credentials])
        #expect(findings.first?.level == .problem)
        #expect(findings.first?.sentence.contains("wrong auth token") == true)
        // (12.23f)
        #expect(findings.first?.sentence.contains("refused the public key, which was sent without a token.") == true)
    }

    @Test("A realtime server that ends the connection instead of letting us join is found (11.0)")
    func endedJoin() async throws {
        let findings = wrong(
            try await check { sandbox in
                try await sandbox.perform(.dropEarly(.init(drop: .hangUp(.reset), step: .connect)))
                return ""
            }
        )
        #expect(findings.map(\.topic) == [.network])
        #expect(findings.first?.sentence.hasPrefix("Cannot reach the server for realtime events: ") == true)
    }

    @Test func wrongClock() async throws {
        let findings = wrong(try await check(clockOffset: 400_000))
        #expect(findings.map(\.sentence) == ["This computer's clock is 7 minutes behind the service's."])
    }

    // MARK: The network

    private func account(hub: String, api: String, socket: String) -> String {
        """
        [accounts.work]
        provider = "suprsend"
        public_key = "SS.PUBK.sandbox"
        distinct_id = "anna"
        hub_url = "\(hub)"
        api_url = "\(api)"
        socket_url = "\(socket)"

        """
    }

    @Test func unreachableHosts() async throws {
        let findings = wrong(
            try await check(account(hub: "http://127.0.0.1:1", api: "https://name.invalid", socket: "ws://127.0.0.1:1"))
        )
        #expect(
            findings.map(\.sentence) == [
                "Cannot reach the server for preferences: 127.0.0.1 could not be reached: nothing listens there.",
                "Cannot reach the server for notifications: The name name.invalid could not be resolved.",
                "Cannot reach the server for realtime events: 127.0.0.1 could not be reached: nothing listens there.",
            ]
        )
        let nowhere = "https://name.invalid"
        let offline = wrong(try await check(account(hub: nowhere, api: nowhere, socket: nowhere)))
        #expect(offline.count == 1)
        #expect(offline.first?.sentence.hasPrefix("Cannot reach SuprSend: The name name.invalid") == true)
    }

    @Test(arguments: [(30, "is self-signed."), (-1, "expired 24 hours ago.")])
    func certificates(days: Int, words: String) async throws {
        try await TLSServer.with(days: days) { port in
            let url = "https://localhost:\(port)"
            let findings = wrong(try await check(account(hub: url, api: url, socket: url)))
            #expect(
                findings.map(\.sentence)
                    == ["preferences", "notifications", "realtime events"].map {
                        "Cannot reach the server for \($0): the certificate of localhost:\(port) \(words)"
                    }
            )
        }
    }

    @Test("A file of authorities that is missing is found though no host needs it (12.23f)") func missingCAFile()
        async throws
    {
        let findings = wrong(try await check { _ in "ca_file = \"/nonexistent.pem\"\n" })
        #expect(findings.map(\.topic) == [.network])
        #expect(findings.first?.sentence.contains("\"/nonexistent.pem\" cannot be read") == true)
    }

    @Test(
        "Another web server at one address is a problem, and not one of the user (12.23f)",
        arguments: ["", "/wrong"]
    )
    func anotherWebServer(path: String) async throws {
        let page = ServiceResponse(
            status: 404,
            headers: ["Content-Type": "text/html"],
            body: Array("<html><title>Not Found</title></html>".utf8)
        )
        try await Sandbox.with(SandboxOptions(users: ["anna"], requireToken: false)) { other in
            try await other.perform(.fault(RequestFault(.respond(page), times: 1)))
            let findings = wrong(
                try await Sandbox.with(SandboxOptions(users: ["anna"], requireToken: false)) { sandbox in
                    let good = sandbox.baseURL
                    return try await check(
                        account(hub: good, api: other.baseURL + path, socket: good.replacing("http:", with: "ws:"))
                    )
                }
            )
            #expect(findings.map(\.topic) == [.network])
            #expect(findings.first?.level == .problem)
            #expect(findings.first?.sentence.contains("is not SuprSend") == true)
            #expect(findings.first?.remedy?.hasPrefix("Check \"api_url\" of [accounts.work].") == true)
        }
    }

    @Test("A proxy at which nothing listens is found, and one that refuses (12.23f)") func wrongProxies() async throws {
        let text = account(hub: "https://a.invalid", api: "https://b.invalid", socket: "wss://c.invalid")
        func findings(_ proxy: String) async throws -> [Finding] {
            try await TemporaryFile.with(text) { file in
                let outcome = try await Programs.run(
                    "feedbell-agent",
                    ["check", "--config", file.path],
                    environment: ["HTTPS_PROXY": proxy, "NO_PROXY": nil, "no_proxy": nil, "https_proxy": nil]
                )
                return try outcome.output.split(separator: "\n").map {
                    try JSONDecoder().decode(Finding.self, from: Data($0.utf8))
                }
            }
        }
        let absent = wrong(try await findings("http://127.0.0.1:1"))
        #expect(absent.count == 1)
        #expect(absent.first?.remedy?.hasPrefix("Check the proxy 127.0.0.1:1 (HTTPS_PROXY)") == true, "\(absent)")
        try await Relay.with(to: 1, admission: .proxy(status: 403)) { relay in
            let refused = wrong(try await findings("http://127.0.0.1:\(relay.port)"))
            #expect(refused.count == 3)
            #expect(
                refused.allSatisfy { $0.remedy?.hasPrefix("Check that the proxy allows this host") == true },
                "\(refused)"
            )
        }
    }

    @Test("A port that does not speak TLS is not taken for a firewall (12.23f)") func plainPort() async throws {
        let findings = wrong(
            try await Sandbox.with(SandboxOptions(users: ["anna"], requireToken: false)) { sandbox in
                let url = "https://127.0.0.1:\(sandbox.port)"
                return try await check(account(hub: url, api: url, socket: url))
            }
        )
        #expect(findings.map(\.topic) == [.network, .network, .network])
        #expect(
            findings.allSatisfy { $0.remedy?.contains("The port may be for http and ws") == true },
            "\(findings)"
        )
    }

    @Test func captivePortal() async throws {
        let page = ServiceResponse(
            status: 200,
            headers: ["Content-Type": "text/html", "Date": "Thu, 01 Jan 1970 00:00:00 GMT"],
            body: Array("<html>Please sign in</html>".utf8)
        )
        let findings = wrong(
            try await check { sandbox in
                try await sandbox.perform(.fault(RequestFault(.respond(page), times: 3)))
                return ""
            }
        )
        #expect(findings.map(\.topic) == [.network, .network, .network])
        #expect(findings[0].sentence.contains("is not SuprSend. The host answered with a web page (status 200)"))
        #expect(findings[2].sentence.contains("HTTP status 200 instead of opening a WebSocket"))
        #expect(findings.allSatisfy { $0.remedy?.contains("the network may require a login") == true })
    }
}
