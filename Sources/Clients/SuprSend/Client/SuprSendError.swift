import ClientKit
public import FoundationEssentials

/// An error of the library: a kind for code, and a sentence for the user.
///
/// Never contains a user token.
public struct SuprSendError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure, by what the caller can do.
    public enum Kind: Sendable, Hashable {
        /// An argument is invalid; nothing was sent.
        case invalidArgument
        /// The call is not valid in the present state (already loading, no further page); nothing was sent.
        case invalidState
        /// The service refused the credentials (HTTP 401, or an expired or invalid token), or no token was available.
        case unauthorized
        /// The credentials are valid but lack the permission (HTTP 403), for example for a tenant outside the token's
        /// scope.
        case forbidden
        /// The service does not know the object (HTTP 404).
        case notFound
        /// The service refused the request for another reason.
        case rejected
        /// Too many requests (HTTP 429); see ``SuprSendError/retryAfter``.
        case rateLimited
        /// The service failed (HTTP 5xx), or the request did not arrive as expected (408, 421, 425, 499).
        case serverFailure
        /// The service is unreachable, or the connection ended.
        case unreachable
        /// The response is not the service's: HTML, an empty body, other JSON. Also a refusal (HTTP 4xx) without the
        /// service's own error: it is from a gateway, and is unrelated to the request or the credentials.
        case unexpectedAnswer
        /// The calling task was cancelled.
        case cancelled
    }

    /// The kind of failure.
    public var kind: Kind
    /// The HTTP status, if there was a response.
    public var status: Int?
    /// The service's own error type in capitals, such as `TOKEN_EXPIRED`, if it sent one.
    public var serviceType: String?
    /// One sentence for the user.
    public var message: String
    /// The time to wait before a retry (`Retry-After`), if the service sent one.
    public var retryAfter: Duration?
    /// Whether the response is longer than the library reads: one with fewer rows may not be.
    package var isTooLarge = false
    /// Whether the response is too long for the link.
    package var isTooSlow = false
    /// Whether the realtime server refused the user token.
    package var isTokenRefused = false

    /// Creates an error.
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

    /// Whether the same call can succeed later without any change by the caller.
    public var isRetryable: Bool { kind.isTransient }

    /// ``message``.
    public var description: String { message }

    /// ``message``, for Foundation's `localizedDescription`.
    public var errorDescription: String? { message }

    /// Whether the service may have performed the failed request.
    package var isOutcomeUnknown: Bool {
        switch kind {
        case .serverFailure, .unreachable, .unexpectedAnswer: true
        default: false
        }
    }

    /// The error type that the service's own SDKs give to a call refused before it is sent.
    static let validationError = "VALIDATION_ERROR"

    /// A call that is refused before it is sent.
    static func validation(_ kind: Kind, _ message: String) -> SuprSendError {
        SuprSendError(kind, message, serviceType: validationError)
    }
}

extension SuprSendError: LibraryError {
    package static let service = "SuprSend"

    package init(kind: Kind, message: String, status: Int?, retryAfter: Duration?) {
        self.init(kind, message, status: status, serviceType: nil, retryAfter: retryAfter)
    }
}

extension SuprSendError.Kind: LibraryErrorKind {}
