import Basics
import ClientKit
import FoundationEssentials
import Inbox
import Logging

/// Keeps an inbox up to date: connects, reconnects indefinitely, and loads what is missing after each connect.
actor EchoFeed {
    nonisolated let api: EchoAPI
    private var context: EchoContext { api.context }
    private var mirror = EchoMirror()
    private var report: (@Sendable (ServiceEvent) -> Void)?
    private var connectionChanged: (@Sendable (State) -> Void)?
    private var preferencesChanged: (@Sendable () async -> Void)?
    private let retry = WakeSignal()
    private var isWaiting = false
    /// The time since events are received; nil: the present connection does not receive any.
    private var uptime: (@Sendable () -> Duration)?

    /// The state of the connection.
    enum State: Sendable, Equatable {
        case connecting
        case online
        case lost(EchoError, nextAttempt: Date)
    }

    init(_ api: EchoAPI) { self.api = api }

    /// Continues after a previous run, and reports from now on, in order.
    func begin(
        after marks: DeliveryMarks,
        _ report: @escaping @Sendable (ServiceEvent) -> Void,
        connectionChanged: @escaping @Sendable (State) -> Void
    ) {
        mirror.resume(after: marks)
        self.report = report
        self.connectionChanged = connectionChanged
    }

    /// Ends the reports.
    func end() { (report, connectionChanged) = (nil, nil) }

    /// Reports from now on that the preferences were changed elsewhere; nil: no more.
    func observePreferences(_ changed: (@Sendable () async -> Void)?) { preferencesChanged = changed }

    /// Stays connected until the task is cancelled.
    func run() async {
        var policy = ReconnectPolicy(scale: context.environment.waitScale)
        while !Task.isCancelled {
            connectionChanged?(.connecting)
            let (error, cause) = await connect()
            if Task.isCancelled { return }
            // The cause may have broken the idle HTTP connections, too.
            if uptime != nil { context.http.retireConnections() }
            let delay = policy.delay(
                after: uptime == nil && cause == .lost ? .failed : cause,
                uptime: uptime?(),
                retryAfter: error.retryAfter,
                jitter: context.environment.jitter()
            )
            isWaiting = true
            connectionChanged?(.lost(error, nextAttempt: context.environment.date(after: delay)))
            await retry.wait(atMost: delay, clock: context.environment.clock)
            isWaiting = false
        }
    }

    /// Ends the wait before the next attempt.
    func reconnect() { if isWaiting { retry.signal() } }

    /// Loads the newest part and the counts.
    func load() async throws(EchoError) {
        for event in mirror.load(try await api.page(EchoAPI.Page(size: EchoMirror.size))) { report?(event) }
    }

    /// Reports the effect of a change that the service has confirmed.
    func confirm(_ answer: EchoAnswer) { for event in mirror.receive(answer) { report?(event) } }

    /// Reports that the service has deleted notifications.
    func confirmRemoval(_ answer: EchoAnswer) { for event in mirror.remove(answer) { report?(event) } }

    // MARK: One connection

    /// Runs one connection; returns why it ended.
    ///
    /// - Parameter joined: Called when it receives events and the inbox is loaded.
    func connect(joined: @escaping @Sendable () -> Void = {}) async -> (EchoError, ReconnectPolicy.Cause) {
        uptime = nil
        let token: String
        do {
            guard let current = try await api.tokens.current() else { return (.noToken, .refused) }
            token = current.rawValue
        } catch {
            return (error, error.kind == .unauthorized ? .refused : .failed)
        }
        let driver = SocketDriver(webSocket: context.webSocket, clock: context.environment.clock)
        var session = EchoSession(token: token)
        let outcome = await driver.run(to: context.socketURL, &session) { await perform($0, joined: joined) }
        switch outcome {
        case .notOpened(let error): return (.failed(error), .failed)
        case .lost(let error): return (.failed(error), .lost)
        case .cancelled, .ended(.hungUp): return (.cancelled, .failed)
        case .ended(.failed(let error)): return (error, error.kind == .unauthorized ? .refused : .failed)
        case .ended(.silence): return (EchoError(kind: .unreachable, message: "Echo no longer answers."), .lost)
        case .ended(.closed): return (EchoError(kind: .unreachable, message: "Echo closed the connection."), .announced)
        case .ended(.refused(let message)):
            let hasAnother = (try? await api.tokens.replacement(for: token)) != nil
            let error = EchoError(kind: .unauthorized, message: "Echo refused the token: \(message)", status: 401)
            return (error, hasAnother ? .failed : .refused)
        }
    }

    private func perform(
        _ output: EchoSession.Output,
        joined: @Sendable () -> Void
    ) async -> SocketDriver.BackgroundWork<EchoError?>? {
        switch output {
        case .joined:
            do { try await load() } catch { return { error } }
            uptime = context.environment.clock.stopwatch()
            connectionChanged?(.online)
            joined()
        case .received(.preferences): await preferencesChanged?()
        case .received(let event): for event in mirror.receive(event) { report?(event) }
        case .ignored: context.logger.debug("realtime frame ignored")
        }
        return nil
    }
}

extension EchoError {
    fileprivate static var noToken: Self { Self(kind: .unauthorized, message: "Echo needs a token.") }

    fileprivate init(kind: Kind, message: String, status: Int) {
        self.init(kind: kind, message: message, status: status, retryAfter: nil)
    }
}
