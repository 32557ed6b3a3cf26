import ClientKit
public import FoundationEssentials

/// An error of the library: a kind for code, and a sentence for the user.
///
/// Never contains a credential.
public struct MagicBellError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure, by what the caller can do.
    public enum Kind: Sendable, Hashable {
        /// An argument is invalid; nothing was sent.
        case invalidArgument
        /// The call is not valid in the present state (disconnected user, disposed store); nothing was sent.
        case invalidState
        /// The API that the client uses has no such call; nothing was sent.
        case unsupported
        /// The service refused the credentials (HTTP 401, or an error code about key, user or HMAC), or none was
        /// available.
        case unauthorized
        /// The credentials are valid but lack the permission (HTTP 403).
        case forbidden
        /// The service does not know the object (HTTP 404).
        case notFound
        /// The service refused the request for another reason (HTTP 422 and others).
        case rejected
        /// Too many requests (HTTP 429); see ``MagicBellError/retryAfter``.
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
    /// The service's own error codes, such as `incorrect_api_key`, if it sent any.
    public var codes: [String]
    /// One sentence for the user.
    public var message: String
    /// The time to wait before a retry (`Retry-After`), if the service sent one.
    public var retryAfter: Duration?
    /// Whether the response is longer than the library reads: one with fewer notifications may not be.
    package var isTooLarge = false
    /// Whether the response is too long for the link.
    package var isTooSlow = false

    /// Creates an error.
    public init(
        _ kind: Kind,
        _ message: String,
        status: Int? = nil,
        codes: [String] = [],
        retryAfter: Duration? = nil
    ) {
        self.kind = kind
        self.message = message
        self.status = status
        self.codes = codes
        self.retryAfter = retryAfter
    }

    /// Whether the same call can succeed later without any change by the caller.
    public var isRetryable: Bool { kind.isTransient }

    /// ``message``.
    public var description: String { message }

    /// ``message``, for Foundation's `localizedDescription`.
    public var errorDescription: String? { message }

    /// A call that the API does not have.
    static func unsupported(_ call: String, by api: String) -> MagicBellError {
        MagicBellError(.unsupported, "The \(api) does not support \(call).")
    }
}

extension MagicBellError: LibraryError {
    package static let service = "MagicBell"

    package init(kind: Kind, message: String, status: Int?, retryAfter: Duration?) {
        self.init(kind, message, status: status, codes: [], retryAfter: retryAfter)
    }
}

extension MagicBellError.Kind: LibraryErrorKind {}
