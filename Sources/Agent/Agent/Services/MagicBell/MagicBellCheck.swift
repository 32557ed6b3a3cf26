import Basics
import ClientKit
import FoundationEssentials
import MagicBell
import VisibleText

/// Checks an account of MagicBell: its secret, then the API, then the realtime events.
struct MagicBellCheck: Sendable {
    let account: String
    let service: MagicBellService
    let scope: CheckScope
    let environment: ServiceEnvironment

    /// The timeout of each step.
    private static let deadline = Duration.seconds(8)

    func facts() async throws(MagicBellError) -> MagicBellFacts {
        let transport = environment.transport.trusting(service.caFile)
        let observed = ObservedTransport(transport, deadline: Self.deadline)
        // Repeated requests are of no use to the waiting user.
        let context = try service.requestContext(environment, http: observed, webSocket: observed, waitScale: 0.02)
        let api = try service.api(context, service.accountToken(environment))
        var facts = MagicBellFacts(account: account, service: service, now: Date(), secret: await secret())
        facts.isTokenStored = scope == .everything
        facts.caFileProblem = transport.trustProblem?.detail
        let refusal = await withDeadline { await self.refusal(by: api) }
        facts.api = refusal
        facts.clockOffset = context.clockOffset
        facts.hosts.append(
            await check(translated("notifications"), service.hostKeys.api, context.hosts.api, refusal, observed)
        )
        guard scope == .everything, refusal?.kind != .unauthorized else { return facts }
        let carrier = await carrier(api)
        facts.carrier = carrier
        let feed = service.realtimeFeed(api, context)
        let realtime = await problem(of: feed)
        facts.realtime = realtime
        switch carrier {
        case .ably:
            let (rest, socket) = (context.hosts.ablyREST, context.hosts.ablyRealtime)
            facts.hosts.append(await check("realtime tokens", service.hostKeys.ablyREST, rest, realtime, observed))
            if observed.exchange(with: socket) != nil {
                let key = service.hostKeys.ablyRealtime
                facts.hosts.append(await check(translated("realtime events"), key, socket, realtime, observed))
            }
        case .socket:
            let (key, url) = (service.hostKeys.socket, context.hosts.socket)
            facts.hosts.append(await check(translated("realtime events"), key, url, realtime, observed))
        }
        return facts
    }

    private func carrier(_ api: any InboxAPI) async -> RealtimeCarrier {
        switch service.realtime {
        case .socket?: return .socket
        case .ably?: return .ably
        case nil:
            let configuration = (try? await api.configuration()) ?? nil
            return .automatic(api.capabilities, configuration)
        }
    }

    /// Why the API refuses a request that changes nothing; nil: it does not.
    private func refusal(by api: any InboxAPI) async -> MagicBellError? {
        do {
            _ = try await api.counts(of: StorePredicate())
            return nil
        } catch {
            return error
        }
    }

    /// Why the realtime feed does not connect; nil: it does.
    private func problem(of feed: RealtimeFeed) async -> MagicBellError? {
        await withDeadline {
            let results = Mailbox<MagicBellError?>()
            return await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await feed.run { update in
                        switch update {
                        case .connected: results.send(nil)
                        case .lost(let error, _): results.send(error)
                        case .connecting, .event: break
                        }
                    }
                }
                defer { group.cancelAll() }
                for await result in results.messages { return result }
                return MagicBellError(.cancelled, "The check was cancelled.")
            }
        }
    }

    private func withDeadline(_ body: @escaping @Sendable () async -> MagicBellError?) async -> MagicBellError? {
        await withTaskGroup(of: MagicBellError?.self) { group in
            group.addTask { await body() }
            group.addTask {
                try? await environment.clock.sleep(for: Self.deadline * 2)
                return MagicBellError(.unreachable, "MagicBell did not answer in time.")
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// The user token or HMAC as the agent gets it.
    private func secret() async -> TokenCheck<MagicBellFacts.Secret> {
        let isUserToken = service.hasUserToken
        return await TokenCheck(service.token, named: service.secretName, environment, caFile: service.caFile) { text in
            if isUserToken { return (try? UserToken(text)).map { .token($0) } }
            return MagicBellService.isHMAC(text) ? .hmac : nil
        }
    }

    /// The result of the requests to a host that `problem` may concern.
    private func check(
        _ purpose: String,
        _ key: String?,
        _ url: String,
        _ problem: MagicBellError?,
        _ observed: ObservedTransport
    ) async -> HostCheck {
        let transport = environment.transport.trusting(service.caFile)
        let exchange = observed.exchange(with: url)
        var check = HostCheck(
            purpose: purpose,
            url: url,
            key: key,
            outcome: HostCheck.Outcome(exchange, problem),
            duration: exchange?.duration ?? .zero,
            proxy: await transport.proxy(for: url)
        )
        if let error = exchange?.error {
            (check.certificates, check.acceptsConnections) =
                await transport.clues(to: error, from: url, timeout: Self.deadline)
        }
        return check
    }
}

extension HostCheck.Outcome {
    /// - Parameters:
    ///   - exchange: The last exchange with the host; nil: nothing was sent to it in time.
    ///   - problem: What the service answered.
    init(_ exchange: ObservedTransport.Exchange?, _ problem: MagicBellError?) {
        if exchange == nil, let problem {
            self = .failed(TransportError(.timeout, problem.message))
        } else {
            self = exchange?.error.map(Self.failed) ?? Self(answer: problem)
        }
    }
}

extension MagicBellService {
    /// The beginning of the keys of ``token``.
    var secretName: String { hasUserToken ? "user_token" : "hmac" }

    /// The keys of the hosts that the configuration names.
    fileprivate var hostKeys: (api: String?, socket: String?, ablyREST: String?, ablyRealtime: String?) {
        (
            apiURL.map { _ in "api_url" }, socketURL.map { _ in "socket_url" },
            ablyRESTURL.map { _ in "ably_rest_url" }, ablyRealtimeURL.map { _ in "ably_realtime_url" }
        )
    }
}
