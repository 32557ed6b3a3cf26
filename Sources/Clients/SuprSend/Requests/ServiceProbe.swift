import Basics
package import ClientKit
package import FoundationEssentials

/// One read-only request to each of the service's hosts, for diagnosis: without a retry and without a token refresh.
package struct ServiceProbe: Sendable {
    /// The service's hosts, see ``Hosts``.
    package enum Host: String, Sendable, CaseIterable {
        case hub, api, socket
    }

    /// The result of one host.
    package struct Observation: Sendable, Equatable {
        package enum Outcome: Sendable, Equatable {
            /// The service's own response.
            case accepted
            /// A refusal by the service, or a response that is not the service's (`unexpectedAnswer`).
            case refused(SuprSendError)
            /// No response.
            case failed(TransportError)
        }

        package var host: Host
        /// The base URL.
        package var url: String
        package var outcome: Outcome
        /// From the request to the end of the response.
        package var duration: Duration

        package init(host: Host, url: String, outcome: Outcome, duration: Duration) {
            self.host = host
            self.url = url
            self.outcome = outcome
            self.duration = duration
        }
    }

    /// The timeout of each host, from the start of connecting to the end of the response.
    package static let deadline = Duration.seconds(8)

    private let service: APIClient
    private let token: UserToken?

    /// - Parameter token: The user token of the requests; nil: the public key only.
    package init(context: RequestContext, distinctID: String, tenantID: String, token: UserToken?) {
        let scope = RequestScope(hosts: context.hosts, distinctID: distinctID, tenantID: tenantID)
        service = APIClient(context: context, scope: scope, tokens: nil)
        self.token = token
    }

    /// Queries hosts concurrently: the hub for the channels of the preferences, the API for the counts; the socket is
    /// joined like the feed does, and closed.
    package func run(_ hosts: [Host] = Host.allCases) async -> [Observation] {
        await withTaskGroup { group in
            for host in hosts { group.addTask { await observe(host) } }
            var observations: [Observation] = []
            for await observation in group { observations.append(observation) }
            return hosts.compactMap { host in observations.first { $0.host == host } }
        }
    }

    /// How far the service's clock is ahead of this computer's, in seconds, after ``run()``; nil: unknown.
    package var clockOffset: TimeInterval? { service.context.clockOffset }

    private func observe(_ host: Host) async -> Observation {
        let elapsed = service.context.environment.clock.stopwatch()
        let hosts = service.context.hosts
        let (url, outcome) =
            switch host {
            case .hub: (hosts.hub, await ask(PreferenceCall(.channels, routes: .subscriber)))
            case .api: (hosts.api, await ask(FeedCall.count(stores: nil)))
            case .socket: (hosts.socket, await join(hosts.socket))
            }
        return Observation(host: host, url: url, outcome: outcome, duration: elapsed())
    }

    private func ask(_ call: some ServiceCall) async -> Observation.Outcome {
        var request = service.request(for: call, token: token?.rawValue)
        request.timeout = Self.deadline
        let sent = service.context.environment.now()
        do throws(TransportError) {
            let response = try await service.context.http.send(request)
            do throws(SuprSendError) {
                _ = try service.contents(of: response, sentAt: sent, token: token, as: JSONObject.self)
                return .accepted
            } catch {
                return .refused(error)
            }
        } catch {
            return .failed(error)
        }
    }

    /// Joins with the same code as the feed, and leaves.
    private func join(_ host: String) async -> Observation.Outcome {
        let context = service.context
        let driver = SessionDriver(
            webSocket: context.webSocket,
            clock: context.environment.clock,
            logger: context.logger,
            connectTimeout: Self.deadline
        )
        let joined = Completion()
        return await withTaskGroup(of: Observation.Outcome.self) { group in
            defer { group.cancelAll() }
            group.addTask { await outcome(of: driver, host, joined.finish) }
            group.addTask {
                await joined.wait()
                return Task.isCancelled ? .failed(Self.cancelled) : .accepted
            }
            group.addTask {
                try? await context.environment.clock.sleep(for: Self.deadline)
                return .failed(TransportError(.timeout, "The realtime server did not accept the connection in time."))
            }
            return await group.next() ?? .failed(Self.cancelled)
        }
    }

    /// Why the connection ended.
    private func outcome(
        of driver: SessionDriver,
        _ host: String,
        _ joined: @escaping @Sendable () -> Void
    ) async -> Observation.Outcome {
        let payload = service.connectPayload(token: token?.rawValue)
        var recovery: Recovery?
        do {
            let url = SessionDriver.url(host: host)
            try await driver.run(url: url, credentials: { payload }, recovery: &recovery) { event in
                if case .joined = event { joined() }
            }
            return .failed(Self.cancelled)
        } catch let failure as SessionFailure {
            let error = SuprSendError(failure, secrets: token.map { [$0.rawValue] } ?? [])
            switch failure.kind {
            case .lost(let error): return .failed(error)
            case .silence: return .failed(TransportError(.timeout, failure.sentence))
            case .closed(let code): return .failed(TransportError(.closed(code: code), failure.sentence))
            case .disconnectedByServer: return .failed(TransportError(.closed(code: nil), failure.sentence))
            case .refused where !failure.isAboutCredentials:
                return .failed(TransportError(.closed(code: nil), error.message))
            case .refused, .protocolViolation: return .refused(error)
            }
        } catch {
            return .failed(Self.cancelled)
        }
    }

    private static let cancelled = TransportError(.cancelled, "The connection was cancelled.")
}

/// Any JSON object.
private struct JSONObject: Decodable {
    init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: WireKey.self) }
}
