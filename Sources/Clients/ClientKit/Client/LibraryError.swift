/// The error of a client library, for the code that the libraries share.
///
/// Each library has a public type of its own, with the kinds that its service has.
package protocol LibraryError: Error, Sendable, Equatable {
    associatedtype Kind: LibraryErrorKind

    /// The service's name, for sentences.
    static var service: String { get }

    var kind: Kind { get }
    /// One sentence for the user.
    var message: String { get }
    /// The HTTP status, if there was a response.
    var status: Int? { get }
    /// The time to wait before a retry (`Retry-After`), if the service sent one.
    var retryAfter: Duration? { get }
    /// Whether the response is longer than the library reads: one with fewer notifications may not be.
    var isTooLarge: Bool { get set }
    /// Whether the response is too long for the link: one with fewer notifications may arrive in time.
    var isTooSlow: Bool { get set }

    init(kind: Kind, message: String, status: Int?, retryAfter: Duration?)
}

/// The kinds of failure of every library.
package protocol LibraryErrorKind: Sendable, Hashable {
    static var invalidArgument: Self { get }
    static var invalidState: Self { get }
    static var unauthorized: Self { get }
    static var forbidden: Self { get }
    static var notFound: Self { get }
    static var rejected: Self { get }
    static var rateLimited: Self { get }
    static var serverFailure: Self { get }
    static var unreachable: Self { get }
    static var unexpectedAnswer: Self { get }
    static var cancelled: Self { get }
}

extension LibraryErrorKind {
    /// Whether the same call can succeed later without any change by the caller.
    package var isTransient: Bool {
        [.rateLimited, .serverFailure, .unreachable, .unexpectedAnswer].contains(self)
    }

    /// The kind that an HTTP status alone shows, whether the service answered or a gateway in front of it; nil: none.
    package init?(status: Int) {
        switch status {
        // A timeout, a misdirected request, an early request, a client that closed (RFC 9110 §15.5.9 and §15.5.20,
        // RFC 8470 §5.2): the same request may succeed.
        case 408, 421, 425, 499: self = .serverFailure
        case 429: self = .rateLimited
        case 511: self = .unexpectedAnswer
        default: return nil
        }
    }

    /// The kind of the service's own refusal with this HTTP status.
    package init(refusal status: Int) {
        switch status {
        case 401: self = .unauthorized
        case 403: self = .forbidden
        case 404: self = .notFound
        case 400..<500: self = .rejected
        default: self = .unexpectedAnswer
        }
    }
}

extension LibraryError {
    package init(kind: Kind, message: String) {
        self.init(kind: kind, message: message, status: nil, retryAfter: nil)
    }

    /// Whether new credentials could help. Never after a refusal of the permission, which new ones of the same user
    /// repeat. A gateway that checks tokens refuses with 401 in a form of its own.
    package var asksForNewToken: Bool { kind == .unauthorized || (kind == .unexpectedAnswer && status == 401) }

    /// Whether the service does not let the user in: only the user, or a change at the service, can help.
    package var isRefusal: Bool { kind == .unauthorized || kind == .forbidden }

    package static var cancelled: Self { Self(kind: .cancelled, message: "The call was cancelled.") }

    package static var shutDown: Self {
        Self(kind: .invalidState, message: "The client was shut down; create a new one.")
    }

    /// Nothing was sent: the service asked for a pause, of which this is left.
    package static func paused(for rest: Duration) -> Self {
        Self(
            kind: .rateLimited,
            message: "\(service) asked for a pause after too many requests, which ends in "
                + "\((rest + .milliseconds(999)).components.seconds) s; nothing was sent.",
            status: 429,
            retryAfter: rest
        )
    }
}
