extension AblyServer {
    /// A message of a channel in Ably's JSON.
    package struct Message: Sendable, Equatable {
        package var name: String
        package var data: JSON
        package var encoding: String?

        package init(name: String, data: JSON, encoding: String? = nil) {
            self.name = name
            self.data = data
            self.encoding = encoding
        }
    }

    /// Sends a message to the channel of a user, and keeps it for clients that resume.
    ///
    /// - Parameter copies: how often the same message, with the same id, is sent.
    mutating func publish(_ message: Message, to user: String, copies: Int = 1, now: Int64) -> [SocketEffect] {
        let name = SimulatedAblyTokens.channel(of: user)
        var channel = channels[name] ?? Channel()
        channel.serial += 1
        lastMessage += 1
        var content: [String: JSON] = ["name": .string(message.name), "data": message.data]
        if let encoding = message.encoding { content["encoding"] = .string(encoding) }
        let frame: JSON = [
            "action": 15, "id": .string("server\(incarnation):\(lastMessage)"), "channel": .string(name),
            "channelSerial": .string(serialText(channel.serial)), "connectionId": "server",
            "timestamp": .integer(now), "messages": [.object(content)],
        ]
        channel.history.append(.init(serial: channel.serial, frame: frame.text, time: now))
        channel.discard(before: now - stateTTL)
        channels[name] = channel
        var effects: [SocketEffect] = []
        for id in connections.keys.sorted() where connections[id]?.attached[name] != nil {
            connections[id]?.attached[name] = channel.serial
            effects += Array(repeating: .send(id, frame.text), count: max(0, copies))
        }
        return effects
    }

    func serialText(_ serial: Int) -> String { "s\(incarnation):\(serial)" }
}
