import FoundationEssentials
import Logging

/// The user token of a library: a JWT with the claims that its service knows.
package protocol ClaimedToken: ExpiringToken {
    associatedtype Failure: LibraryError

    /// Throws `invalidArgument`, without the text, when it is not a JWT.
    init(_ text: String) throws(Failure)

    /// The service's identifier of the user; nil: the token does not name it.
    var claimedUser: String? { get }
}

extension ClaimedToken {
    /// The expiry, without the token.
    package var redacted: String {
        "UserToken(expires: \(expiresOn.map { "\($0.timeIntervalSince1970)" } ?? "unknown"))"
    }
}

extension LibraryError {
    package static var notAToken: Self {
        Self(
            kind: .invalidArgument,
            message: "The user token is not a JWT (three parts separated by dots, \"eyJ…\")."
        )
    }
}

extension RefreshedToken where Token: ClaimedToken, Failure == Token.Failure {
    /// `token` is used until it is refused or about to expire; nil: the provider is called before the first request.
    /// A token for another user than `user` is logged; nil: unknown.
    package convenience init<Context: ClientContext>(
        provider: Provider?,
        token: Token?,
        user: String?,
        context: Context
    ) where Context.Failure == Failure {
        let logger = context.logger
        let rules = Rules(
            read: { (text) throws(Failure) in
                do throws(Failure) { return try Token(text) } catch {
                    throw Failure(kind: .unauthorized, message: "\(error) Check its source.")
                }
            },
            failure: { error in
                let reason = Redaction.tokens(in: "\(error)")
                return Failure(kind: .unauthorized, message: "The user token could not be obtained: \(reason)")
            },
            cancellation: .cancelled,
            accepted: { token in
                guard let user, let other = token.claimedUser, other != user else { return }
                logger.warning(
                    "user token is for another user",
                    metadata: ["token_for": "\(other)", "user": "\(user)"]
                )
            }
        )
        self.init(
            provider: provider,
            token: token,
            rules: rules,
            now: { context.now },
            clock: context.environment.clock,
            logger: logger
        )
    }
}
