import AgentInterface
import Basics
import ClientKit
import FoundationEssentials

@testable import Agent

/// Checks an account of Echo: its token, then a request, then the socket.
struct EchoCheck: Sendable {
    let account: String
    let service: EchoService
    let scope: CheckScope
    let environment: ServiceEnvironment

    /// The timeout of joining; that of the request is the transport's.
    private static let deadline = Duration.seconds(8)

    func findings() async -> ServiceFindings {
        let token = await TokenCheck(service.token, environment) { try? EchoToken($0) }
        guard let source = service.token, case .read = token.outcome else { return ServiceFindings(findings(token)) }
        let api = service.api(environment, environment.token(from: source))
        let feed = EchoFeed(api)
        let (refusal, duration) = await measured { () async throws(EchoError) in
            _ = try await api.page(EchoAPI.Page(size: 1))
        }
        var hosts = [host("notifications", service.url, refusal, duration)]
        if scope == .everything, refusal == nil {
            let (refusal, duration) = await measured { () async throws(EchoError) in try await join(feed) }
            hosts.append(host("realtime events", api.context.socketURL, refusal, duration))
        }
        let reachability = Reachability(
            account: account,
            service: EchoError.service,
            now: Date(),
            caFileProblem: nil,
            hosts: hosts
        )
        let all = findings(token) + reachability.findings + [credentials(refusal)].compactMap(\.self)
        return ServiceFindings(all, clockOffset: api.context.clockOffset)
    }

    private func findings(_ token: TokenCheck<EchoToken>) -> [Finding] {
        guard let source = service.token else {
            return [finding(.token, "Echo needs a token.", "Set \"token_command\" or \"token_file\".", ["token"])]
        }
        let malformed = "The source returned no token of Echo."
        return token.findings(of: source, account: account, malformed: malformed) { _ in
            Finding(.token, .ok, account: account, "The token is one of Echo.")
        }
    }

    /// nil: the service was not reached.
    private func credentials(_ error: EchoError?) -> Finding? {
        switch error?.kind {
        case nil: Finding(.credentials, .ok, account: account, "Echo accepts the token of \"\(service.user)\".")
        case .unauthorized, .forbidden, .rejected:
            finding(.credentials, error?.message ?? "", service.token?.renewal(account: account), ["user", "token"])
        default: nil
        }
    }

    private func finding(_ topic: Finding.Topic, _ sentence: String, _ remedy: String?, _ options: [String]) -> Finding
    {
        Finding(topic, .problem, account: account, sentence, remedy: remedy, options: options)
    }

    private func host(_ purpose: String, _ url: String, _ error: EchoError?, _ duration: Duration) -> HostCheck {
        HostCheck(
            purpose: purpose,
            url: url,
            key: "url",
            outcome: error?.exchange.map { .failed($0) } ?? HostCheck.Outcome(answer: error),
            duration: duration
        )
    }

    /// Joins the events, and ends the connection.
    private func join(_ feed: EchoFeed) async throws(EchoError) {
        let joined = Completion()
        let error = await withTaskGroup(of: EchoError?.self) { group in
            group.addTask { await feed.connect { joined.finish() }.0 }
            group.addTask {
                let isLate = await joined.wait(atMost: Self.deadline, clock: environment.clock)
                return isLate ? EchoError(kind: .unreachable, message: "Echo did not answer in time.") : nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let error { throw error }
    }

    private func measured(_ body: () async throws(EchoError) -> Void) async -> (EchoError?, Duration) {
        let uptime = environment.clock.stopwatch()
        do {
            try await body()
            return (nil, uptime())
        } catch {
            return (error, uptime())
        }
    }
}
