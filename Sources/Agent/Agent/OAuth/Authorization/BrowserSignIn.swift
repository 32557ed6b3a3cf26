import Basics
import VisibleText

/// A sign-in with the user's browser: the authorization code grant with a listener on this computer (RFC 8252).
package struct BrowserSignIn: Sendable {
    /// What the browser shows at the end.
    package struct Pages: Sendable {
        package var success: RedirectPage
        /// The server has not answered yet.
        package var unfinished: RedirectPage
        package var failure: @Sendable (OAuthError) -> RedirectPage
    }

    /// How long the user may take.
    package static let timeLimit = Duration.seconds(600)
    /// How long the browser waits for its page.
    static let pageDelay = Duration.seconds(10)

    package var server: AuthorizationServer
    /// See ``RedirectListeners/open(port:host:)``.
    package var port = 0
    package var host = "127.0.0.1"
    package var user = AuthorizationRequest.User.any(hint: nil)
    package var pages: Pages
    package var clock: any Clock<Duration>

    package init(server: AuthorizationServer, pages: Pages, clock: any Clock<Duration>) {
        self.server = server
        self.pages = pages
        self.clock = clock
    }

    /// Waits until the user has signed in, at most ``timeLimit``.
    ///
    /// - Parameters:
    ///   - offer: Gets the address for the browser, and the one to start it with.
    ///   - redeeming: Called when a code is redeemed.
    ///   - complete: Gets the tokens. The browser's page says what it throws.
    package func run(
        at metadata: ServerMetadata,
        with listeners: RedirectListeners,
        offer: @Sendable (_ url: String, _ startURL: String) async -> Void,
        redeeming: @escaping @Sendable () -> Void,
        complete: @escaping @Sendable (GrantedTokens) async throws(OAuthError) -> Void
    ) async throws(OAuthError) {
        let listener = try await listeners.open(port: port, host: host)
        let request = AuthorizationRequest(redirectURI: listener.redirectURI)
        let url = request.url(at: metadata, for: server.client, user)
        await listener.offer(url, state: request.state)
        await offer(url, listener.startURL)
        let response = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                if (try? await clock.sleep(for: Self.timeLimit)) != nil { await listener.close() }
            }
            defer { group.cancelAll() }
            return await firstResponse(to: request, at: metadata, listener)
        }
        guard let (response, redirected) = response else {
            await listener.close()
            if Task.isCancelled { throw .cancelled }
            let values = ["server": server.client.issuer.host]
            throw OAuthError(.denied, translated("Nobody signed in at {server} within ten minutes.", values))
        }
        let result = await answering(redirected) { () async throws(OAuthError) in
            redeeming()
            let code: String
            switch response {
            case .failed(let error): throw error
            case .code(let text): code = text
            }
            try await complete(try await server.tokens(.code(code, request), at: metadata))
        }
        await listener.close()
        try result.get()
    }

    /// The first request that is a response to `request`; the others are answered, and mean nothing.
    private func firstResponse(
        to request: AuthorizationRequest,
        at metadata: ServerMetadata,
        _ listener: RedirectListener
    ) async -> (AuthorizationResponse, RedirectListener.Redirected)? {
        for await redirected in listener.redirects {
            let response = AuthorizationResponse(
                query: redirected.query,
                to: request,
                at: metadata,
                of: server.client.issuer
            )
            if let response { return (response, redirected) }
            redirected.decline()
        }
        return nil
    }

    /// Performs `body`, and answers the browser with its result, or earlier if that takes long.
    private func answering(
        _ redirected: RedirectListener.Redirected,
        _ body: @escaping @Sendable () async throws(OAuthError) -> Void
    ) async -> Result<Void, OAuthError> {
        await withTaskGroup(of: Result<Void, OAuthError>?.self) { group in
            group.addTask {
                do throws(OAuthError) { return .success(try await body()) } catch { return .failure(error) }
            }
            group.addTask {
                try? await clock.sleep(for: Self.pageDelay)
                return nil
            }
            var isAnswered = false
            while let outcome = await group.next() {
                let page: RedirectPage
                switch outcome {
                case nil: page = pages.unfinished
                case .success?: page = pages.success
                case .failure(let error)?: page = pages.failure(error)
                }
                if !isAnswered { await redirected.answer(page) }
                isAnswered = true
                if let outcome {
                    group.cancelAll()
                    return outcome
                }
            }
            return .failure(.cancelled)
        }
    }
}
