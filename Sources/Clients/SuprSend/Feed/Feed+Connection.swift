import Basics
import ClientKit
import FoundationEssentials
import Logging

/// The realtime connection: connects, and reconnects indefinitely.
extension Feed {
    /// Stays connected until the task is cancelled. Returns when the connection is closed.
    func stayConnected() async {
        var policy = ReconnectPolicy(scale: environment.waitScale)
        var recovery: Recovery?
        var isTokenFresh = false
        while !Task.isCancelled {
            connection.uptime = nil
            status.beginConnecting()
            var (error, end) = await connect(&recovery)
            if Task.isCancelled { return }
            logger.debug("realtime connection ended", metadata: ["reason": "\(error.message)"])
            if connection.uptime != nil {
                isTokenFresh = false
                // The cause may have broken the idle HTTP connections, too.
                service.context.http.retireConnections()
            }
            var cause = end
            // One attempt with another token; after that, only the user or the service can solve the problem.
            if end == .refused, !isTokenFresh, error.asksForNewToken {
                switch await anotherToken() {
                case .success(nil): break
                case .success: (isTokenFresh, cause) = (true, .failed)
                // Whether the user is let in depends on what gives no token.
                case .failure(let failure):
                    error = failure
                    end = failure.isRefusal ? .refused : .failed
                    cause = end
                }
            }
            let delay = policy.delay(
                after: cause,
                uptime: connection.uptime?(),
                retryAfter: error.retryAfter,
                jitter: environment.jitter()
            )
            connection.isWaiting = true
            if cause == end {
                status.link = .lost(.init(error: error, nextAttempt: environment.date(after: delay)))
            }
            await connection.retry.wait(atMost: delay, clock: environment.clock)
            connection.isWaiting = false
            if cause == .refused { _ = await anotherToken() }
        }
    }

    /// Runs one connection; returns why it ended.
    private func connect(_ recovery: inout Recovery?) async -> (SuprSendError, ReconnectPolicy.Cause) {
        do {
            // First of all: what gives tokens must not take the server's time for the handshake, and the blame.
            _ = try await service.tokens?.current()
            try await connection.driver.run(
                url: connection.url,
                credentials: { try await self.credentials() },
                recovery: &recovery
            ) { event in receive(event) }
            return (.cancelled, .failed)
        } catch let failure as SessionFailure {
            return (SuprSendError(failure, secrets: connection.offeredToken.map { [$0] } ?? []), cause(of: failure))
        } catch let error as SuprSendError {
            return (error, .failed)
        } catch {
            return (SuprSendError(.unreachable, "The realtime connection ended."), .failed)
        }
    }

    private func cause(of failure: SessionFailure) -> ReconnectPolicy.Cause {
        switch failure.kind {
        case _ where failure.isAboutCredentials: .refused
        case _ where failure.isServersDecision: .announced
        case .refused, .closed, .disconnectedByServer, .lost, .silence, .protocolViolation:
            connection.uptime == nil ? .failed : .lost
        }
    }

    /// The payload of CONNECT, read when it is sent, so that it contains the latest token.
    private func credentials() async throws -> JSONValue {
        let token = try await service.tokens?.current()?.rawValue
        connection.offeredToken = token
        return service.connectPayload(token: token)
    }

    /// nil: there is none.
    private func anotherToken() async -> Result<UserToken?, SuprSendError> {
        do throws(SuprSendError) {
            return .success(try await service.tokens?.replacement(for: connection.offeredToken))
        } catch { return .failure(error) }
    }

    private func receive(_ event: ConnectedSession.Event) {
        switch event {
        case .joined:
            connection.uptime = environment.clock.stopwatch()
            status.link = .joined(since: environment.now())
        case .synchronized(let recovered):
            state.joined(recovered: recovered, now: now)
            if isWaitingToLoad { loading.signal() }
            perform([])
        case .received(let event): perform(state.receive(event, now: now))
        case .other(let name, let arguments):
            logger.debug(
                "realtime event ignored",
                metadata: [
                    "event": "\(name.cut(to: Limits.loggedID))",
                    "id": "\(arguments.first?["n_id"]?.string?.cut(to: Limits.loggedID) ?? "")",
                ]
            )
        }
    }
}
