package import Basics
package import ClientKit
import Synchronization
import VisibleText

/// The sign-in of one account: it gets tokens for the company's backend, as long as the sign-in lasts.
///
/// One program may have the session of a sign-in: many servers end it when an old refresh token is used again.
package actor SignInSession {
    /// Why there is no token.
    package enum Failure: Error, Hashable, Sendable {
        /// Nobody has signed in.
        case notSignedIn
        /// The sign-in that is kept was made at another server, or for another client there. It is not used.
        case otherClient
        /// The sign-in has ended; nothing more is sent until the user signs in again.
        case ended(OAuthError)
        /// The user may not use this inbox.
        case forbidden
        /// Kinds: ``OAuthError/Kind/transient``, ``OAuthError/Kind/unexpected``, ``OAuthError/Kind/misconfigured``.
        case other(OAuthError)

        /// One sentence for the user.
        package var message: String {
            switch self {
            case .notSignedIn: "Nobody has signed in yet."
            case .otherClient: "The sign-in that is kept is for another client or server than the configured one."
            case .forbidden: "The backend does not give access to this inbox."
            case .ended(let error), .other(let error): error.message
            }
        }
    }

    /// In time: metadata of the server is read again.
    private static let metadataLifetime = Duration.seconds(86_400)

    package nonisolated let server: AuthorizationServer
    private let storage: any SignInStorage
    private let requests: TokenRequests
    private let uptime: @Sendable () -> Duration
    private let now: @Sendable () -> Timestamp
    private let changed: @Sendable () -> Void
    private nonisolated let shownStatus = Mutex(SignInStatus())
    /// nil: it was not read yet.
    private var state: SignInState?
    private var metadata: (value: ServerMetadata, time: Duration)?
    private var isRefreshing = false
    /// Those who wait for the refresh.
    private var waiters = Waiters()
    /// Of the last refresh: the access token; nil: another sign-in has taken the place of the refreshed one.
    private var outcome = Result<String?, Failure>.success(nil)
    /// Why the refresh token is in memory only; nil: it is stored.
    package private(set) var storageProblem: OAuthError?

    /// - Parameters:
    ///   - requests: Has to run.
    ///   - clock: It includes suspension.
    ///   - now: The time of the user's clock.
    ///   - changed: Called when ``status`` is another one.
    package init(
        server: AuthorizationServer,
        storage: any SignInStorage,
        requests: TokenRequests,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Timestamp,
        changed: @escaping @Sendable () -> Void = {}
    ) {
        self.now = now
        self.changed = changed
        self.server = server
        self.storage = storage
        self.requests = requests
        uptime = clock.stopwatch()
    }

    package private(set) nonisolated var status: SignInStatus {
        get { shownStatus.withLock { $0 } }
        set {
            let isOther = shownStatus.withLock { status in
                defer { status = newValue }
                return status != newValue
            }
            if isOther { changed() }
        }
    }

    /// A secret of the user from the backend. Calls at once share a refresh.
    package func backendToken(_ kind: BackendToken.Kind, from url: String) async throws(Failure) -> BackendToken {
        let hadEnded = state?.hasEnded == true
        do throws(Failure) {
            let token = try await requestedToken(kind, from: url)
            attempted(nil)
            return token
        } catch {
            switch error {
            // Nothing was tried: the reason of the last attempt is the one to know.
            case .notSignedIn, .otherClient: break
            case .ended where hadEnded: break
            case .ended, .forbidden, .other: if !Task.isCancelled { attempted(error) }
            }
            throw error
        }
    }

    private func attempted(_ failure: Failure?) { (status.attempted, status.failure) = (now(), failure) }

    private func requestedToken(_ kind: BackendToken.Kind, from url: String) async throws(Failure) -> BackendToken {
        var mayAskAgain = true
        while true {
            let token = try await accessToken()
            do throws(BackendToken.Failure) {
                return try await server.backendToken(kind, from: url, accessToken: token)
            } catch {
                switch error {
                case .forbidden: throw .forbidden
                case .other(let error): throw .other(error)
                case .refused(let error):
                    guard mayAskAgain, state?.refused(accessToken: token) == true else {
                        throw error.kind == .ended ? ended(error) : .other(error)
                    }
                    mayAskAgain = false
                }
            }
        }
    }

    /// Stores the sign-in if the keyring refused it before, and uses it if it was not used for a day, so that it does
    /// not end. Call it from time to time.
    package func keepAlive() async {
        if storageProblem != nil, let metadata = try? await currentMetadata() { await store(metadata) }
        guard let state, state.isRefreshDue(at: uptime()), let token = state.refreshToken else { return }
        _ = try? await refresh(token)
    }

    /// Lets the user sign in, and asks the backend whether it has a token for this user.
    ///
    /// - Parameters:
    ///   - isForDevice: See ``AuthorizationServer/metadata(isForDevice:)``.
    ///   - check: Throws if the backend's token belongs to another user. Then nothing is kept. Gets the claims of the
    ///     id token, too, if there is one.
    ///   - grant: Runs a ``BrowserSignIn`` or a ``DeviceSignIn``, and passes its tokens on.
    /// - Throws: Also if the user has signed in, and the backend has no token for the user.
    package func signIn(
        for kind: BackendToken.Kind,
        from url: String,
        isForDevice: Bool = false,
        check: @escaping @Sendable (BackendToken, JSONValue?) throws(OAuthError) -> Void,
        grant:
            @Sendable (
                ServerMetadata, _ complete: @escaping @Sendable (GrantedTokens) async throws(OAuthError) -> Void
            ) async throws(OAuthError) -> Void
    ) async throws(OAuthError) {
        do throws(OAuthError) {
            // A person is there, and what was read before may be wrong.
            let metadata = try await server.metadata(isForDevice: isForDevice)
            self.metadata = (metadata, uptime())
            try await grant(metadata) { (tokens) throws(OAuthError) in
                try await self.accept(tokens, at: metadata, requestedAt: self.uptime(), kind, url, check)
            }
        } catch {
            if !Task.isCancelled { attempted(.other(error)) }
            throw error
        }
    }

    /// Keeps the tokens of a new sign-in, unless they belong to another user.
    private func accept(
        _ tokens: GrantedTokens,
        at metadata: ServerMetadata,
        requestedAt time: Duration,
        _ kind: BackendToken.Kind,
        _ url: String,
        _ check: @Sendable (BackendToken, JSONValue?) throws(OAuthError) -> Void
    ) async throws(OAuthError) {
        let answer: Result<BackendToken, BackendToken.Failure>
        do throws(BackendToken.Failure) {
            answer = .success(try await server.backendToken(kind, from: url, accessToken: tokens.accessToken))
        } catch { answer = .failure(error) }
        if case .success(let token) = answer {
            do throws(OAuthError) { try check(token, tokens.idClaims) } catch {
                if let token = tokens.refreshToken { await server.revoke(token, at: metadata) }
                throw error
            }
        }
        let backend = ["server": BackendToken.host(of: url)]
        if case .failure(.refused(let error)) = answer, error.kind == .ended {
            throw OAuthError(.misconfigured, translated("{server} does not accept the sign-in.", backend))
        }
        await signedIn(tokens, at: metadata, requestedAt: time)
        switch answer {
        case .failure(.forbidden):
            throw OAuthError(.denied, translated("{server} does not give you access to this inbox.", backend))
        case .failure(.other(let error)) where error.kind != .transient: throw error.withAdvice
        default: break
        }
    }

    /// The user has signed in.
    ///
    /// - Parameter time: Before the request: the lifetime counts from there.
    package func signedIn(_ tokens: GrantedTokens, at metadata: ServerMetadata, requestedAt time: Duration) async {
        var state = SignInState()
        state.granted(tokens, requestedAt: time)
        self.state = state
        self.metadata = (metadata, uptime())
        (status.since, status.refreshed) = (now(), now())
        attempted(nil)
        await store(metadata)
    }

    /// Ends the sign-in, here and, if the server allows it, there, for which nobody waits.
    package func signOut() async throws(OAuthError) {
        let stored = state == nil ? try? await storage.load() : nil
        let token = state?.refreshToken
        requests.start { await self.revoke(token, stored) }
        state = SignInState()
        status = SignInStatus()
        storageProblem = nil
        try await storage.remove()
    }

    // MARK: Implementation

    private func accessToken() async throws(Failure) -> String {
        while !Task.isCancelled {
            if state == nil {
                let loaded = try await load()
                if state == nil { state = loaded }
            }
            switch (state ?? SignInState()).step(at: uptime()) {
            case .use(let accessToken): return accessToken
            case .refresh(let token): if let accessToken = try await refresh(token) { return accessToken }
            case .signIn: throw .notSignedIn
            case .ended(let error): throw ended(error)
            }
        }
        throw .other(.cancelled)
    }

    /// Waits for a refresh, which it begins unless one is under way. See ``outcome``.
    private func refresh(_ token: String) async throws(Failure) -> String? {
        if !isRefreshing {
            isRefreshing = true
            requests.start { await self.runRefresh(token) }
        }
        while isRefreshing, !Task.isCancelled { await waiters.add().wait() }
        guard !Task.isCancelled else { throw .other(.cancelled) }
        return try outcome.get()
    }

    private func runRefresh(_ token: String) async {
        outcome = .success(nil)
        do throws(OAuthError) {
            let metadata = try await currentMetadata()
            let time = uptime()
            let tokens = try await server.tokens(.refresh(token: token), at: metadata)
            if state?.refreshToken == token {
                state?.granted(tokens, requestedAt: time)
                outcome = .success(tokens.accessToken)
                status.refreshed = now()
                // Before anything is done with the answer: the old refresh token is dead.
                if tokens.refreshToken != nil || storageProblem != nil { await store(metadata) }
            } else if let token = tokens.refreshToken {
                // The user has signed out, or in again, meanwhile.
                await server.revoke(token, at: metadata)
            }
        } catch {
            if error.kind == .misconfigured || error.kind == .unexpected { metadata = nil }
            if state?.refreshToken == token { outcome = .failure(error.kind == .ended ? ended(error) : .other(error)) }
        }
        isRefreshing = false
        waiters.wakeAll()
    }

    private func ended(_ error: OAuthError) -> Failure {
        state?.ended(error)
        status.since = nil
        return .ended(error)
    }

    /// - Parameter stored: That of an earlier run, if there is no token.
    private func revoke(_ token: String?, _ stored: StoredSignIn?) async {
        guard token != nil || stored != nil, let metadata = try? await currentMetadata() else { return }
        let kept = stored?.belongs(to: server.client, at: metadata) == true ? stored?.refreshToken : nil
        if let token = token ?? kept { await server.revoke(token, at: metadata) }
    }

    /// The sign-in of an earlier run. One of another server or client stays, for the case that the configuration is
    /// changed back, and is never sent.
    private func load() async throws(Failure) -> SignInState {
        let isOther: Bool
        do throws(OAuthError) {
            let stored = try await storage.load()
            if let stored, stored.belongs(to: server.client, at: try await currentMetadata()) {
                status.since = stored.since
                return SignInState(refreshToken: stored.refreshToken)
            }
            isOther = stored != nil
        } catch {
            throw .other(error)
        }
        // The server may have told a wrong endpoint.
        metadata = nil
        throw isOther ? .otherClient : .notSignedIn
    }

    private func store(_ metadata: ServerMetadata) async {
        guard let token = state?.refreshToken else { return }
        let signIn = StoredSignIn(
            issuer: server.client.issuer.text,
            clientID: server.client.clientID,
            tokenEndpoint: metadata.tokenEndpoint,
            refreshToken: token,
            since: status.since
        )
        do throws(OAuthError) {
            try await storage.store(signIn)
            storageProblem = nil
        } catch {
            storageProblem = error
        }
    }

    private func currentMetadata() async throws(OAuthError) -> ServerMetadata {
        if let metadata, uptime() - metadata.time < Self.metadataLifetime { return metadata.value }
        let value = try await server.metadata()
        metadata = (value, uptime())
        return value
    }
}
