import AgentInterface
import ClientKit
import FoundationEssentials
import ProgramKit
import SuprSend
import Testing

@testable import Agent

/// The findings that follow from facts about an account.
struct SuprSendFactsTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func token(_ claims: String) throws -> TokenCheck<UserToken>.Outcome {
        let payload = Data(claims.utf8).base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
            .replacing("/", with: "_")
        return .read(try UserToken("eyJhbGciOiJub25lIn0.\(payload).c2ln"))
    }

    private static func host(_ host: ServiceProbe.Host, _ outcome: ServiceProbe.Observation.Outcome)
        -> SuprSendFacts.Host
    {
        let url = ["hub": "https://hub.example", "api": "https://api.example:8443/v", "socket": "wss://socket.example"]
        let observation = ServiceProbe.Observation(
            host: host,
            url: url[host.rawValue] ?? "",
            outcome: outcome,
            duration: .milliseconds(12)
        )
        return SuprSendFacts.Host(observation: observation)
    }

    private static func facts(
        _ token: TokenCheck<UserToken>.Outcome = .none,
        api: ServiceProbe.Observation.Outcome = .accepted,
        certificates: [ServerCertificate] = []
    ) -> SuprSendFacts {
        var service = SuprSendService(publicKey: "SS.PUBK.x", distinctID: "anna")
        service.apiURL = "https://api.example:8443/v"
        var hosts = [host(.hub, .accepted), host(.api, api), host(.socket, .accepted)]
        hosts[1].certificates = certificates
        return SuprSendFacts(
            account: "work",
            service: service,
            now: now,
            clockOffset: 0,
            token: TokenCheck(token),
            hosts: hosts
        )
    }

    private func finding(_ topic: Finding.Topic, of facts: SuprSendFacts) throws -> Finding {
        let findings = facts.findings.filter { $0.topic == topic }
        #expect(findings.allSatisfy { $0.account == "work" && ($0.level == .ok) == ($0.remedy == nil) })
        return try #require(findings.first { $0.level != .ok } ?? findings.first)
    }

    @Test("A working account has only findings without a remedy") func workingAccount() {
        let findings = Self.facts().findings
        #expect(findings.allSatisfy { $0.level == .ok && $0.remedy == nil })
        #expect(
            findings.map(\.sentence) == [
                "No token is configured; requests carry the public key alone.",
                "hub.example answers for preferences (12 ms).",
                "api.example:8443 answers for notifications (12 ms).",
                "socket.example answers for realtime events (12 ms).",
                "SuprSend accepts the credentials of \"anna\".",
            ]
        )
    }

    @Test(
        "The claims of a token decide the finding about it",
        arguments: [
            (#"{"exp":1800003600}"#, Finding.Level.ok, "The token is well-formed and expires in 60 minutes."),
            (#"{}"#, .ok, "The token is well-formed and does not expire."),
            (#"{"exp":1e300}"#, .ok, "The token is well-formed and expires in 365000 days."),
            (#"{"exp":1799999880}"#, .problem, "The token expired 2 minutes ago."),
            (#"{"exp":-1e300}"#, .problem, "The token expired 365000 days ago."),
            (#"{"exp":1800000000}"#, .problem, "The token expired 0 seconds ago."),
            (#"{"exp":1800000100}"#, .warning, "The token expires in 2 minutes."),
            (
                #"{"exp":1800090000,"nbf":1800007200}"#, .problem,
                "The token becomes valid only in 2 hours: the issuer's clock is ahead."
            ),
            (
                #"{"nbf":1800000020,"iat":1900000000}"#, .ok,
                "The token is well-formed and does not expire."
            ),
            (#"{"entity_id":"bob"}"#, .problem, "The token is for \"bob\", but \"distinct_id\" is \"anna\"."),
            (
                #"{"scope":{"tenant_id":["a","b"]}}"#, .problem,
                "The token is for the tenant a, b, but the account's is default."
            ),
            (
                #"{"entity_id":"anna","scope":{"tenant_id":["a","default"]},"exp":1800172800}"#, .ok,
                "The token is well-formed and expires in 2 days."
            ),
        ]
    )
    func tokenClaims(claims: String, level: Finding.Level, sentence: String) throws {
        let finding = try finding(.token, of: Self.facts(try Self.token(claims)))
        #expect(finding.level == level)
        #expect(finding.sentence == sentence)
    }

    /// The service's clock decides, as far as it is known.
    @Test("The expiry of a token is judged by the service's clock") func tokenExpiry() throws {
        var facts = Self.facts(try Self.token(#"{"exp":1800000600}"#))
        facts.clockOffset = 900
        #expect(try finding(.token, of: facts).sentence == "The token expired 5 minutes ago.")
    }

    /// Without its token an account cannot be judged by what the service says to it.
    @Test("A token that cannot be read is a problem, and the credentials are not judged") func unreadableToken() throws
    {
        let refusal = ServiceProbe.Observation.Outcome.refused(SuprSendError(.unauthorized, "no"))
        var facts = Self.facts(.unavailable("\"pass\" (token_command) returned no token."), api: refusal)
        facts.service.token = .command(["pass", "geheim"])
        #expect(facts.findings.filter { $0.topic == .credentials }.isEmpty)
        let finding = try finding(.token, of: facts)
        #expect(finding.level == .problem)
        #expect(finding.sentence == "Cannot get the token: \"pass\" (token_command) returned no token.")
        #expect(finding.remedy?.contains("Run \"pass\"") == true && finding.remedy?.contains("geheim") == false)
        facts.token.outcome = .malformed
        #expect(try self.finding(.token, of: facts).sentence.contains("no valid token"))
    }

    @Test("The place where the agent runs the token command is reported when it matters")
    func placeOfTheCommand() throws {
        var facts = Self.facts(try Self.token("{}"))
        facts.service.token = .command(["bw", "geheim"])
        facts.token.place = .here
        #expect(facts.findings.filter { $0.topic == .token }.count == 1)
        facts.token.place = .unit
        #expect(
            facts.findings.filter { $0.topic == .token }.last?.sentence
                == "\"bw\" (token_command) was run like the agent runs it: by systemd, in a unit of its own."
        )
        facts.token.outcome = .onlyHere("bw")
        let finding = try finding(.token, of: facts)
        #expect(finding.level == .problem)
        #expect(finding.sentence.hasPrefix("\"bw\" (token_command) prints a token in this terminal, but not in"))
        #expect(finding.remedy?.contains("systemctl --user import-environment") == true)
        #expect(!"\(facts.findings)".contains("geheim"))
    }

    @Test(
        "A refusal by the service is a finding about the credentials, not the network",
        arguments: [
            (SuprSendError.Kind.unauthorized, Finding.Level.problem), (.forbidden, .problem), (.notFound, .warning),
            (.rejected, .problem),
        ]
    )
    func refusals(kind: SuprSendError.Kind, level: Finding.Level) throws {
        let facts = Self.facts(api: .refused(SuprSendError(kind, "SuprSend refused with status 4xx: no")))
        let finding = try finding(.credentials, of: facts)
        #expect(finding.level == level)
        #expect(finding.sentence == "SuprSend refused with status 4xx: no")
        #expect(facts.findings.filter { $0.topic == .network }.allSatisfy { $0.level == .ok })
    }

    @Test("Credentials that each host refuses are one finding, with what to compare") func refusedByEachHost() {
        var facts = Self.facts(api: .refused(SuprSendError(.unauthorized, "no")))
        facts.hosts[2].observation.outcome = .refused(SuprSendError(.unauthorized, "wrong auth token"))
        let findings = facts.findings.filter { $0.topic == .credentials }
        #expect(findings.map(\.sentence) == ["no"] && findings.map(\.level) == [.problem])
        #expect(findings.first?.remedy?.contains("Compare \"public_key\"") == true)
    }

    @Test(
        "The remedy for an unreachable host follows the cause",
        arguments: [
            (
                TransportError(.unreachable, "X.", cause: .unknownName),
                "Cannot reach the server for notifications: X.",
                "Check that this computer is online. Check \"api_url\" of [accounts.work]."
            ),
            (
                TransportError(.unreachable, "X.", cause: .connectionRefused),
                "Cannot reach the server for notifications: X.",
                "Check \"api_url\" of [accounts.work]. A firewall may also reject the connection."
            ),
            (
                TransportError(.unreachable, "X.", cause: .noRoute), "Cannot reach the server for notifications: X.",
                "Connect this computer to a network with a route to the host."
            ),
            (
                TransportError(.timeout, "X."), "Cannot reach the server for notifications: X.",
                "A firewall may drop the connection, or the host is down. Check \"api_url\" of [accounts.work]."
            ),
            (
                TransportError(.tls, "X.", cause: .certificateForAnotherName),
                "Cannot reach the server for notifications: X.",
                "Open a web page: the network may require a login. Check \"api_url\" of [accounts.work]."
            ),
        ]
    )
    func unreachableHost(error: TransportError, sentence: String, remedy: String) throws {
        let finding = try finding(.network, of: Self.facts(api: .failed(error)))
        #expect(finding.level == .problem)
        #expect(finding.sentence == sentence)
        #expect(finding.remedy == remedy)
    }

    @Test(
        "A finding names what is wrong with a certificate",
        arguments: [
            (-100, -1, true, "expired 1 second ago."), (2 * 86_400, 90 * 86_400, true, "becomes valid only in 2 days."),
            (-100, 100, true, "is self-signed."),
            (-100, 100, false, "is signed by an authority that this computer does not trust."),
        ]
    )
    func certificates(from: Double, to: Double, isSelfSigned: Bool, words: String) throws {
        let certificate = ServerCertificate(
            notBefore: Self.now.addingTimeInterval(from),
            notAfter: Self.now.addingTimeInterval(to),
            isSelfSigned: isSelfSigned
        )
        let error = TransportError(.tls, "X.", cause: .untrustedCertificate)
        let finding = try finding(.network, of: Self.facts(api: .failed(error), certificates: [certificate]))
        #expect(
            finding.sentence
                == "Cannot reach the server for notifications: the certificate of api.example:8443 \(words)"
        )
        // A server that does not show its certificate again.
        let silent = try self.finding(.network, of: Self.facts(api: .failed(error)))
        #expect(silent.sentence == "Cannot reach the server for notifications: X.")
    }

    /// One word for all hosts.
    @Test("If no host name can be resolved, one finding suggests to check that the computer is online") func offline()
        throws
    {
        var facts = Self.facts()
        let error = TransportError(.unreachable, "The name hub.example could not be resolved.", cause: .unknownName)
        for index in facts.hosts.indices { facts.hosts[index].observation.outcome = .failed(error) }
        let findings = facts.findings.filter { $0.topic == .network }
        #expect(findings.map(\.remedy) == ["Check that this computer is online."])
        #expect(findings.first?.sentence.hasPrefix("Cannot reach SuprSend: The name hub.example could not") == true)
    }

    @Test("The address of a host behind a proxy is not blamed for a failure of the proxy")
    func proxies() throws {
        var facts = Self.facts()
        let refused = TransportError(.unreachable, "X.", cause: .connectionRefused)
        facts.hosts[1].observation.outcome = .failed(refused)
        facts.hosts[1].proxy = "proxy.example:3128 (HTTPS_PROXY)"
        let absent = try finding(.network, of: facts)
        #expect(absent.sentence == "Cannot reach the server for notifications: X.")
        #expect(
            absent.remedy
                == "Check the proxy proxy.example:3128 (HTTPS_PROXY) and what sets it. "
                + "To connect without the proxy, add the host to no_proxy."
        )
        for index in facts.hosts.indices {
            facts.hosts[index].observation.outcome = .failed(refused)
            facts.hosts[index].proxy = facts.hosts[1].proxy
        }
        #expect(facts.findings.filter { $0.topic == .network }.map(\.remedy) == [absent.remedy])
        for (status, words) in [(407, "Put user and password"), (403, "Check that the proxy allows this host")] {
            facts.hosts[1].observation.outcome = .failed(TransportError(.proxy(status: status), "X."))
            let finding = facts.findings.first { $0.remedy?.hasPrefix(words) == true }
            #expect(finding?.topic == .network)
        }
    }

    @Test(
        "Another web server is distinguished from a login page of the network",
        arguments: [(404, false), (500, false), (200, true), (302, true), (511, true)]
    )
    func otherWebServers(status: Int, isSignInPage: Bool) throws {
        let page = SuprSendError(.unexpectedAnswer, "A web page.", status: status)
        let facts = Self.facts(api: .refused(page))
        let finding = try finding(.network, of: facts)
        #expect(finding.level == .problem)
        #expect(finding.remedy?.contains("require a login") == isSignInPage)
        #expect(finding.remedy?.contains("Check \"api_url\" of [accounts.work].") == true)
        #expect(facts.findings.filter { $0.topic == .credentials }.isEmpty)
    }

    @Test("A port that does not speak TLS is reported as such, not as a firewall") func plainPort() throws {
        var facts = Self.facts(api: .failed(TransportError(.tls, "It does not speak TLS there.", cause: .noTLS)))
        let remedy =
            "Check \"api_url\" of [accounts.work]. The port may be for http and ws instead of https and wss."
        #expect(try finding(.network, of: facts).remedy == remedy)
        facts.hosts[1].observation.outcome = .failed(TransportError(.timeout, "X."))
        facts.hosts[1].acceptsConnections = true
        let silent = try finding(.network, of: facts)
        #expect(
            silent.sentence
                == "Cannot reach the server for notifications: api.example:8443 accepts connections, but "
                + "does not answer as a server for TLS does."
        )
        #expect(silent.remedy == remedy + " The host may be overloaded: retry later.")
    }

    @Test("An unusable CA file is reported whatever the hosts answer") func caFile() throws {
        var facts = Self.facts()
        facts.caFileProblem = "The file is missing."
        let findings = facts.findings.filter { $0.topic == .network }
        #expect(findings.map(\.level) == [.problem, .ok, .ok, .ok])
        #expect(findings.first?.sentence == "The file is missing.")
        #expect(findings.first?.remedy == "Correct \"ca_file\" of [accounts.work], or that file.")
        // Once, and not for each host that it concerns.
        let error = TransportError(.tls, "The file is empty.", cause: .unusableCAFile)
        for index in facts.hosts.indices { facts.hosts[index].observation.outcome = .failed(error) }
        #expect(facts.findings.filter { $0.topic == .network }.map(\.sentence) == ["The file is missing."])
        facts.caFileProblem = nil
        #expect(facts.findings.filter { $0.topic == .network }.map(\.sentence) == ["The file is empty."])
        // As TOML writes the table.
        facts.account = "My Work"
        let other = facts.findings.first { $0.topic == .network }
        #expect(other?.remedy == "Correct \"ca_file\" of [accounts.\"My Work\"], or that file.")
    }

    @Test(
        "Each failure of a token command has its own sentence",
        arguments: [
            (
                TokenCommandFailure.absent,
                "could not be started: it does not exist or is not executable.", "Install it, or give its full path"
            ),
            (.exited(3), "failed: it exited with status 3.", ""), (.signaled(9), "failed: signal 9 ended it.", ""),
            (.printedTooMuch, "printed more than the limit of 64 KiB.", ""),
            (.tooSlow(.seconds(10)), "did not end within 10 seconds.", "Run it in a terminal"),
        ]
    )
    func commandFailures(failure: TokenCommandFailure, words: String, remedy: String) {
        #expect(failure.sentence(of: "pass", .here) == "\"pass\" (token_command) \(words)")
        #expect(
            failure.sentence(of: "pass", .unit)
                == "\"pass\" (token_command), run by systemd in a unit of its own, \(words)"
        )
        #expect((failure.remedy(of: "pass", .here) ?? "").hasPrefix(remedy))
        #expect((failure.remedy(of: "pass", .here) == nil) == remedy.isEmpty)
        #expect(TokenCommandFailure(.exited(203), .unit) == .absent)
        #expect(TokenCommandFailure(.exited(203), .here) == .exited(203))
        #expect(TokenCommandFailure(.exited(0), .here) == nil)
    }

    @Test("The remedy for a missing token follows the reason") func remedyOfMissingToken() throws {
        var facts = Self.facts(.unavailable("There is no Secret Service.", remedy: "Install one."))
        facts.service.token = .secret([:])
        #expect(try finding(.token, of: facts).remedy == "Install one.")
    }

    @Test("A web page in place of the API is reported as another server") func webPage() throws {
        let page = SuprSendError(.unexpectedAnswer, "The host answered with a web page.")
        let finding = try finding(.network, of: Self.facts(api: .refused(page)))
        #expect(
            finding.sentence
                == "The server for notifications at api.example:8443 is not SuprSend. "
                + "The host answered with a web page."
        )
    }

    @Test(
        "A clock that differs by more than 30 seconds is a warning",
        arguments: [
            ([29.0, -30], Finding.Level.ok, "This computer's clock agrees with the service's."),
            ([0, 31], .warning, "This computer's clock is 31 seconds behind the service's."),
            ([-7200, 40], .warning, "This computer's clock is 2 hours ahead of the service's."),
        ]
    )
    func clocks(offsets: [Double], level: Finding.Level, sentence: String) {
        let finding = ClockFacts(offsets: offsets).finding
        #expect(finding?.level == level)
        #expect(finding?.sentence == sentence)
        #expect(ClockFacts(offsets: []).finding == nil)
    }
}
