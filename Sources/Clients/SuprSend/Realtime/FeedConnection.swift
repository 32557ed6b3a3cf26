import Basics
import ClientKit
import FoundationEssentials
import Logging
import SocketIO
import Transport

/// The realtime connection of a feed: connects, reconnects indefinitely, and reports what the server sends.
actor FeedConnection {
    private let service: APIClient
    private let driver: SessionDriver
    let url: String
    private let environment: ClientEnvironment
    private let logger: Logger

    /// Signalled to connect now.
    private let retry = WakeSignal()
    private var isWaiting = false
    /// The token of the last CONNECT.
    private var offeredToken: String?
    /// The time since the socket was joined; nil: the present connection is not joined.
    private var uptime: (@Sendable () -> Duration)?

    init(service: APIClient) {
        let context = service.context
        self.service = service
        environment = context.environment
        logger = context.logger
        driver = SessionDriver(webSocket: context.webSocket, clock: environment.clock, logger: logger)
        url = SessionDriver.url(host: service.scope.hosts.socket)
    }

    /// Ends the wait before the next attempt to connect.
    func reconnect() {
        if isWaiting { retry.signal() }
    }

    /// Stays connected, and reports to `feed`, until the task is cancelled. Returns when the connection is closed.
    func run(_ feed: Feed) async {
        var policy = ReconnectPolicy(scale: environment.waitScale)
        var recovery: Recovery?
        var isTokenFresh = false
        while !Task.isCancelled {
            uptime = nil
            await feed.socketChanged(to: .connecting)
            let (error, end) = await connect(&recovery, feed)
            if Task.isCancelled { return }
            logger.debug("realtime connection ended", metadata: ["reason": "\(error.message)"])
            if uptime != nil {
                isTokenFresh = false
                // The cause may have broken the idle HTTP connections, too.
                service.context.http.retireConnections()
            }
            var cause = end
            // One attempt with another token; after that, only the user or the service can solve the problem.
            if end == .refused, !isTokenFresh, error.asksForNewToken, await hasAnotherToken() {
                isTokenFresh = true
                cause = .failed
            }
            let delay = policy.delay(
                after: cause,
                uptime: uptime?(),
                retryAfter: error.retryAfter,
                jitter: environment.jitter()
            )
            isWaiting = true
            if cause == end {
                await feed.socketChanged(to: .lost(.init(error: error, nextAttempt: environment.date(after: delay))))
            }
            await retry.wait(atMost: delay, clock: environment.clock)
            isWaiting = false
            if cause == .refused { _ = await hasAnotherToken() }
        }
    }

    /// Runs one connection; returns why it ended.
    private func connect(
        _ recovery: inout Recovery?,
        _ feed: Feed
    ) async -> (SuprSendError, ReconnectPolicy.Cause) {
        do {
            try await driver.run(url: url, credentials: { try await self.credentials() }, recovery: &recovery) {
                event in
                if event == .joined { uptime = environment.clock.stopwatch() }
                await feed.receive(event)
            }
            return (.cancelled, .failed)
        } catch let failure as SessionFailure {
            return (SuprSendError(failure, secrets: offeredToken.map { [$0] } ?? []), cause(of: failure))
        } catch let error as SuprSendError {
            return (error, .failed)
        } catch {
            return (SuprSendError(.unreachable, "The realtime connection ended."), .failed)
        }
    }

    private func cause(of failure: SessionFailure) -> ReconnectPolicy.Cause {
        switch failure.kind {
        case .refused: .refused
        case _ where failure.isServersDecision: .announced
        case .closed, .disconnectedByServer, .lost, .silence, .protocolViolation: uptime == nil ? .failed : .lost
        }
    }

    /// The payload of CONNECT, read when it is sent, so that it contains the latest token.
    private func credentials() async throws -> JSONValue {
        let token = try await service.tokens?.current()?.rawValue
        offeredToken = token
        return service.connectPayload(token: token)
    }

    private func hasAnotherToken() async -> Bool {
        (try? await service.tokens?.replacement(for: offeredToken)) != nil
    }
}
