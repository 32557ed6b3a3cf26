extension AblyServer {
    /// Handles a frame, which is one ProtocolMessage.
    mutating func received(_ text: String, on id: SocketID, tokens: SimulatedAblyTokens, now: Int64) -> [SocketEffect] {
        guard connections[id] != nil else { return [] }
        guard let frame = JSON(parsing: text), let action = frame["action"]?.integer else {
            return [breach("A frame must be a ProtocolMessage in JSON.", text)]
                + fail(id, AblyError(40000, 400, "Invalid frame"))
        }
        switch action {
        case 0:
            var answer: [String: JSON] = ["action": 0]
            if let id = frame["id"], id != .null { answer["id"] = id }
            return [.send(id, JSON.object(answer).text)]
        case 7:
            connections[id]?.isClosed = true
            return [.send(id, Self.frame(8)), .hangUp(id, .close(code: 1000))]
        case 10: return attach(id, frame, text, now: now)
        case 12:
            guard let channel = frame["channel"]?.string else { return [breach("DETACH names no channel.", text)] }
            connections[id]?.attached[channel] = nil
            return [.send(id, Self.frame(13, channel: channel))]
        case 17: return authenticate(id, frame, text, tokens: tokens, now: now)
        case 14, 15:
            let refusal: JSON = [
                "action": 2, "msgSerial": frame["msgSerial"] ?? 0, "count": 1,
                "error": AblyError(40160, 401, "The client only receives").json,
            ]
            return [breach("A client of MagicBell publishes nothing.", text), .send(id, refusal.text)]
        default: return [breach("A client never sends this action.", text)]
        }
    }

    private mutating func authenticate(
        _ id: SocketID,
        _ frame: JSON,
        _ text: String,
        tokens: SimulatedAblyTokens,
        now: Int64
    ) -> [SocketEffect] {
        guard let token = frame["auth"]?["accessToken"]?.string else {
            return [breach("AUTH carries no accessToken.", "AUTH")]
        }
        do throws(AblyError) {
            let token = try tokens.check(token, now: now)
            guard token.user == connections[id]?.token.user else {
                throw AblyError(40102, 401, "The token belongs to another user")
            }
            connections[id]?.token = token
            connections[id]?.keyCount += 1
        } catch {
            return fail(id, error)
        }
        return [connected(id), .log("connection \(id): has a new token")] + tokenTimers(id, now: now)
    }

    // MARK: Channels

    private enum Flag {
        static let hasBacklog: Int64 = 2
        static let resumed: Int64 = 4
    }

    private mutating func attach(_ id: SocketID, _ frame: JSON, _ text: String, now: Int64) -> [SocketEffect] {
        guard let connection = connections[id], let name = frame["channel"]?.string else {
            return [breach("ATTACH names no channel.", text)]
        }
        guard name == SimulatedAblyTokens.channel(of: connection.token.user) else {
            let error = AblyError(40160, 401, "The token does not permit the channel \(name)")
            return [.send(id, Self.frame(9, channel: name, error: error))]
        }
        if holdsAttach { return [] }
        channels[name]?.discard(before: now - stateTTL)
        let channel = channels[name] ?? Channel()
        var position = resumePosition(of: frame["channelSerial"]?.string, channel, connection)
        if position != nil, omittedFlags > 0 {
            omittedFlags -= 1
            position = nil
        }
        let missed = position.map { position in channel.history.filter { $0.serial > position } } ?? []
        connections[id]?.attached[name] = channel.serial
        connections[id]?.hasLostContinuity = false
        let flags = (position == nil ? 0 : Flag.resumed) | (missed.isEmpty ? 0 : Flag.hasBacklog)
        return [
            attached(id, name, flags: flags), .log("connection \(id): attached, \(missed.count) messages replayed"),
        ]
            + missed.map { .send(id, $0.frame) }
    }

    /// ATTACHED with the position after which messages follow.
    private func attached(_ id: SocketID, _ name: String, flags: Int64, error: AblyError? = nil) -> SocketEffect {
        var frame: [String: JSON] = [
            "action": 11, "channel": .string(name), "flags": .integer(flags),
            "channelSerial": .string(serialText(channels[name]?.serial ?? 0)),
        ]
        if let error { frame["error"] = error.json }
        return .send(id, JSON.object(frame).text)
    }

    /// The serial that a client has reached, if everything after it is still known.
    private func resumePosition(of text: String?, _ channel: Channel, _ connection: Connection) -> Int? {
        guard !connection.hasLostContinuity else { return nil }
        let prefix = serialText(0).dropLast()
        let serial: Int
        if let text {
            guard text.hasPrefix(prefix), let number = Int(text.dropFirst(prefix.count)) else { return nil }
            serial = number
        } else {
            guard let lost = connection.lostAt[SimulatedAblyTokens.channel(of: connection.token.user)] else {
                return nil
            }
            serial = lost
        }
        let oldest = channel.history.first?.serial ?? channel.serial + 1
        return (oldest - 1...channel.serial).contains(serial) ? serial : nil
    }

    /// A message that the server can send to attached clients without a request.
    package enum Announcement: Sendable, Equatable {
        /// AUTH: the client must send a new token.
        case tokenRequest
        case disconnected(AblyError?)
        /// DETACHED: the client must attach again.
        case detached(AblyError?)
        /// ERROR for the channel.
        case channelError(AblyError)
        /// ERROR for the connection.
        case error(AblyError)
        /// ATTACHED again, with or without the flag RESUMED.
        case attached(resumed: Bool, AblyError?)
    }

    mutating func announce(_ announcement: Announcement, on ids: [SocketID], now: Int64) -> [SocketEffect] {
        var effects: [SocketEffect] = []
        for id in ids {
            guard let connection = connections[id] else { continue }
            let channel = SimulatedAblyTokens.channel(of: connection.token.user)
            switch announcement {
            case .tokenRequest: effects.append(.send(id, Self.frame(17)))
            case .disconnected(let error): effects += disconnect(id, error, now: now)
            case .error(let error): effects += fail(id, error)
            case .detached(let error):
                connections[id]?.attached[channel] = nil
                effects.append(.send(id, Self.frame(13, channel: channel, error: error)))
            case .channelError(let error):
                connections[id]?.attached[channel] = nil
                effects.append(.send(id, Self.frame(9, channel: channel, error: error)))
            case .attached(let resumed, let error):
                effects.append(attached(id, channel, flags: resumed ? Flag.resumed : 0, error: error))
            }
        }
        return effects
    }

    func breach(_ message: String, _ frame: String) -> SocketEffect {
        .violation(Violation(kind: .realtime, message: message, context: String(frame.prefix(40))))
    }
}
