package import Basics
import ClientKit
package import NIOCore
import Synchronization

/// The sign-ins of the agent's accounts. Only the agent has them: a second program that refreshed one would end it.
package final class SignIns: Sendable {
    private struct Session {
        var client: ClientRegistration
        var caFile: String?
        var session: SignInSession
    }

    /// How long the end of the program may wait for an answer.
    private static let endTime = Duration.seconds(3)

    /// Where the browser's answers arrive.
    package let listeners: RedirectListeners
    private let keyring: Keyring
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp
    private let requests = TokenRequests()
    private let sessions = Mutex<[String: Session]>([:])
    /// The names of accounts whose sign-ins have another ``SignInSession/status``.
    package let changes = Mailbox<String>()

    package init(
        keyring: Keyring,
        eventLoop: any EventLoop,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.now = now
        listeners = RedirectListeners(on: eventLoop)
        self.keyring = keyring
        self.clock = clock
    }

    /// Refreshes sign-ins until the task is cancelled.
    package func run() async { await requests.run() }

    /// Waits a moment for answers that must not be lost. Call it before the task of ``run()`` is cancelled.
    package func finish() async { await requests.finish(within: Self.endTime, clock: clock) }

    /// The sign-in of an account, which goes on where its configuration is as it was.
    ///
    /// - Parameter caFile: A PEM file of additional trusted certificate authorities.
    func session(_ backend: TokenBackend, _ transport: NIOTransport, caFile: String?) -> SignInSession {
        sessions.withLock { sessions in
            let client = backend.signIn.client
            if let kept = sessions[backend.account], kept.client == client, kept.caFile == caFile {
                return kept.session
            }
            let session = SignInSession(
                server: AuthorizationServer(client, transport.trusting(caFile)),
                storage: SignInKeyring(item: SignInItem(account: backend.account), keyring: keyring),
                requests: requests,
                clock: clock,
                now: now
            ) { [changes] in changes.send(backend.account) }
            sessions[backend.account] = Session(client: client, caFile: caFile, session: session)
            return session
        }
    }

    /// The sign-in of an account; nil: its token does not come from one.
    package func session(ofAccount name: String) -> SignInSession? { sessions.withLock { $0[name]?.session } }

    /// Allows prompts of the keyring again, after a request of the user.
    package func allowPrompts() async { await keyring.allowPrompts() }

    /// Forgets the sign-in of an account that was removed.
    package func forget(account name: String) { _ = sessions.withLock { $0.removeValue(forKey: name) } }
}
