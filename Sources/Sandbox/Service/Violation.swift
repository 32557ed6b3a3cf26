/// Something that a correct client never does. The sandbox answers it with an error and keeps it in a list, so that
/// a test can end with "no violations".
package struct Violation: Sendable, Equatable, CustomStringConvertible {
    package enum Kind: String, Sendable, Equatable {
        /// A required header is absent or wrong: `Content-Type`, `Authorization`, `x-ss-signature`, `X-Suprsend-*`.
        case header
        /// No such path, method, or user, or a slash at the end of a feed path.
        case route
        /// A missing, unknown, repeated, or malformed query parameter, a raw "+" included.
        case query
        /// A body that the endpoint does not take.
        case body
        /// A frame or packet outside Engine.IO 4, Socket.IO 5, or SuprSend's use of them.
        case realtime
    }

    package var kind: Kind
    /// One sentence naming the thing.
    package var message: String
    /// The request line, or the frame.
    package var context: String

    package var description: String { "\(message) [\(context)]" }

    package init(kind: Kind, message: String, context: String) {
        self.kind = kind
        self.message = message
        self.context = context
    }
}
