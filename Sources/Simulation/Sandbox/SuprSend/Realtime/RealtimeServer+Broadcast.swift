extension RealtimeServer {
    /// Options for sending an event.
    package struct Delivery: Sendable, Equatable {
        /// Request an ACK. A frame with an ACK id carries no offset (Socket.IO, connection state recovery).
        package var wantsAck = false
        /// Elements that replace the offset after the payload.
        package var trailing: [JSON]?
        /// The number of times that the event is sent.
        package var copies = 1

        package init(wantsAck: Bool = false, trailing: [JSON]? = nil, copies: Int = 1) {
            self.wantsAck = wantsAck
            self.trailing = trailing
            self.copies = copies
        }
    }

    /// Sends an event to every socket in the room of a user and keeps it for sessions that resume.
    package mutating func broadcast(
        _ name: String,
        _ arguments: [JSON],
        to user: InboxKey,
        as delivery: Delivery = Delivery(),
        now: Int64
    ) -> [Effect] {
        let receivers = connections(of: user).filter { connections[$0]?.isInRoom == true }
        var effects: [Effect] = []
        for _ in 0..<max(0, delivery.copies) {
            if delivery.wantsAck {
                let frame = JSON.array([.string(name)] + arguments + (delivery.trailing ?? [])).text
                for id in receivers {
                    lastAck += 1
                    acks.append(Ack(connection: id, id: lastAck, event: name, arguments: nil))
                    effects.append(.send(id, "42\(lastAck)\(frame)"))
                }
                if acks.count > 1_000 { acks.removeFirst(100) }
                continue
            }
            let offset = recovery ? nextOffset(now) : nil
            let trailing = delivery.trailing ?? offset.map { [.string($0)] } ?? []
            let frame = "42" + JSON.array([.string(name)] + arguments + trailing).text
            if let offset {
                history.append(Broadcast(user: user, offset: offset, frame: frame))
                if history.count > 1_000 { history.removeFirst(100) }
            }
            effects += receivers.map { .send($0, frame) }
        }
        return effects
    }

    /// A Redis stream id, such as `1754346745613-0`: milliseconds and a counter within them, strictly increasing.
    private mutating func nextOffset(_ now: Int64) -> String {
        lastOffset = now > lastOffset.time ? (now, 0) : (lastOffset.time, lastOffset.count + 1)
        return "\(lastOffset.time)-\(lastOffset.count)"
    }

    /// The ways to end a connection.
    package enum Drop: Sendable, Equatable {
        case hangUp(HangUp)
        /// Engine.IO "1", and TCP stays open.
        case engineClose
        /// Socket.IO DISCONNECT "41", and the transport stays open.
        case disconnect
        /// The server sends and answers nothing, and TCP stays open.
        case silence
    }

    /// Ends connections in the given way.
    package mutating func drop(_ ids: [ConnectionID], _ drop: Drop, now: Int64) -> [Effect] {
        var effects: [Effect] = []
        for id in ids {
            switch drop {
            case .hangUp(let how):
                effects += leave(id, temporarily: true, now: now) + [.hangUp(id, how)]
            case .engineClose:
                effects += leave(id, temporarily: true, now: now) + [.send(id, "1")]
                connections[id]?.sentClose = true
            case .disconnect:
                effects += leave(id, temporarily: false, now: now) + [.send(id, "41")]
            case .silence:
                effects += leave(id, temporarily: true, now: now)
                connections[id]?.isSilent = true
            }
        }
        return effects
    }

    /// Ends a connection whose early drop is due at `step`; nil when it continues. `now` matters only after joining.
    mutating func endEarly(_ id: ConnectionID, at step: JoiningStep, now: Int64) -> [Effect]? {
        guard let early = connections[id]?.earlyDrop, early.step == step else { return nil }
        return drop([id], early.drop, now: now) + [.log("connection \(id): ended early (\(step.rawValue))")]
    }
}
