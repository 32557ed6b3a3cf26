/// Which device tokens the service has for a user, and which one it should have.
struct DeviceState: Sendable, Equatable {
    enum Step: Sendable, Equatable {
        case register(PushToken)
        case unregister(PushToken)
    }

    /// The token that the service should have; nil: none.
    private(set) var wanted: PushToken?
    /// The tokens that the service has, or may have after a request with an unknown result.
    private(set) var present: [PushToken] = []
    /// Whether the service confirmed `wanted`.
    private(set) var isConfirmed = false
    /// The service refused `wanted`: a retry does not help.
    private(set) var refusal: MagicBellError?

    /// Sets the only token that the service should have; nil: none.
    mutating func want(_ token: PushToken?) {
        guard token != wanted else { return }
        wanted = token
        isConfirmed = false
        refusal = nil
    }

    /// The service has this token from before.
    mutating func found(_ token: PushToken) {
        if !present.contains(token) { present.append(token) }
    }

    /// The tokens that the service has, or may have, and should not have.
    var unwanted: [PushToken] { present.filter { $0 != wanted } }

    /// Other credentials apply: a refused request may succeed.
    mutating func credentialsChanged() { refusal = nil }

    /// The next request; nil: none is needed.
    var next: Step? {
        if let old = unwanted.first { return .unregister(old) }
        guard let wanted, !isConfirmed, refusal == nil else { return nil }
        return .register(wanted)
    }

    /// The request is sent.
    mutating func begin(_ step: Step) {
        if case .register(let token) = step, !present.contains(token) { present.append(token) }
    }

    /// The request succeeded.
    mutating func succeed(_ step: Step) {
        switch step {
        case .register(let token): if token == wanted { isConfirmed = true }
        case .unregister(let token): present.removeAll { $0 == token }
        }
    }

    /// The request failed. Returns whether it is to be retried.
    mutating func fail(_ step: Step, _ error: MagicBellError) -> Bool {
        if error.isRetryable || error.kind == .cancelled { return true }
        switch step {
        case .register(let token):
            present.removeAll { $0 == token }
            if token == wanted { refusal = error }
        case .unregister(let token): present.removeAll { $0 == token }
        }
        return false
    }
}
