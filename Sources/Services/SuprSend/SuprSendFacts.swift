import AgentInterface
import FoundationEssentials
import ServiceKit
import SuprSend
import Transport

/// The facts about an account of SuprSend, and the findings that follow.
struct SuprSendFacts: Sendable, Equatable {
    enum Token: Sendable, Equatable {
        /// None is configured.
        case none
        /// Its source failed, for the reason given; `remedy`: what to do, where the reason shows it.
        case unavailable(String, remedy: String? = nil)
        /// This command gives one as a child of this process, but not in a unit, where the agent runs it.
        case onlyHere(String)
        /// The source returned an invalid token.
        case malformed
        case read(UserToken)
    }

    /// What one host did.
    struct Host: Sendable, Equatable {
        var observation: ServiceProbe.Observation
        /// What it showed, if its certificate was not trusted.
        var certificates: [ServerCertificate] = []
        /// The proxy on the way to it, if there is one.
        var proxy: String?
        /// It accepted a connection, after a request had no answer in time.
        var acceptsConnections = false
    }

    var account: String
    var service: SuprSendService
    /// By this computer's clock.
    var now: Date
    /// How far the service's clock is ahead, in seconds; nil: unknown.
    var clockOffset: TimeInterval?
    var token: Token
    /// Where the command that gives the token was run: there where the agent runs it.
    var commandPlace: CommandPlace?
    /// Why the configured file of certificate authorities cannot be used; nil: it can, or there is none.
    var caFileProblem: String?
    var hosts: [Host]

    var findings: [Finding] { [tokenFinding, placeFinding].compactMap(\.self) + reachability + credentials }

    func finding(_ topic: Finding.Topic, _ level: Finding.Level, _ sentence: String, _ remedy: String? = nil) -> Finding
    {
        Finding(topic, level, account: account, sentence, remedy: remedy)
    }

    // MARK: The token

    /// The tolerated clock difference, in seconds, before a token counts as not yet valid.
    private static let tolerance: TimeInterval = 30
    /// A token that expires within this time, in seconds, gives a warning.
    private static let soon: TimeInterval = 300

    private var tokenFinding: Finding {
        switch token {
        case .none:
            return finding(.token, .ok, "No token is configured; requests carry the public key alone.")
        case .unavailable(let reason, let remedy):
            return source.failure(reason, remedy: remedy, account: account)
        case .onlyHere(let command): return TokenSource.failureInUnit(of: command, account: account)
        case .malformed:
            let sentence = "The source returned no valid token (a JWT: three parts separated by dots)."
            return finding(.token, .problem, sentence, source.trial)
        case .read(let token):
            guard let (level, sentence, remedy) = problem(about: token) else {
                return finding(.token, .ok, "The token is well-formed\(Self.life(token, serviceTime)).")
            }
            return finding(.token, level, sentence, remedy)
        }
    }

    /// Nothing, if the command was run as it runs in any terminal.
    private var placeFinding: Finding? {
        guard case .read = token else { return nil }
        return source.successInUnit(commandPlace, account: account)
    }

    private var serviceTime: Date { now.addingTimeInterval(clockOffset ?? 0) }

    /// The problem with the token's claims, and the fix.
    private func problem(about token: UserToken) -> (Finding.Level, String, String)? {
        let lifeLeft = token.expiresOn?.timeIntervalSince(serviceTime)
        if let lifeLeft, lifeLeft <= 0 {
            return (.problem, "The token expired \(Span(seconds: lifeLeft)) ago.", source.renewal)
        }
        if let start = token.validFrom?.timeIntervalSince(serviceTime), start > Self.tolerance {
            let sentence =
                "The token becomes valid only in \(Span(seconds: start)): the issuer's clock is ahead."
            return (.problem, sentence, "Compare this computer's clock with the issuer's.")
        }
        if let user = token.distinctID, user != service.distinctID {
            let sentence = "The token is for \"\(user)\", but \"distinct_id\" is \"\(service.distinctID)\"."
            return (.problem, sentence, "Correct \"distinct_id\" of [accounts.\(account)], or take that user's token.")
        }
        let tenants = token.tenantIDs ?? ["default"]
        if !tenants.contains(service.tenantID) {
            let names = tenants.joined(separator: ", ")
            let sentence = "The token is for the tenant \(names), but the account's is \(service.tenantID)."
            return (
                .problem, sentence, "Correct \"tenant_id\" of [accounts.\(account)], or take a token for that tenant."
            )
        }
        if let lifeLeft, lifeLeft < Self.soon {
            return (.warning, "The token expires in \(Span(seconds: lifeLeft)).", source.renewal)
        }
        return nil
    }

    private static func life(_ token: UserToken, _ now: Date) -> String {
        guard let end = token.expiresOn else { return " and does not expire" }
        return " and expires in \(Span(seconds: end.timeIntervalSince(now)))"
    }

    /// Where the token comes from. Without a configured source there is no token, and no finding about its source.
    private var source: TokenSource { service.token ?? .file("") }

    // MARK: The credentials

    /// What the service reports about them. Empty if they are incomplete or the service was not reached.
    private var credentials: [Finding] {
        switch token {
        case .unavailable, .onlyHere, .malformed: return []
        case .none, .read: break
        }
        var findings: [Finding] = []
        for host in hosts {
            guard case .refused(let error) = host.observation.outcome, let finding = refusal(error) else { continue }
            // The realtime server rejects the same credentials with another message.
            if host.observation.host == .socket, error.kind == .unauthorized, !findings.isEmpty { continue }
            if !findings.contains(finding) { findings.append(finding) }
        }
        let isAccepted = hosts.contains { $0.observation.host == .api && $0.observation.outcome == .accepted }
        if findings.isEmpty, isAccepted {
            let sentence = "SuprSend accepts the credentials of \"\(service.distinctID)\"."
            findings.append(finding(.credentials, .ok, sentence))
        }
        return findings
    }

    private func refusal(_ error: SuprSendError) -> Finding? {
        let table = "[accounts.\(account)]"
        switch error.kind {
        case .unauthorized where token == .none:
            let remedy =
                "If the workspace requires tokens, set a source: \"token_command\" or \"token_file\" in \(table)."
            return finding(
                .credentials,
                .problem,
                error.message,
                "Compare \"public_key\" with the workspace's. \(remedy)"
            )
        case .unauthorized:
            let remedy =
                "\"public_key\" of \(table) and the token must be of the same workspace, and the token still valid."
            return finding(.credentials, .problem, error.message, remedy)
        case .forbidden:
            let remedy = "Get a token that allows this, or correct \"tenant_id\" and \"distinct_id\" of \(table)."
            return finding(.credentials, .problem, error.message, remedy)
        case .notFound:
            let remedy =
                "If the workspace does not have this user, correct \"distinct_id\" or \"tenant_id\" of \(table)."
            return finding(.credentials, .warning, error.message, remedy)
        case .rejected:
            return finding(.credentials, .problem, error.message, "Correct \(table) as the service requires.")
        default: return nil
        }
    }
}
