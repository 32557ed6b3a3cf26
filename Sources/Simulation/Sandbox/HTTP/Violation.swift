/// A violation of the protocol by a client. The sandbox returns an error and logs the violation, so that a test can
/// check for their absence.
package struct Violation: Sendable, Equatable, CustomStringConvertible {
    package enum Kind: String, Sendable, Equatable {
        /// A required header is absent or wrong, such as `Content-Type` or the credentials, or a header is forbidden.
        case header
        /// An unknown path, method or user, or a slash at the end of a feed path.
        case route
        /// A missing, unknown, repeated, or malformed query parameter, a raw "+" included.
        case query
        /// A body that is invalid for the endpoint.
        case body
        /// A frame that the protocol of the socket does not allow, or that a receiving client never sends.
        case realtime
    }

    package var kind: Kind
    /// One sentence.
    package var message: String
    /// The request line or the frame.
    package var context: String

    package var description: String { "\(message) [\(context)]" }

    package init(kind: Kind, message: String, context: String) {
        self.kind = kind
        self.message = message
        self.context = context
    }
}
