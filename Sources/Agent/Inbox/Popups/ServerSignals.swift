/// A signal of a server about one popup.
package struct ServerSignal: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        /// The activation token for the window that a click opens.
        case token(String)
        /// The key of the button that the user clicked.
        case action(String)
        /// The reason of `NotificationClosed`.
        case closed(UInt32)
    }

    /// The name of the connection that emitted it.
    package var server: String
    package var id: UInt32
    package var content: Content

    package init(server: String, id: UInt32, _ content: Content) {
        self.server = server
        self.id = id
        self.content = content
    }
}

/// Signals that arrive too early or twice.
struct ServerSignals: Equatable, Sendable {
    /// The maximum number of signals of each kind that are kept.
    static let limit = 32

    /// Signals that arrived before the reply to their `Notify`, or before their server is known.
    private(set) var pending: [ServerSignal] = []
    /// Signals that arrived from one of a server's two connections.
    private var unpaired: [ServerSignal] = []

    /// Keeps a signal until its popup or its server is known.
    mutating func keep(_ signal: ServerSignal) {
        if pending.count < Self.limit { pending.append(signal) }
    }

    /// Removes the pending signals, and returns those of a popup: they arrived while its call was the only one.
    mutating func takePending(of id: UInt32) -> [ServerSignal] {
        defer { pending = [] }
        return pending.filter { $0.id == id }
    }

    /// Whether this signal of a popup is pending.
    func hasPending(_ content: ServerSignal.Content, of id: UInt32) -> Bool {
        pending.contains { $0.id == id && $0.content == content }
    }

    /// Whether the same signal was already received from the server's other connection.
    mutating func isSecondCopy(_ signal: ServerSignal) -> Bool {
        let first = unpaired.firstIndex {
            $0.server != signal.server && $0.id == signal.id && $0.content == signal.content
        }
        if let first {
            unpaired.remove(at: first)
            return true
        }
        if unpaired.count == Self.limit { unpaired.removeFirst() }
        unpaired.append(signal)
        return false
    }
}
