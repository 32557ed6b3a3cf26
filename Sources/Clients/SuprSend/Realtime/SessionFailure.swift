package import ClientKit

/// Why a connection ended that the client did not end.
package struct SessionFailure: Error, Sendable, Equatable {
    /// The kind, for code.
    package enum Kind: Sendable, Equatable {
        /// `44`, CONNECT_ERROR: the server refused the credentials or the request. The message is the server's.
        case refused(message: String, data: JSONValue?)
        /// `41`, DISCONNECT: the server ended the session.
        case disconnectedByServer
        /// An orderly close; code 1001: the server restarts.
        case closed(code: UInt16?)
        /// The connection could not be opened, or broke.
        case lost(TransportError)
        /// No frame before the timeout, or not joined in time.
        case silence
        /// The server violated the protocol.
        case protocolViolation
    }

    package var kind: Kind
    /// One sentence for the user, without secrets.
    package var sentence: String

    package init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }
}

extension SessionFailure {
    /// A normal end, going away, restarting, overloaded: <https://www.iana.org/assignments/websocket>.
    private static let codesOfServers: Set<UInt16> = [1000, 1001, 1012, 1013]

    /// Whether only other credentials can help. Another refusal is the server's failure, and passes.
    package var isAboutCredentials: Bool {
        // The only known wording is "Authentication Error: wrong auth token".
        guard case .refused(let message, _) = kind else { return false }
        return ["auth", "token"].contains { message.lowercased().contains($0) }
    }

    /// Whether the server ends the connection without a fault of this client: it most likely ends all connections.
    package var isServersDecision: Bool {
        switch kind {
        case .disconnectedByServer: return true
        // Engine.IO's close has no code, and neither has the frame of a server that just closes (RFC 6455 §7.1.5).
        case .closed(let code): return code.map(Self.codesOfServers.contains) ?? true
        // The close came while something was being sent.
        case .lost(let error):
            guard case .closed(let code?) = error.kind else { return false }
            return Self.codesOfServers.contains(code)
        case .refused, .silence, .protocolViolation: return false
        }
    }
}

extension SessionFailure: CustomStringConvertible {
    package var description: String { sentence }
}

extension SessionFailure {
    /// The failure for a session's end; nil if the client ended it.
    init?(_ reason: Session.Reason) {
        switch reason {
        case .refused(let message, let data):
            let reason = message.isEmpty ? "without a reason" : "with the message “\(message)”"
            self.init(.refused(message: message, data: data), "The realtime server refused the connection \(reason).")
        case .disconnectedByServer:
            self.init(.disconnectedByServer, "The realtime server ended the session.")
        case .closed(let code):
            let how = code.map { " with code \($0)" } ?? ""
            self.init(.closed(code: code), "The realtime server closed the connection\(how).")
        case .handshakeTimeout:
            self.init(.silence, "The realtime server did not answer the handshake in time.")
        case .silence:
            self.init(.silence, "The realtime server stopped responding.")
        case .protocolViolation(let rule):
            self.init(.protocolViolation, "The realtime server violated the protocol: \(rule).")
        case .hungUp:
            return nil
        }
    }
}

extension SuprSendError {
    /// The error of a realtime connection for the app.
    init(_ failure: SessionFailure, secrets: [String]) {
        let sentence = Redaction.tokens(in: failure.sentence, secrets: secrets)
        switch failure.kind {
        case .refused where failure.isAboutCredentials:
            // The server's message mentions a token even if it received none.
            let about = "The realtime server refused the public key, which was sent without a token. "
            self.init(.unauthorized, (secrets.isEmpty ? about : "") + sentence)
            isTokenRefused = !secrets.isEmpty
        case .lost(let error): self = SuprSendError(error)
        case .protocolViolation: self.init(.unexpectedAnswer, sentence)
        case .refused, .disconnectedByServer, .closed, .silence: self.init(.unreachable, sentence)
        }
    }
}
