import AgentInterface
import ClientKit
import FoundationEssentials
import MagicBell
import Testing

@testable import Agent

/// The findings that follow from facts about an account.
@Suite struct MagicBellFactsTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let source = TokenSource.command(["pass", "home"])

    private static func token(_ claims: String) throws -> TokenCheck<MagicBellFacts.Secret>.Outcome {
        let payload = Data(claims.utf8).base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
            .replacing("/", with: "_")
        return .read(.token(try UserToken("eyJhbGciOiJub25lIn0.\(payload).c2ln")))
    }

    private static func facts(
        _ login: MagicBellService.Login = .apiKey("pk", email: "a@b.c", externalID: nil, hmac: nil),
        _ secret: TokenCheck<MagicBellFacts.Secret>.Outcome = .none,
        api: MagicBellError? = nil,
        carrier: RealtimeCarrier? = .socket,
        realtime: MagicBellError? = nil
    ) -> MagicBellFacts {
        var facts = MagicBellFacts(
            account: "home",
            service: MagicBellService(login: login),
            now: now,
            clockOffset: 0,
            secret: TokenCheck(secret)
        )
        let duration = Duration.milliseconds(12)
        facts.hosts = [
            HostCheck(
                purpose: "notifications",
                url: "https://api.example",
                key: nil,
                outcome: .answered,
                duration: duration
            ),
            HostCheck(
                purpose: "realtime events",
                url: "wss://ws.example",
                key: nil,
                outcome: .answered,
                duration: duration
            ),
        ]
        facts.api = api
        facts.carrier = carrier
        facts.realtime = realtime
        return facts
    }

    @Test("A host to which nothing was sent in time did not answer") func unreached() {
        let late = MagicBellError(.unreachable, "MagicBell did not answer in time.")
        #expect(HostCheck.Outcome(nil, late) == .failed(TransportError(.timeout, "MagicBell did not answer in time.")))
        let answered = ObservedTransport.Exchange(error: nil, duration: .milliseconds(12))
        #expect(HostCheck.Outcome(answered, nil) == .answered)
        let failed = TransportError(.unreachable, "bell.test refused the connection.")
        #expect(HostCheck.Outcome(.init(error: failed, duration: .zero), late) == .failed(failed))
    }

    private static func withToken(_ claims: String) throws -> MagicBellFacts {
        facts(.userToken(source), try token(claims))
    }

    private static func withHMAC(_ secret: TokenCheck<MagicBellFacts.Secret>.Outcome, api: MagicBellError? = nil)
        -> MagicBellFacts
    {
        facts(.apiKey("pk", email: nil, externalID: "u1", hmac: .source(source)), secret, api: api)
    }

    private func finding(_ topic: Finding.Topic, of facts: MagicBellFacts) throws -> Finding {
        let findings = facts.findings.filter { $0.topic == topic }
        #expect(findings.allSatisfy { $0.account == "home" && ($0.level == .ok) == ($0.remedy == nil) })
        return try #require(findings.first { $0.level != .ok } ?? findings.last)
    }

    @Test("A working account has only findings without a remedy") func workingAccount() {
        let facts = Self.facts()
        #expect(facts.findings.allSatisfy { $0.level == .ok && $0.remedy == nil })
        #expect(
            facts.findings.map(\.sentence) == [
                "No HMAC is configured; requests carry the API key and the user alone.",
                "api.example answers for notifications (12 ms).",
                "ws.example answers for realtime events (12 ms).",
                "MagicBell accepts the credentials of \"a@b.c\".",
                "Realtime events come through MagicBell's socket, as the service says.",
            ]
        )
    }

    @Test("What is wrong with a secret is said with a remedy") func secrets() throws {
        let user = "\"user_external_id\":\"u1\",\"api_key\":\"pk\""
        let cases: [(MagicBellFacts, Finding.Level, String)] = [
            (try Self.withToken("{\(user)}"), .ok, "The user token of \"u1\" is well-formed and does not expire."),
            (try Self.withToken("{\(user),\"exp\":1800007200}"), .ok, "expires in 2 hours."),
            (try Self.withToken("{\(user),\"exp\":1800000100}"), .warning, "expires in 2 minutes."),
            (try Self.withToken("{\(user),\"exp\":1799999940}"), .problem, "expired 60 seconds ago."),
            (try Self.withToken("{\"api_key\":\"pk\"}"), .problem, "names no user"),
            (try Self.withToken("{\"user_email\":\"a@b.c\"}"), .problem, "does not name its project (\"api_key\")"),
            (Self.withHMAC(.read(.hmac)), .ok, "The HMAC is well-formed."),
            (Self.withHMAC(.malformed), .problem, "The source returned no valid HMAC (32 bytes in base64"),
            (Self.withHMAC(.unavailable("no.")), .problem, "Cannot get the hmac: no."),
            (Self.withHMAC(.onlyHere("pass")), .problem, "\"pass\" (hmac_command) prints a token in this terminal"),
        ]
        for (facts, level, words) in cases {
            let finding = try finding(.token, of: facts)
            #expect(finding.level == level && finding.sentence.contains(words), "\(finding.sentence)")
        }
    }

    @Test("A refusal of the credentials names the keys to compare; a fault of the service does not blame them")
    func credentials() throws {
        let wrongKey = MagicBellError(.unauthorized, "The API key is wrong.", status: 401, codes: ["incorrect_api_key"])
        var finding = try finding(.credentials, of: Self.facts(api: wrongKey, carrier: nil))
        #expect(
            finding.remedy
                == "Compare \"api_key\", \"email\" and \"external_id\" of [accounts.home] with the project's."
        )
        finding = try self.finding(.credentials, of: Self.withHMAC(.read(.hmac), api: wrongKey))
        #expect(
            finding.remedy?.hasSuffix("The HMAC must be of your external id or, without one, of your e-mail address.")
                == true
        )
        let fault = MagicBellError(.serverFailure, "It failed.", status: 500)
        #expect(Self.facts(api: fault).findings.allSatisfy { $0.topic != .credentials })
        #expect(Self.withHMAC(.malformed).findings.allSatisfy { $0.topic != .credentials })
    }

    @Test("Missing events are said once, with the other carrier as a remedy") func events() throws {
        let closed = MagicBellError(.rejected, "The channel is invalid.")
        var facts = Self.facts(carrier: .ably, realtime: closed)
        let finding = try finding(.network, of: facts)
        #expect(finding.sentence.hasPrefix("No realtime events through Ably, as the service says: The channel is"))
        #expect(finding.remedy == "Retry later, or set realtime = \"socket\" in [accounts.home].")
        facts.hosts[1].outcome = .serviceFailed("It failed.")
        #expect(facts.findings.filter { $0.level != .ok }.count == 1)
    }
}
