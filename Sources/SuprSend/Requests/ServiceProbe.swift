package import FoundationEssentials
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

    /// Asks all hosts at once. The hub is asked for the channels of the preferences, the API for the counts; at the socket a
    /// connection is opened and given up before anybody has joined.
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
            case .socket: (hosts.socket, await open(hosts.socket))
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

    /// Waits for Engine.IO's greeting (suprsend.md §3.1).
    private func open(_ host: String) async -> Observation.Outcome {
        let url = SessionDriver.url(host: host)
        do {
            let webSocket = service.workspace.webSocket
            let text = try await webSocket.withConnection(to: url, timeout: Self.deadline) { connection in
                try await greeting(of: connection)
            }
            guard text?.hasPrefix("0{") == true else {
                return .refused(SuprSendError(.unexpectedAnswer, "The host does not greet as SuprSend's socket does."))
            }
            return .accepted
        } catch let error as TransportError {
            return .failed(error)
        } catch {
            return .failed(TransportError(.cancelled, "The connection was given up."))
        }
    }

    /// The first text, if it comes in time.
    private func greeting(of connection: any WebSocketConnection) async throws -> String? {
        let clock = service.workspace.surroundings.clock
        return try await withThrowingTaskGroup(of: String?.self) { group in
            group.addTask {
                guard case .text(let text)? = try await connection.receive() else { return nil }
                return text
            }
            group.addTask {
                try await clock.sleep(for: Self.deadline)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
