import AgentInterface
import FoundationEssentials
import ServiceKit
import SuprSend

/// The findings about the token of an account and its source.
struct TokenFindings: Sendable {
    let account: String
    let service: SuprSendService
    let token: SuprSendFacts.Token
    /// Where the command that gives the token was run.
    let commandPlace: CommandPlace?
    /// The service's present time, as far as it is known.
    let serviceTime: Date

    /// The tolerated clock difference, in seconds, before a token counts as not yet valid.
    private static let tolerance: TimeInterval = 30
    /// A token that expires within this time, in seconds, gives a warning.
    private static let warningTime: TimeInterval = 300

    var all: [Finding] { [tokenFinding, placeFinding].compactMap(\.self) }

    private func finding(_ level: Finding.Level, _ sentence: String, _ remedy: String? = nil) -> Finding {
        Finding(.token, level, account: account, sentence, remedy: remedy)
    }

    private var tokenFinding: Finding {
        switch token {
        case .none:
            return finding(.ok, "No token is configured; requests carry the public key alone.")
        case .unavailable(let reason, let remedy):
            return source.failure(reason, remedy: remedy, account: account)
        case .onlyHere(let command): return TokenSource.failureInUnit(of: command, account: account)
        case .malformed:
            let sentence = "The source returned no valid token (a JWT: three parts separated by dots)."
            return finding(.problem, sentence, source.trial)
        case .read(let token):
            guard let (level, sentence, remedy) = problem(about: token) else {
                return finding(.ok, "The token is well-formed\(Self.validity(token, serviceTime)).")
            }
            return finding(level, sentence, remedy)
        }
    }

    /// Nothing, if the command was run as it runs in any terminal.
    private var placeFinding: Finding? {
        guard case .read = token else { return nil }
        return source.successInUnit(commandPlace, account: account)
    }

    /// The problem with the token's claims, and the fix.
    private func problem(about token: UserToken) -> (Finding.Level, String, String)? {
        let remaining = token.expiresOn?.timeIntervalSince(serviceTime)
        if let remaining, remaining <= 0 {
            return (.problem, "The token expired \(Span(seconds: remaining)) ago.", source.renewal)
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
        if let remaining, remaining < Self.warningTime {
            return (.warning, "The token expires in \(Span(seconds: remaining)).", source.renewal)
        }
        return nil
    }

    private static func validity(_ token: UserToken, _ now: Date) -> String {
        guard let end = token.expiresOn else { return " and does not expire" }
        return " and expires in \(Span(seconds: end.timeIntervalSince(now)))"
    }

    /// Where the token comes from. Without a configured source there is no token, and no finding about its source.
    private var source: TokenSource { service.token ?? .file("") }
}
