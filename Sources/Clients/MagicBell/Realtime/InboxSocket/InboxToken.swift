/// Where a user's registered token of the service's own socket is kept between runs. The token is a secret.
package struct InboxTokenStorage: Sendable {
    /// nil: none is kept.
    package let load: @Sendable () async -> InboxTokenRegistration?
    /// nil: no token is registered.
    package let save: @Sendable (InboxTokenRegistration?) async -> Void

    /// By default, none is kept: each run registers one of its own.
    package init(
        load: @escaping @Sendable () async -> InboxTokenRegistration? = { nil },
        save: @escaping @Sendable (InboxTokenRegistration?) async -> Void = { _ in }
    ) {
        self.load = load
        self.save = save
    }
}

/// The token of the service's own socket: made here, registered at the service, used until it is refused.
struct InboxToken: Sendable, Equatable {
    /// The length of ``sessionID``.
    static let length = 64
    /// After this many attempts in a row that did not open the socket, the token counts as refused.
    static let maximumFailures = 2

    /// The token that is registered. A secret.
    private(set) var sessionID: String
    /// nil: ``sessionID`` is to be registered.
    private(set) var registration: InboxTokenRegistration?
    private var failures = 0

    init() { sessionID = Self.makeSessionID() }

    /// The service registered ``sessionID``.
    mutating func registered(_ registration: InboxTokenRegistration) {
        self.registration = registration
        failures = 0
    }

    /// Continues with the token of a previous run.
    mutating func restored(_ registration: InboxTokenRegistration) {
        sessionID = registration.token
        registered(registration)
    }

    /// The socket opened with this token.
    mutating func opened() { failures = 0 }

    /// The server was reached, but did not open the socket.
    mutating func handshakeFailed() {
        failures += 1
        if failures >= Self.maximumFailures { discard() }
    }

    /// The server refused the token: another one is made and registered.
    mutating func discard() { self = InboxToken() }

    /// Random characters of `0-9a-z` (MagicBell's documentation, "Inbox tokens").
    private static func makeSessionID() -> String {
        let characters = Array("0123456789abcdefghijklmnopqrstuvwxyz")
        return String((0..<length).map { _ in characters[Int.random(in: characters.indices)] })
    }
}
