import ClientKit
package import FoundationEssentials
import SocketIO
package import Transport

/// One harmless request to each of the service's hosts, for telling a person what is wrong: no retry, no other token, and nothing
/// is changed at the service.
package struct ServiceProbe: Sendable {
    /// The hosts of suprsend.md §1.1.
    package enum Host: String, Sendable, CaseIterable {
        case hub, api, socket
    }

    /// What one host did.
    package struct Observation: Sendable, Equatable {
        package enum Outcome: Sendable, Equatable {
            /// It answered as the service does.
            case accepted
            /// It answered: the service with a refusal, or something that is not the service (`unexpectedAnswer`).
            case refused(SuprSendError)
            /// There was no answer.
            case failed(TransportError)
        }

        package var host: Host
        /// The base URL.
        package var url: String
        package var outcome: Outcome
        /// From the request to the end of the answer.
        package var duration: Duration

        package init(host: Host, url: String, outcome: Outcome, duration: Duration) {
            self.host = host
            self.url = url
            self.outcome = outcome
            self.duration = duration
        }
    }

    /// For each host, from the first step of connecting to the end of the answer.
    package static let deadline = Duration.seconds(8)

    private let service: Service
    private let token: UserToken?

    /// - Parameter token: What requests carry; nil: the public key alone.
    package init(workspace: Workspace, distinctID: String, tenantID: String, token: UserToken?) {
        let scope = RequestScope(hosts: workspace.hosts, distinctID: distinctID, tenantID: tenantID)
        service = Service(workspace: workspace, scope: scope, tokens: nil)
        self.token = token
    }

    /// Asks all hosts at once. The hub is asked for the channels of the preferences, the API for the counts; the socket is joined as
    /// the feed joins it, and left.
    package func run() async -> [Observation] {
        await withTaskGroup { group in
            for host in Host.allCases { group.addTask { await observe(host) } }
            var observations: [Observation] = []
            for await observation in group { observations.append(observation) }
            return Host.allCases.compactMap { host in observations.first { $0.host == host } }
        }
    }

    /// How far the service's clock is ahead of this computer's, in seconds, after ``run()``; nil: no answer has told.
    package var clockOffset: TimeInterval? { service.workspace.clockOffset }

    private func observe(_ host: Host) async -> Observation {
        let elapsed = service.workspace.surroundings.clock.stopwatch()
        let hosts = service.workspace.hosts
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
        let asked = service.workspace.surroundings.now()
        do throws(TransportError) {
            let response = try await service.workspace.http.send(request)
            do throws(SuprSendError) {
                _ = try service.contents(of: response, askedAt: asked, token: token, as: Acknowledgement.self)
                return .accepted
            } catch {
                return .refused(error)
            }
        } catch {
            return .failed(error)
        }
    }

    /// Joins by the code that the feed connects with, and leaves.
    private func join(_ host: String) async -> Observation.Outcome {
        let workspace = service.workspace
        let driver = SessionDriver(
            webSocket: workspace.webSocket,
            clock: workspace.surroundings.clock,
            logger: workspace.logger,
            connectTimeout: Self.deadline
        )
        let (joins, join) = AsyncStream<Never>.makeStream()
        return await withTaskGroup(of: Observation.Outcome.self) { group in
            defer { group.cancelAll() }
            group.addTask { await outcome(of: driver, host, join.finish) }
            group.addTask {
                for await _ in joins {}
                return Task.isCancelled ? .failed(Self.givenUp) : .accepted
            }
            group.addTask {
                try? await workspace.surroundings.clock.sleep(for: Self.deadline)
                return .failed(TransportError(.timeout, "The realtime server did not let us join in time."))
            }
            return await group.next() ?? .failed(Self.givenUp)
        }
    }

    /// Why a connection ended.
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
            return .failed(Self.givenUp)
        } catch let failure as SessionFailure {
            switch failure.kind {
            case .lost(let error): return .failed(error)
            case .silence: return .failed(TransportError(.timeout, failure.sentence))
            case .closed(let code): return .failed(TransportError(.closed(code: code), failure.sentence))
            case .disconnectedByServer: return .failed(TransportError(.closed(code: nil), failure.sentence))
            case .refused, .protocolViolation:
                return .refused(SuprSendError(failure, secrets: token.map { [$0.rawValue] } ?? []))
            }
        } catch {
            return .failed(Self.givenUp)
        }
    }

    private static let givenUp = TransportError(.cancelled, "The connection was given up.")
}
