/// All WebSockets of the simulated MagicBell: Ably's and its own.
package struct MagicBellSockets: Sendable, Equatable {
    /// How connections can be made to end.
    package enum Drop: Sendable, Equatable {
        case hangUp(SocketEffect.HangUp)
        /// The server sends and answers nothing, and TCP stays open.
        case silence
    }

    package internal(set) var ably: AblyServer
    package internal(set) var inbox = InboxSocketServer()
    /// Sockets that are open, also those that were refused.
    package internal(set) var open: Set<SocketID> = []
    package internal(set) var silent: Set<SocketID> = []
    /// Drops that affect the next sockets as soon as they open, one each.
    package var earlyDrops: [Drop] = []
    private var lastSocket = 0

    init(options: MagicBellOptions) { ably = AblyServer(options: options) }

    /// The open sockets that receive the events of a user, or of all users.
    package func receivers(of user: String?) -> [SocketID] {
        (ably.attached(user) + inbox.sockets(of: user)).filter { !silent.contains($0) }.sorted()
    }

    // MARK: Events of a socket

    mutating func opened(_ request: ServiceRequest, service: SimulatedMagicBell, now: Int64)
        -> (id: SocketID, effects: [SocketEffect])
    {
        lastSocket += 1
        let id = lastSocket
        open.insert(id)
        if !earlyDrops.isEmpty { return (id, drop([id], earlyDrops.removeFirst(), now: now)) }
        switch try? SocketRequest(request) {
        case .ably(let parameters)?:
            return (id, ably.opened(id, parameters, tokens: service.ably, now: now))
        case .inbox(let apiKey, let token)?:
            return (id, inbox.opened(id, apiKey: apiKey, token: token, service: service))
        // The upgrade was granted, so the request is valid.
        case nil: return (id, [.hangUp(id, .close(code: 1008))])
        }
    }

    mutating func received(_ text: String, on id: SocketID, service: SimulatedMagicBell, now: Int64) -> [SocketEffect] {
        guard !silent.contains(id) else { return [] }
        return ably.received(text, on: id, tokens: service.ably, now: now) + inbox.received(text, on: id)
    }

    mutating func receivedBinary(on id: SocketID) -> [SocketEffect] {
        guard open.contains(id), !silent.contains(id) else { return [] }
        let message = "A client sends no binary frames: the format is JSON."
        return [.violation(Violation(kind: .realtime, message: message, context: "binary"))]
    }

    mutating func timerFired(_ timer: SocketTimer, now: Int64) -> [SocketEffect] {
        silent.contains(timer.connection) ? [] : ably.timerFired(timer, now: now)
    }

    mutating func closed(_ id: SocketID, now: Int64) -> [SocketEffect] {
        guard open.remove(id) != nil else { return [] }
        silent.remove(id)
        ably.leave(id, now: now)
        inbox.users[id] = nil
        return [.log("connection \(id): closed")]
    }

    // MARK: Actions of the service and of commands

    mutating func publish(_ event: SimulatedMagicBell.Event, copies: Int = 1, now: Int64) -> [SocketEffect] {
        let message = AblyServer.Message(name: event.name, data: .string(event.data.text), encoding: "json")
        return audible(
            ably.publish(message, to: event.user, copies: copies, now: now)
                + inbox.publish(event.name, event.data, to: event.user, copies: copies, now: now)
        )
    }

    /// Sends any message: as it is to Ably's clients, as an object to those of the own socket.
    mutating func emit(_ message: AblyServer.Message, to user: String, copies: Int, now: Int64) -> [SocketEffect] {
        audible(
            ably.publish(message, to: user, copies: copies, now: now)
                + inbox.publish(message.name, message.data, to: user, copies: copies, now: now)
        )
    }

    mutating func announce(_ announcement: AblyServer.Announcement, to user: String?, now: Int64) -> [SocketEffect] {
        let ids = ably.connections.filter { user == nil || $0.value.token.user == user }.keys.sorted()
        return ably.announce(announcement, on: ids.filter { !silent.contains($0) }, now: now)
    }

    mutating func drop(_ ids: [SocketID], _ drop: Drop, now: Int64) -> [SocketEffect] {
        ids.flatMap { id -> [SocketEffect] in
            switch drop {
            case .hangUp(let how):
                ably.leave(id, now: now)
                inbox.users[id] = nil
                return [.hangUp(id, how)]
            case .silence:
                silent.insert(id)
                return [.log("connection \(id): is silent now")]
            }
        }
    }

    private func audible(_ effects: [SocketEffect]) -> [SocketEffect] {
        effects.filter { effect in
            if case .send(let id, _) = effect { !silent.contains(id) } else { true }
        }
    }
}
