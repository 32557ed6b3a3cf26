package import ClientKit
import FoundationEssentials
import Synchronization

/// Holds a user's token and refreshes it on demand, with one provider call at a time.
package typealias UserTokenSource = RefreshedToken<UserToken, MagicBellError>

/// The credentials of a user's requests, which can be replaced: a new HMAC, another token.
package final class UserAuthorization: Sendable {
    private enum Form {
        case apiKey(RequestCredentials)
        case hmac(RefreshedToken<UserHMAC, MagicBellError>, key: String, user: UserIdentity)
        case userToken(UserTokenSource)
    }

    private let context: RequestContext
    private let form: Mutex<Form>

    package init(_ credentials: UserCredentials, context: RequestContext) {
        self.context = context
        form = Mutex(Self.form(of: credentials, context))
    }

    /// Later requests use these credentials.
    package func replace(_ credentials: UserCredentials) {
        let new = Self.form(of: credentials, context)
        form.withLock { $0 = new }
    }

    /// The credentials for a request, with a token that is not about to expire. Throws when there is no token.
    package func current() async throws(MagicBellError) -> RequestCredentials {
        switch form.withLock({ $0 }) {
        case .apiKey(let credentials): return credentials
        case .hmac(let source, let key, let user):
            return RequestCredentials(key: key, user: user, hmac: try await source.current()?.rawValue)
        case .userToken(let source):
            guard let token = try await source.current() else {
                throw MagicBellError(.unauthorized, "There is no user token. Check its source.")
            }
            return RequestCredentials(token)
        }
    }

    /// The credentials for a retry after the service refused `rejected`; nil: there are no others.
    package func replacement(for rejected: RequestCredentials) async throws(MagicBellError) -> RequestCredentials? {
        switch form.withLock({ $0 }) {
        case .apiKey(let credentials): return credentials == rejected ? nil : credentials
        case .hmac(let source, let key, let user):
            return try await source.replacement(for: rejected.secret).map {
                RequestCredentials(key: key, user: user, hmac: $0.rawValue)
            }
        case .userToken(let source):
            return try await source.replacement(for: rejected.secret).map { RequestCredentials($0) }
        }
    }

    /// The user asks for another attempt: a token that was refused or is missing is requested again.
    package func renew() {
        switch form.withLock({ $0 }) {
        case .apiKey: break
        case .hmac(let source, _, _): source.renew()
        case .userToken(let source): source.renew()
        }
    }

    private static func form(of credentials: UserCredentials, _ context: RequestContext) -> Form {
        switch credentials.form {
        case .apiKey(let key, let user, let hmac): .apiKey(RequestCredentials(key: key, user: user, hmac: hmac))
        case .refreshedHMAC(let key, let user, let provider):
            .hmac(UserHMAC.source(provider, context), key: key, user: user)
        case .userToken(let token, let provider):
            .userToken(
                UserTokenSource(provider: provider, token: token, user: token?.claimedUser, context: context)
            )
        }
    }
}

/// A user's HMAC.
private struct UserHMAC: ExpiringToken {
    let rawValue: String
    /// An HMAC does not expire.
    var expiresOn: Date? { nil }

    static func source(
        _ provider: @escaping UserTokenProvider,
        _ context: RequestContext
    ) -> RefreshedToken<UserHMAC, MagicBellError> {
        RefreshedToken(
            provider: provider,
            rules: .init(
                read: { (text) throws(MagicBellError) in
                    try ArgumentCheck.checkHeader(text, named: "user's HMAC")
                    return UserHMAC(rawValue: text)
                },
                failure: { MagicBellError(.unauthorized, "The user's HMAC could not be read: \($0)") },
                cancellation: .cancelled,
                accepted: { _ in }
            ),
            now: { context.now },
            clock: context.environment.clock,
            logger: context.logger
        )
    }
}

/// The credentials of one request.
package struct RequestCredentials: Sendable, Equatable {
    /// The headers that prove them.
    package let headers: [HTTPField]
    /// The project's API key; nil: the token does not name it.
    package let apiKey: String?
    /// The HMAC or the user token; nil: there is none.
    fileprivate let secret: String?

    /// Secrets to remove from messages.
    var secrets: [String] { secret.map { [$0] } ?? [] }

    /// Both identifiers are sent if both are known. The service looks at the external id first, and its HMAC is of
    /// that one.
    init(key: String, user: UserIdentity, hmac: String?) {
        var headers = [HTTPField("X-MAGICBELL-API-KEY", key)]
        if let id = user.externalID { headers.append(HTTPField("X-MAGICBELL-USER-EXTERNAL-ID", id)) }
        if let email = user.email { headers.append(HTTPField("X-MAGICBELL-USER-EMAIL", email)) }
        if let hmac { headers.append(HTTPField("X-MAGICBELL-USER-HMAC", hmac)) }
        self.headers = headers
        apiKey = key
        secret = hmac
    }

    init(_ token: UserToken) {
        headers = [HTTPField("Authorization", "Bearer \(token.rawValue)")]
        apiKey = token.apiKey
        secret = token.rawValue
    }
}
