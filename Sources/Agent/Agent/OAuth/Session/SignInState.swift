import Basics

/// The tokens of a sign-in, and what is to be done before one of them is used.
package struct SignInState: Hashable, Sendable {
    /// The next step towards an access token.
    package enum Step: Hashable, Sendable {
        /// Use this one.
        case use(accessToken: String)
        /// Refresh it with this refresh token.
        case refresh(token: String)
        /// Nobody is signed in.
        case signIn
        /// The sign-in has ended, for this reason: nothing more is sent.
        case ended(OAuthError)
    }

    private struct Access: Hashable, Sendable {
        var token: String
        /// nil: unknown.
        var end: Duration?
    }

    /// An access token that ends earlier than this is refreshed before it is used.
    private static let margin = Duration.seconds(30)
    /// A sign-in that is not used for longer ends at some servers.
    private static let refreshInterval = Duration.seconds(86_400)

    /// nil: there is none, or it was not read yet.
    package private(set) var refreshToken: String?
    private var access: Access?
    private var end: OAuthError?
    private var lastRefresh: Duration?

    package init() {}

    /// With a refresh token of an earlier run.
    package init(refreshToken: String) { self.refreshToken = refreshToken }

    /// - Parameter uptime: By a clock that includes suspension.
    package func step(at uptime: Duration) -> Step {
        if let end { return .ended(end) }
        if let access, access.end.map({ $0 - Self.margin > uptime }) ?? true { return .use(accessToken: access.token) }
        if let refreshToken { return .refresh(token: refreshToken) }
        return access == nil ? .signIn : .ended(.accessTokenEnded)
    }

    /// The server granted tokens.
    ///
    /// - Parameter uptime: Before the request: the lifetime counts from there.
    package mutating func granted(_ tokens: GrantedTokens, requestedAt uptime: Duration) {
        access = Access(token: tokens.accessToken, end: tokens.lifetime.map { uptime + $0 })
        refreshToken = tokens.refreshToken ?? refreshToken
        lastRefresh = uptime
        end = nil
    }

    /// The backend does not accept this access token: it is not used again.
    ///
    /// - Returns: Whether another one can be requested.
    package mutating func refused(accessToken: String) -> Bool {
        if access?.token == accessToken { access = nil }
        return refreshToken != nil
    }

    /// The sign-in has ended: nothing is sent until the user signs in again.
    package mutating func ended(_ error: OAuthError) { end = error }

    /// Whether nothing more is sent.
    package var hasEnded: Bool { end != nil }

    /// Whether the sign-in has to be used so that it does not end.
    package func isRefreshDue(at uptime: Duration) -> Bool {
        guard end == nil, refreshToken != nil else { return false }
        return lastRefresh.map { uptime - $0 >= Self.refreshInterval } ?? false
    }
}

extension OAuthError {
    fileprivate static var accessTokenEnded: OAuthError {
        OAuthError(
            .ended,
            "The sign-in lasts only as long as its first token, because the server grants no refresh token. "
                + "The scope offline_access may be missing."
        )
    }
}
