import AgentInterface
import Basics
import ClientKit
import DBus
import Inbox
import Logging
import VisibleText

/// Sign-ins with the browser.
extension Agent {
    /// How often a sign-in that nothing needs is looked at, so that it does not end.
    private static let keepAliveInterval = Duration.seconds(3_600)

    /// Runs sign-ins until the task is cancelled.
    func runSignIns() async {
        guard let browserSignIns, let signIns else { return }
        await withDiscardingTaskGroup { group in
            group.addTask { await signIns.run() }
            group.addTask { await self.followKeyring() }
            group.addTask { for await account in signIns.changes.messages { await self.publishSignIn(of: account) } }
            group.addTask { await browserSignIns.run { await self.signInEnded($0, $1) } }
            group.addTask {
                while (try? await self.environment.clock.sleep(for: Self.keepAliveInterval)) != nil {
                    for session in await self.onlineSignIns { await session.keepAlive() }
                }
            }
        }
    }

    /// Says at an account's object what is known of its sign-in.
    func publishSignIn(of name: String) {
        guard let status = signIns?.session(ofAccount: name)?.status,
            let service = accounts.first(where: { $0.configuration.name == name })?.configuration.service,
            let backend = service.token?.backend
        else { return }
        let record = SignInRecord(status, of: backend, user: service.owner.user)
        var changes = PropertyChanges()
        changes.set(AgentAccount.signInStatus, status == SignInStatus() ? [:] : record.dictionary)
        bus.assumeIsolated { $0.set(changes, at: AgentNames.accountPath(name)) }
    }

    /// A keyring that appears may have what an account waits for.
    private func followKeyring() async {
        guard let owners = try? await bus.nameOwnerChanges(of: SecretServiceInterface.busName) else { return }
        // The first is the present one.
        for await change in owners.dropFirst() where change.new != nil {
            for account in accounts where !account.summary.isOnline {
                switch account.configuration.service.token {
                case .secret, .backend: await account.session.reconnect()
                case .command, .file, .credential, nil: break
                }
            }
        }
    }

    private var onlineSignIns: [SignInSession] {
        accounts.filter(\.summary.isOnline).compactMap { signIns?.session(ofAccount: $0.configuration.name) }
    }

    private func backend(ofAccount name: String) throws(DBusError) -> (AccountConfiguration, TokenBackend) {
        guard let configured = accounts.first(where: { $0.configuration.name == name })?.configuration else {
            throw DBusError(AgentErrors.notFound, "There is no account \"\(name)\".")
        }
        guard let backend = configured.service.token?.backend else {
            throw DBusError(
                AgentErrors.notSupported,
                "\"\(name)\" does not sign in with the browser, as its configuration has no token_url."
            )
        }
        return (configured, backend)
    }

    /// Starts a sign-in. Returns when the browser's answer is waited for.
    func startSignIn(to name: String, _ options: SignInOptions) async throws(DBusError) {
        let (configured, backend) = try backend(ofAccount: name)
        guard let browserSignIns else { return }
        let request = BrowserSignIns.Request(backend: backend, options: options) { (token, claims) throws(OAuthError) in
            try configured.check(token, of: backend, claims)
        }
        do throws(OAuthError) { try await browserSignIns.start(request) } catch { throw error.busError }
    }

    func cancelSignIn(to name: String) async throws(DBusError) {
        _ = try backend(ofAccount: name)
        await browserSignIns?.cancel(name)
    }

    /// The user has signed in, or not.
    private func signInEnded(_ request: BrowserSignIns.Request, _ error: OAuthError?) async {
        let name = request.account
        guard let account = accounts.first(where: { $0.configuration.name == name }) else { return }
        if error == nil, let source = account.configuration.service.token { SignOutMark(source)?.remove() }
        if error == nil, request.options.opensBrowser { signInPopups.signedIn(to: name) }
        // A sign-in of which the backend does not approve has its reason then.
        if error == nil || !account.summary.isOnline { await account.session.reconnect() }
    }

    /// Ends the sign-in of an account.
    func endSignIn(of account: AccountConfiguration) async {
        await browserSignIns?.cancel(account.name)
        guard let session = signIns?.session(ofAccount: account.name) else { return }
        if let source = account.service.token { SignOutMark(source)?.set() }
        do throws(OAuthError) { try await session.signOut() } catch {
            logger.warning("a sign-in was not removed from the keyring", metadata: ["reason": "\(error.message)"])
        }
    }
}

extension AccountConfiguration {
    /// Throws if a token belongs to another user.
    ///
    /// - Parameter claims: Of the id token: they tell another person from another name of the same one.
    fileprivate func check(
        _ token: BackendToken,
        of backend: TokenBackend,
        _ claims: JSONValue?
    ) throws(OAuthError) {
        let own = service.owner.user
        guard !own.isEmpty, let other = service.user(ofToken: token.text), !other.hasSameBytes(as: own) else { return }
        let names = ["preferred_username", "email", "upn", "sub"].compactMap { claims?[$0]?.string }
        let isSamePerson = names.contains(own) || own.hasPrefix("\(other)@") || other.hasPrefix("\(own)@")
        let values = ["server": backend.host, "other": other, "account": name, "user": own]
        let sentence =
            isSamePerson
            ? translated(
                "{server} calls you {other}, but the inbox \"{account}\" belongs to {user}. "
                    + "Ask your administrator to use one name for both.",
                values
            )
            : translated(
                "The browser signed in {other}, but the inbox \"{account}\" belongs to {user}. "
                    + "Sign in as another person.",
                values
            )
        throw OAuthError(isSamePerson ? .misconfigured : .denied, sentence)
    }
}

extension SignInRecord {
    /// - Parameter user: Of the account; empty: unknown.
    fileprivate init(_ status: SignInStatus, of backend: TokenBackend, user: String) {
        self.init()
        since = status.since?.milliseconds ?? 0
        refreshed = status.refreshed?.milliseconds ?? 0
        attempted = status.attempted?.milliseconds ?? 0
        guard let failure = status.failure else { return }
        error = failure.errorName.text
        // As in LastError.
        message = TokenReader.Failure(failure, of: backend, user: user).sentence
    }
}

extension SignInSession.Failure {
    fileprivate var errorName: ErrorName {
        switch self {
        case .notSignedIn, .otherClient: AgentErrors.notSignedIn
        case .forbidden: AgentErrors.unauthorized
        case .ended(let error), .other(let error): error.busError.name
        }
    }
}
