/// MagicBell's own WebSocket: it sends events and has neither acknowledgements nor a history.
package struct InboxSocketServer: Sendable, Equatable {
    /// The users of the sockets that were accepted.
    package internal(set) var users: [SocketID: String] = [:]
    private var lastMessage = 0

    init() {}

    /// The sockets of a user, or of all users.
    package func sockets(of user: String?) -> [SocketID] {
        users.filter { user == nil || $0.value == user }.keys.sorted()
    }

    /// Handles a new socket. MagicBell documents no refusal; its close codes are those of an earlier release.
    mutating func opened(_ id: SocketID, apiKey: String, token: String?, service: SimulatedMagicBell) -> [SocketEffect]
    {
        guard let token else {
            let message = "The query of the socket lacks 'token'."
            return [
                .violation(Violation(kind: .realtime, message: message, context: "/?api_key=…")),
                .hangUp(id, .close(code: 4001)),
            ]
        }
        guard apiKey == service.apiKey, let user = service.inboxTokens[token] else {
            return [
                .log("connection \(id): refused, the API key or the token is unknown"),
                .hangUp(id, .close(code: 4002)),
            ]
        }
        users[id] = user
        return [.log("connection \(id): \(service.users[user]?.name ?? user) connected")]
    }

    mutating func received(_ text: String, on id: SocketID) -> [SocketEffect] {
        guard users[id] != nil, text != "PONG" else { return [] }
        let message = "A client sends nothing on this socket."
        return [.violation(Violation(kind: .realtime, message: message, context: String(text.prefix(40))))]
    }

    mutating func publish(_ name: String, _ data: JSON, to user: String, copies: Int = 1, now: Int64)
        -> [SocketEffect]
    {
        lastMessage += 1
        let frame: JSON = [
            "id": .string("m\(lastMessage)"), "timestamp": .integer(now), "encoding": "json",
            "channel": .string(user), "name": .string(name), "data": data,
        ]
        return sockets(of: user).flatMap { id in
            Array(repeating: SocketEffect.send(id, frame.text), count: max(0, copies))
        }
    }
}
