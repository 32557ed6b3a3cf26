import AgentInterface
import ClientKit
import FoundationEssentials
import SuprSend
import VisibleText

/// The facts about an account of SuprSend, and the findings that follow.
struct SuprSendFacts: Sendable, Equatable {
    /// The observation of one host.
    struct Host: Sendable, Equatable {
        var observation: ServiceProbe.Observation
        /// The certificates that it sent, if they were not trusted.
        var certificates: [ServerCertificate] = []
        /// The proxy on the way to it, if there is one.
        var proxy: String?
        /// The host accepted a connection, after a request had no answer in time.
        var acceptsConnections = false
    }

    var account: String
    var service: SuprSendService
    /// By this computer's clock.
    var now: Date
    /// How far the service's clock is ahead, in seconds; nil: unknown.
    var clockOffset: TimeInterval?
    var token: TokenCheck<UserToken>
    /// Whether a refusal names what replaces the token: not for one that is not stored yet.
    var isTokenStored = false
    /// Why the configured file of certificate authorities cannot be used; nil: it can, or there is none.
    var caFileProblem: String?
    var hosts: [Host]

    var findings: [Finding] { tokenFindings.all + reachability + credentials }

    private var tokenFindings: TokenFindings {
        TokenFindings(
            account: account,
            service: service,
            token: token,
            serviceTime: now.addingTimeInterval(clockOffset ?? 0)
        )
    }

    /// Whether the hosts can be reached, and what to do if not.
    var reachability: [Finding] {
        Reachability(
            account: account,
            service: SuprSendService.description.title,
            now: now,
            caFileProblem: caFileProblem,
            hosts: hosts.map { HostCheck($0, service) }
        ).findings
    }

    private func refused(
        _ level: Finding.Level,
        _ error: SuprSendError,
        _ remedy: String,
        options: [String]
    ) -> Finding {
        Finding(.credentials, level, account: account, error.message, remedy: remedy, options: options)
    }

    // MARK: The credentials

    /// The service's answers about the credentials. Empty if they are incomplete or the service was not reached.
    private var credentials: [Finding] {
        switch token.outcome {
        case .unavailable, .onlyHere, .malformed, .signedOut, .signIn: return []
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
            let sentence = translated(
                "{service} accepts the credentials of \"{user}\".",
                ["service": SuprSendService.description.title, "user": service.distinctID]
            )
            findings.append(Finding(.credentials, .ok, account: account, sentence))
        }
        return findings
    }

    private func refusal(_ error: SuprSendError) -> Finding? {
        let values = ["table": "[\(account.accountTable)]"]
        switch error.kind {
        case .unauthorized where token.outcome == .none:
            let remedy = translated(
                "Compare \"public_key\" with the workspace's. "
                    + "If the workspace requires tokens, set a source: \"token_command\" or \"token_file\" in {table}.",
                values
            )
            return refused(.problem, error, remedy, options: ["public-key", "token"])
        case .unauthorized:
            let remedy = translated(
                "\"public_key\" of {table} and the token must be of the same workspace, and the token still valid.",
                values
            )
            let stored = isTokenStored ? service.token : nil
            let renewal = stored.map { " \($0.renewal(account: account))" } ?? ""
            return refused(.problem, error, remedy + renewal, options: ["public-key", "token"])
        case .forbidden:
            let remedy = translated(
                "Get a token that allows this, or correct \"tenant_id\" and \"distinct_id\" of {table}.",
                values
            )
            return refused(.problem, error, remedy, options: ["distinct-id", "tenant-id", "token"])
        case .notFound:
            let remedy = translated(
                "If the workspace does not have this user, correct \"distinct_id\" or \"tenant_id\" of {table}.",
                values
            )
            return refused(.warning, error, remedy, options: ["distinct-id", "tenant-id"])
        case .rejected:
            let remedy = translated("Correct {table} as the service requires.", values)
            return refused(.problem, error, remedy, options: ["public-key", "distinct-id", "tenant-id"])
        default: return nil
        }
    }
}
