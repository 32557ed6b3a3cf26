import ClientKit
import SocketIO
package import Transport

/// How a connection ended that we did not end.
package struct SessionFailure: Error, Sendable, Equatable {
    /// For code.
    package enum Kind: Sendable, Equatable {
        /// The server refused the credentials or something about them (`44`). The message is the server's.
        case refused(message: String, data: JSONValue?)
        /// The server put us out on purpose (`41`).
        case disconnectedByServer
        /// An orderly end; 1001 is a server that restarts.
        case closed(code: UInt16?)
        /// Not opened, or broken.
        case lost(TransportError)
        /// Nothing heard for too long, or not joined in time.
        case silence
        /// The other side does not speak the protocol.
        case protocolViolation
    }

    package var kind: Kind
    /// For people: what happened, in one sentence, without secrets.
    package var sentence: String

    package init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }
}

extension SessionFailure: CustomStringConvertible {
    package var description: String { sentence }
}

extension SessionFailure {
    /// What a session's end means; nil for the one we asked for.
    init?(_ reason: Session.Reason) {
        switch reason {
        case .refused(let message, let data):
            let said = message.isEmpty ? "without a reason" : "saying “\(message)”"
            self.init(.refused(message: message, data: data), "The realtime server refused the connection, \(said).")
        case .disconnectedByServer:
            self.init(.disconnectedByServer, "The realtime server ended the session.")
        case .closed(let code):
            let how = code.map { " with code \($0)" } ?? ""
            self.init(.closed(code: code), "The realtime server closed the connection\(how).")
        case .handshakeTimeout:
            self.init(.silence, "The realtime server did not answer the handshake in time.")
        case .silence:
            self.init(.silence, "The realtime server went silent.")
        case .protocolViolation(let rule):
            self.init(.protocolViolation, "The realtime server broke the protocol: \(rule).")
        case .hungUp:
            return nil
        }
    }
}
