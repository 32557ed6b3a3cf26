import AgentInterface
import Basics
import ClientKit
import DBus
import Inbox
import Logging

/// Runs the sign-ins with the browser, at most one for each account, and publishes their steps at the accounts'
/// objects.
actor BrowserSignIns {
    /// A sign-in to be started.
    struct Request: Sendable {
        var backend: TokenBackend
        var options: SignInOptions
        /// Throws if a token belongs to another user than the account; with the claims of the id token.
        var check: @Sendable (BackendToken, JSONValue?) throws(OAuthError) -> Void

        var account: String { backend.account }
    }

    private final class Attempt: Sendable {
        let cancellation = Completion()
        let end = Completion()
        /// nil: the browser's answer is waited for. Otherwise why it is not.
        let opening = Mailbox<OAuthError?>(.bufferingOldest(1))
    }

    private let bus: Bus
    private let signIns: SignIns
    private let environment: AgentEnvironment
    private let opener: URLOpener
    private let logger: Logger
    private var attempts: [String: Attempt] = [:]
    private let started = Mailbox<(Request, SignInSession, Attempt)>()

    init(bus: Bus, signIns: SignIns, environment: AgentEnvironment, logger: Logger) {
        self.bus = bus
        self.signIns = signIns
        self.environment = environment
        opener = URLOpener(bus: bus, logger: logger)
        self.logger = logger
    }

    /// The bus's.
    nonisolated var unownedExecutor: UnownedSerialExecutor { bus.unownedExecutor }

    /// Runs what ``start(_:)`` starts until the task is cancelled.
    ///
    /// - Parameter finished: Called at the end of each; nil: the user is signed in.
    func run(_ finished: @escaping @Sendable (Request, OAuthError?) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for await (request, session, attempt) in started.messages {
                group.addTask {
                    let error = await self.run(request, session, attempt)
                    await finished(request, error)
                    await self.finish(request.account, error, attempt)
                }
            }
            group.cancelAll()
        }
    }

    /// Starts a sign-in, and ends an earlier one of the account. Returns when the browser's answer is waited for.
    func start(_ request: Request) async throws(OAuthError) {
        // The sign-in will be stored.
        await signIns.allowPrompts()
        // Another one may have begun meanwhile.
        while attempts[request.account] != nil, !Task.isCancelled { await cancel(request.account) }
        guard let session = signIns.session(ofAccount: request.account) else {
            throw OAuthError(.misconfigured, "\"\(request.account)\" does not sign in with the browser.")
        }
        let attempt = Attempt()
        attempts[request.account] = attempt
        started.send((request, session, attempt))
        for await error in attempt.opening.messages {
            if let error { throw error }
            return
        }
        throw .agentEnded
    }

    /// Ends a sign-in. Returns when it has ended.
    func cancel(_ account: String) async {
        guard let attempt = attempts[account] else { return }
        attempt.cancellation.finish()
        await attempt.end.wait()
    }

    // MARK: Implementation

    private func run(_ request: Request, _ session: SignInSession, _ attempt: Attempt) async -> OAuthError? {
        await withTaskGroup(of: OAuthError?.self) { group in
            group.addTask {
                do throws(OAuthError) { try await self.signIn(request, session, attempt) } catch { return error }
                if let problem = await session.storageProblem {
                    self.logger.warning(
                        "a sign-in lasts only until the agent ends",
                        metadata: ["account": "\(request.account)", "reason": "\(problem.message)"]
                    )
                }
                return nil
            }
            group.addTask {
                await attempt.cancellation.wait()
                return .cancelled
            }
            defer { group.cancelAll() }
            return await group.next() ?? .cancelled
        }
    }

    private func signIn(
        _ request: Request,
        _ session: SignInSession,
        _ attempt: Attempt
    ) async throws(OAuthError) {
        let account = request.account
        let limit = end(after: BrowserSignIn.timeLimit)
        let browser = browser(for: request, at: session.server)
        try await session.signIn(
            for: request.backend.kind,
            from: request.backend.url,
            isForDevice: request.options.isDevice,
            check: request.check
        ) { (metadata, complete) throws(OAuthError) in
            let redeeming = { @Sendable in
                let step = SignInRequest(url: "", until: limit, step: .token)
                self.bus.loop.dispatch { self.assumeIsolated { $0.publish(step, of: account) } }
            }
            if request.options.isDevice {
                let device = DeviceSignIn(server: session.server, clock: self.environment.clock)
                let offer = { @Sendable (code: DeviceAuthorization) async in
                    let until = await self.end(after: code.lifetime)
                    let step = SignInRequest(url: code.url, until: until, step: .device, code: code.userCode)
                    await self.publish(step, of: account)
                    attempt.opening.send(nil)
                }
                return try await device.run(at: metadata, offer: offer, redeeming: redeeming, complete: complete)
            }
            try await browser.run(
                at: metadata,
                with: self.signIns.listeners,
                offer: { url, startURL in
                    await self.publish(SignInRequest(url: url, until: limit, step: .browser), of: account)
                    attempt.opening.send(nil)
                    if request.options.opensBrowser { await self.open(startURL, request) }
                    await self.publish(SignInRequest(url: url, until: limit, step: .waiting), of: account)
                },
                redeeming: redeeming,
                complete: complete
            )
        }
    }

    private func browser(for request: Request, at server: AuthorizationServer) -> BrowserSignIn {
        let configuration = request.backend.signIn
        var browser = BrowserSignIn(
            server: server,
            pages: .inUserLanguage(account: request.account),
            clock: environment.clock
        )
        browser.port = configuration.redirectPort
        browser.host = configuration.redirectHost
        browser.user = request.options.isOtherUser ? .another : .any(hint: configuration.loginHint)
        return browser
    }

    /// In milliseconds since the Unix epoch.
    private func end(after time: Duration) -> Int64 { environment.now().milliseconds + time.components.seconds * 1_000 }

    private func open(_ url: String, _ request: Request) async {
        do throws(URLOpener.Failure) {
            _ = try await opener.open(url, token: request.options.activationToken)
        } catch {
            let failure = LinkFailure.failed(error)
            logger.warning("the browser was not opened", metadata: ["reason": "\(failure.sentence)"])
            await NoticePopup(bus: bus, logger: logger).show(failure, signingInTo: request.account)
        }
    }

    private func finish(_ account: String, _ error: OAuthError?, _ attempt: Attempt) async {
        attempt.opening.send(error)
        attempt.end.finish()
        if attempts[account] === attempt { attempts[account] = nil }
        publish(nil, of: account)
        if let error {
            logger.notice("not signed in", metadata: ["account": "\(account)", "reason": "\(error.message)"])
        }
        do throws(DBusError) {
            try await bus.emit(
                AgentAccount.signInFinished,
                (error?.busError.name.text ?? "", error?.busError.message ?? ""),
                from: AgentNames.accountPath(account)
            )
        } catch {
            logger.debug("a signal was not sent", metadata: ["error": "\(error)"])
        }
    }

    /// - Parameter request: nil: no sign-in is under way.
    private func publish(_ request: SignInRequest?, of account: String) {
        // It may have ended meanwhile.
        if request != nil, attempts[account] == nil { return }
        var changes = PropertyChanges()
        changes.set(AgentAccount.signInRequest, request?.dictionary ?? [:])
        bus.assumeIsolated { $0.set(changes, at: AgentNames.accountPath(account)) }
    }
}

extension OAuthError {
    fileprivate static var agentEnded: OAuthError { OAuthError(.transient, "The agent has ended.") }

    /// The error of a method call, and of the signal at the end.
    var busError: DBusError {
        let name =
            switch kind {
            case .transient: AgentErrors.offline
            case .ended: AgentErrors.signInEnded
            case .denied: AgentErrors.rejected
            case .unexpected, .misconfigured: AgentErrors.unauthorized
            }
        return DBusError(name, message)
    }
}
