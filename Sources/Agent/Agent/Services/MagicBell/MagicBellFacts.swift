import AgentInterface
import FoundationEssentials
import Inbox
import MagicBell
import VisibleText

/// The facts about an account of MagicBell, and the findings that follow.
struct MagicBellFacts: Sendable, Equatable {
    /// The account's user token or HMAC.
    enum Secret: Sendable, Equatable {
        case token(UserToken)
        case hmac
    }

    var account: String
    var service: MagicBellService
    /// By this computer's clock.
    var now: Date
    /// How far the service's clock is ahead, in seconds; nil: unknown.
    var clockOffset: TimeInterval?
    var secret: TokenCheck<Secret>
    /// Whether a refusal names what replaces the token: not for one that is not stored yet.
    var isTokenStored = false
    /// Why the configured file of certificate authorities cannot be used; nil: it can, or there is none.
    var caFileProblem: String?
    var hosts: [HostCheck] = []
    /// Why the API refused a request; nil: it did not.
    var api: MagicBellError?
    /// The connection that carries the events; nil: not checked, because the credentials were refused.
    var carrier: RealtimeCarrier?
    /// Why there are no events; nil: there are, or it was not checked.
    var realtime: MagicBellError?

    /// The service's codes for a project that requires HMACs, and for an unknown API key.
    private static let (missingHMAC, wrongKey) = ("neither_user_hmac_nor_api_secret_provided", "incorrect_api_key")
    /// The tolerated clock difference, in seconds.
    private static let warningTime: TimeInterval = 300

    var findings: [Finding] {
        let reachability = Reachability(
            account: account,
            service: MagicBellService.description.title,
            now: now,
            caFileProblem: caFileProblem,
            hosts: hosts
        )
        return secretFindings + reachability.findings + credentials + events
    }

    private func finding(
        _ topic: Finding.Topic,
        _ level: Finding.Level,
        _ sentence: String,
        _ remedy: String? = nil,
        options: [String] = []
    ) -> Finding {
        Finding(topic, level, account: account, sentence, remedy: remedy, options: options)
    }

    private var table: String { "[\(account.accountTable)]" }

    // MARK: The secret

    private var secretFindings: [Finding] {
        guard let source = service.token, secret.outcome != .none else { return [withoutSource] }
        let malformed =
            service.hasUserToken
            ? translated("The source returned no valid user token (a JWT: three parts separated by dots).")
            : translated("The source returned no valid HMAC (32 bytes in base64: 44 characters).")
        return secret.findings(of: source, named: service.secretName, account: account, malformed: malformed) {
            secret in
            switch secret {
            case .hmac: finding(.token, .ok, translated("The HMAC is well-formed."))
            case .token(let token): tokenFinding(token, source)
            }
        }
    }

    private var withoutSource: Finding {
        if case .apiKey(_, _, _, hmac: .text(let text)?) = service.login {
            guard !MagicBellService.isHMAC(text) else {
                return finding(.token, .ok, translated("The HMAC of the configuration is well-formed."))
            }
            let sentence = translated(
                "\"hmac\" of {table} is no HMAC (32 bytes in base64: 44 characters).",
                ["table": table]
            )
            return finding(
                .token,
                .problem,
                sentence,
                translated("Ask the sender for the HMAC of your external id or e-mail.")
            )
        }
        return finding(.token, .ok, translated("No HMAC is configured; requests carry the API key and the user alone."))
    }

    private func tokenFinding(_ token: UserToken, _ source: TokenSource) -> Finding {
        let remaining = token.expiresOn?.timeIntervalSince(now.addingTimeInterval(clockOffset ?? 0))
        if let remaining, remaining <= 0 {
            let sentence = translated(
                "The user token expired {span} ago.",
                ["span": ApproximateDuration(seconds: remaining).text]
            )
            return finding(
                .token,
                .problem,
                sentence,
                source.renewal(named: service.secretName, account: account),
                options: ["token"]
            )
        }
        if token.externalID == nil, token.email == nil {
            let sentence = translated("The user token names no user (\"user_external_id\" or \"user_email\").")
            let remedy = translated("Ask the sender for another token.")
            return finding(.token, .problem, sentence, remedy, options: ["token"])
        }
        if token.apiKey == nil {
            let sentence = translated(
                "The user token does not name its project (\"api_key\"): realtime events need that."
            )
            let remedy = translated("Ask the sender for another token.")
            return finding(.token, .problem, sentence, remedy, options: ["token"])
        }
        var values = ["user": token.externalID ?? token.email ?? ""]
        guard let remaining else {
            let sentence = translated("The user token of \"{user}\" is well-formed and does not expire.", values)
            return finding(.token, .ok, sentence)
        }
        values["span"] = ApproximateDuration(seconds: remaining).text
        if remaining < Self.warningTime {
            let sentence = translated("The user token of \"{user}\" expires in {span}.", values)
            return finding(.token, .warning, sentence, source.renewal(named: service.secretName, account: account))
        }
        let sentence = translated("The user token of \"{user}\" is well-formed and expires in {span}.", values)
        return finding(.token, .ok, sentence)
    }

    // MARK: The credentials

    private var credentials: [Finding] {
        switch secret.outcome {
        case .unavailable, .onlyHere, .malformed, .signedOut, .signIn: return []
        case .none, .read: break
        }
        guard let error = api else {
            let user =
                if case .read(.token(let token)) = secret.outcome { service.owner(of: token).user } else {
                    service.owner.user
                }
            let values = ["service": MagicBellService.description.title, "user": user]
            let sentence =
                user.isEmpty
                ? translated("{service} accepts the credentials of the user token.", values)
                : translated("{service} accepts the credentials of \"{user}\".", values)
            return [finding(.credentials, .ok, sentence)]
        }
        let remedy: String
        var options = ["api-key", "email", "external-id", "token"]
        switch error.kind {
        case .unauthorized where service.hasUserToken:
            options = ["token"]
            let stored = isTokenStored ? service.token : nil
            let renewal = stored.map { " \($0.renewal(named: service.secretName, account: account))" } ?? ""
            remedy = translated("The user token must be of this project, and still valid.") + renewal
        case .unauthorized:
            if error.codes.contains(Self.missingHMAC) { options = ["token"] }
            if error.codes.contains(Self.wrongKey) { options = ["api-key"] }
            let hmac =
                secret.outcome == .read(.hmac) || error.codes.contains(Self.missingHMAC)
                ? " "
                    + translated("The HMAC must be of your external id or, without one, of your e-mail address.")
                : ""
            let comparison = translated(
                "Compare \"api_key\", \"email\" and \"external_id\" of {table} with the project's.",
                ["table": table]
            )
            remedy = comparison + hmac
        case .forbidden:
            options = ["email", "external-id", "token"]
            remedy = translated("Ask the sender whether your user may read its inbox.")
        case .rejected, .notFound: remedy = translated("Correct {table} as the service requires.", ["table": table])
        default: return []
        }
        return [finding(.credentials, .problem, error.message, remedy, options: options)]
    }

    // MARK: The events

    private var events: [Finding] {
        guard let carrier else { return [] }
        var values = ["carrier": carrier == .ably ? "Ably" : translated("MagicBell's socket")]
        let isChosen = service.realtime != nil
        guard let error = realtime else {
            let sentence =
                isChosen
                ? translated("Realtime events come through {carrier}, as \"realtime\" says.", values)
                : translated("Realtime events come through {carrier}, as the service says.", values)
            return [finding(.network, .ok, sentence)]
        }
        // The finding about its host says it.
        let isSaid = hosts.dropFirst().contains { $0.outcome != .answered } || hosts.first?.outcome != .answered
        if isSaid { return [] }
        let other = carrier == .ably ? "socket" : "ably"
        let remedy =
            service.hasUserToken
            ? translated("Retry later.")
            : translated(
                "Retry later, or set realtime = \"{value}\" in {table}.",
                ["value": other, "table": table]
            )
        values["reason"] = error.message
        let sentence =
            isChosen
            ? translated("No realtime events through {carrier}, as \"realtime\" says: {reason}", values)
            : translated("No realtime events through {carrier}, as the service says: {reason}", values)
        return [finding(.network, .problem, sentence, remedy)]
    }
}
