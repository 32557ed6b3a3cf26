import AgentInterface
import FoundationEssentials
import SuprSend
import VisibleText

/// The findings about the token of an account and its source.
struct TokenFindings: Sendable {
    let account: String
    let service: SuprSendService
    let token: TokenCheck<UserToken>
    /// The service's present time, as far as it is known.
    let serviceTime: Date

    /// The tolerated clock difference, in seconds, before a token counts as not yet valid.
    private static let tolerance: TimeInterval = 30
    /// A token that expires within this time, in seconds, gives a warning.
    private static let warningTime: TimeInterval = 300

    var all: [Finding] {
        guard token.outcome != .none else {
            return [finding(.ok, translated("No token is configured; requests carry the public key alone."))]
        }
        let malformed = translated("The source returned no valid token (a JWT: three parts separated by dots).")
        return token.findings(of: source, account: account, malformed: malformed) { token in
            problem(about: token) ?? finding(.ok, Self.validity(token, serviceTime))
        }
    }

    private func finding(
        _ level: Finding.Level,
        _ sentence: String,
        _ remedy: String? = nil,
        options: [String] = []
    ) -> Finding {
        Finding(.token, level, account: account, sentence, remedy: remedy, options: options)
    }

    /// The problem with the token's claims.
    private func problem(about token: UserToken) -> Finding? {
        let remaining = token.expiresOn?.timeIntervalSince(serviceTime)
        if let remaining, remaining <= 0 {
            let sentence = translated(
                "The token expired {span} ago.",
                ["span": ApproximateDuration(seconds: remaining).text]
            )
            return finding(.problem, sentence, source.renewal(account: account), options: ["token"])
        }
        if let start = token.validFrom?.timeIntervalSince(serviceTime), start > Self.tolerance {
            let sentence = translated(
                "The token becomes valid only in {span}: the issuer's clock is ahead.",
                ["span": ApproximateDuration(seconds: start).text]
            )
            let remedy = translated("Compare this computer's clock with the issuer's.")
            return finding(.problem, sentence, remedy, options: ["token"])
        }
        if let user = token.distinctID, user != service.distinctID {
            let sentence = translated(
                "The token is for \"{user}\", but \"distinct_id\" is \"{own}\".",
                ["user": user, "own": service.distinctID]
            )
            let remedy = translated(
                "Correct \"distinct_id\" of [accounts.{account}], or take that user's token.",
                ["account": account.tomlKey]
            )
            return finding(.problem, sentence, remedy, options: ["distinct-id", "token"])
        }
        let tenants = token.tenantIDs ?? ["default"]
        if !tenants.contains(service.tenantID) {
            let names = tenants.joined(separator: ", ")
            let sentence = translated(
                "The token is for the tenant {names}, but the account's is {tenant}.",
                ["names": names, "tenant": service.tenantID]
            )
            let remedy = translated(
                "Correct \"tenant_id\" of [accounts.{account}], or take a token for that tenant.",
                ["account": account.tomlKey]
            )
            return finding(.problem, sentence, remedy, options: ["tenant-id", "token"])
        }
        if let remaining, remaining < Self.warningTime {
            let sentence = translated(
                "The token expires in {span}.",
                ["span": ApproximateDuration(seconds: remaining).text]
            )
            return finding(.warning, sentence, source.renewal(account: account))
        }
        return nil
    }

    private static func validity(_ token: UserToken, _ now: Date) -> String {
        guard let end = token.expiresOn else { return translated("The token is well-formed and does not expire.") }
        let span = ApproximateDuration(seconds: end.timeIntervalSince(now))
        return translated("The token is well-formed and expires in {span}.", ["span": span.text])
    }

    /// Where the token comes from. Without a configured source there is no token, and no finding about its source.
    private var source: TokenSource { service.token ?? .file("") }
}
