import Basics
import ClientKit
import Logging
import Synchronization

/// Keeps this device registered for push notifications of one user, as long as that is wanted.
final class DeviceRegistration: Sendable {
    /// How its user reaches the service.
    struct Access: Sendable {
        var api: any InboxAPI
        var user: UserIdentity
        var hmac: String?
    }

    private let access: Mutex<Access>
    private let environment: ClientEnvironment
    private let logger: Logger
    private let state = Mutex(DeviceState())
    /// Requests are sent one after the other: the last one takes effect.
    private let sending = SerialGate()
    private let changes = WakeSignal()
    private let isKept = Mutex(false)

    init(_ access: Access, environment: ClientEnvironment, logger: Logger) {
        self.access = Mutex(access)
        self.environment = environment
        self.logger = logger
    }

    /// Whether the service has no token and none is wanted.
    var isUnused: Bool { state.withLock { $0.wanted == nil && $0.present.isEmpty } }

    /// Sets the token that the service should have; nil: none. Sends nothing.
    func want(_ token: PushToken?) { state.withLock { $0.want(token) } }

    /// The service has this token from a previous run.
    func found(_ token: PushToken) { state.withLock { $0.found(token) } }

    /// The user was connected again: later requests go through this API.
    func use(_ access: Access) {
        self.access.withLock { $0 = access }
        state.withLock { $0.credentialsChanged() }
    }

    /// Other credentials apply, for the same API.
    func credentialsChanged(_ user: UserIdentity, _ credentials: UserCredentials) {
        access.withLock { access in
            access.user = user
            access.hmac = credentials.hmac
        }
        state.withLock { $0.credentialsChanged() }
    }

    /// The tokens to unregister.
    func pending(needsUserToken: Bool) -> [PendingUnregistration] {
        let access = access.withLock(\.self)
        return state.withLock(\.unwanted).map { token in
            PendingUnregistration(user: access.user, needsUserToken: needsUserToken, token: token, hmac: access.hmac)
        }
    }

    /// Wakes ``keep()``.
    func wake() { changes.signal() }

    /// Sends what is needed now, after earlier calls. Throws the first error.
    func synchronize() async throws(MagicBellError) {
        try await sending.pass(orThrow: MagicBellError.cancelled) { () throws(MagicBellError) in
            while let step = nextStep() {
                let api = access.withLock(\.api)
                do throws(MagicBellError) {
                    switch step {
                    case .register(let token): try await api.register(token)
                    case .unregister(let token): try await api.unregister(token)
                    }
                } catch {
                    _ = state.withLock { $0.fail(step, error) }
                    throw error
                }
                state.withLock { $0.succeed(step) }
            }
        }
        if let refusal = state.withLock(\.refusal) { throw refusal }
    }

    private func nextStep() -> DeviceState.Step? {
        state.withLock { state in
            guard let step = state.next else { return nil }
            state.begin(step)
            return step
        }
    }

    /// Sends what is needed, again after failures that may pass, until the task is cancelled or the device is unused.
    /// Returns at once while another call does so.
    func keep() async {
        let isFirst = isKept.withLock { isKept in
            defer { isKept = true }
            return !isKept
        }
        guard isFirst else { return }
        var policy = ReconnectPolicy(scale: environment.waitScale)
        while !hasEnded() {
            var delay: Duration?
            changes.clear()
            do throws(MagicBellError) {
                try await synchronize()
                policy.startOver()
            } catch {
                if error.isRetryable {
                    delay = policy.delay(
                        after: .failed,
                        retryAfter: error.retryAfter,
                        jitter: environment.jitter()
                    )
                }
                if error.kind != .cancelled {
                    logger.warning("device not synchronized", metadata: ["error": "\(error)"])
                }
            }
            if hasEnded() { return }
            await changes.wait(atMost: delay, clock: environment.clock)
        }
    }

    /// Whether ``keep()`` has nothing to do any more. A token that is wanted later needs another call.
    private func hasEnded() -> Bool {
        isKept.withLock { isKept in
            if isUnused || Task.isCancelled { isKept = false }
            return !isKept
        }
    }
}
