import ClientKit
public import FoundationEssentials

/// What went wrong, for the one who must act: a kind to decide by, a sentence to show.
///
/// Never contains a user token.
public struct SuprSendError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure, by what can be done about them.
    public enum Kind: Sendable, Hashable {
        /// A value given by the caller cannot be used; nothing was sent.
        case invalidArgument
        /// The call does not fit the present state (already loading, no further page); nothing was sent.
        case invalidState
        /// The service refuses the credentials (HTTP 401, or a token that is expired or invalid), or no token could be had.
        case unauthorized
        /// The credentials are valid but do not cover this (HTTP 403), for example a tenant outside the token's scope.
        case forbidden
        /// The service says that it does not know the thing (HTTP 404).
        case notFound
        /// The service refuses the request for another reason.
        case rejected
        /// Too many requests (HTTP 429); see ``SuprSendError/retryAfter``.
        case rateLimited
        /// The service is in trouble (HTTP 5xx), or the request did not reach it as it should (408, 421, 425, 499).
        case serverFailure
        /// The service could not be reached, or the connection ended.
        case unreachable
        /// What answered does not speak the service's protocol: HTML, an empty body, other JSON. Also a refusal (HTTP 4xx) without the
        /// service's own error: it is a gateway's, and says nothing about the request or the credentials.
        case unexpectedAnswer
        /// The calling task was cancelled.
        case cancelled
    }

    /// What can be done about it.
    public var kind: Kind
    /// The HTTP status, when there was an answer.
    public var status: Int?
    /// The service's own error type in capitals, such as `TOKEN_EXPIRED`, when it named one.
    public var serviceType: String?
    /// One sentence for a person.
    public var message: String
    /// How long the service asks to wait (`Retry-After`), when it does.
    public var retryAfter: Duration?

    /// An error with these facts.
    public init(
        _ kind: Kind,
        _ message: String,
        status: Int? = nil,
        serviceType: String? = nil,
        retryAfter: Duration? = nil
    ) {
        self.kind = kind
        self.message = message
        self.status = status
        self.serviceType = serviceType
        self.retryAfter = retryAfter
    }

    /// Whether the same call can succeed later without anybody changing anything.
    public var isRetryable: Bool {
        switch kind {
        case .rateLimited, .serverFailure, .unreachable, .unexpectedAnswer: true
        case .invalidArgument, .invalidState, .unauthorized, .forbidden, .notFound, .rejected, .cancelled: false
        }
    }

    /// ``message``.
    public var description: String { message }

    /// ``message``, so that Foundation's `localizedDescription` is it, too.
    public var errorDescription: String? { message }

    /// Whether a new user token could help: never for a refusal by scope, which a new token of the same user repeats. A gateway that
    /// checks tokens refuses with 401 in a form of its own.
    var asksForNewToken: Bool { kind == .unauthorized || (kind == .unexpectedAnswer && status == 401) }

    /// Whether the request may have been carried out although it failed.
    var leavesDoubt: Bool {
        switch kind {
        case .serverFailure, .unreachable, .unexpectedAnswer: true
        default: false
        }
    }

    static let cancelled = SuprSendError(.cancelled, "The call was cancelled.")
    static let shutDown = SuprSendError(.invalidState, "The client was shut down; make another one.")

    /// The service's type for what is refused before it is sent (suprsend.md §2.2).
    static let validationError = "VALIDATION_ERROR"

    /// A call that does not fit.
    static func validation(_ kind: Kind, _ message: String) -> SuprSendError {
        SuprSendError(kind, message, serviceType: validationError)
    }
}
