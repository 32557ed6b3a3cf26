extension MagicBellState {
    /// Performs a command.
    ///
    /// - Parameter now: milliseconds since the Unix epoch.
    package mutating func perform(_ command: MagicBellCommand, now: Int64) throws(CommandMistake) -> (
        answer: JSON, effects: [SocketEffect]
    ) {
        let done: JSON = ["ok": true]
        switch command {
        case .publish(let rows, let name, let copies, let announced):
            return try publish(rows, to: try resolve(name), copies: copies, announced: announced, now: now)
        case .samples(let name):
            return try perform(.publish(MagicBellSamples.notifications(now: now), to: name), now: now)
        case .update(let id, let patch, let name):
            let user = try resolve(name)
            let isFound = service[user.id].change(id) { notification in
                notification = notification.patched(patch, now: now)
            }
            guard isFound else { throw Self.noNotification(id) }
            return (done, [])
        case .act(let action, let id, let name):
            let user = try resolve(name)
            guard let event = service.act(action, on: id, of: user.id, client: nil, now: now) else {
                throw Self.noNotification(id)
            }
            return (done, publish(event.name.isEmpty ? [] : [event], now: now))
        case .delete(let id, let name):
            let user = try resolve(name)
            guard service[user.id].remove(id) else { throw Self.noNotification(id) }
            let event = SimulatedMagicBell.event("notifications/delete", id, of: user.id, nil)
            return (done, publish([event], now: now))
        case .remove(let id, let name):
            guard service[try resolve(name).id].remove(id) else { throw Self.noNotification(id) }
            return (done, [])
        case .readAll(let name):
            return (done, actOnAll(.read, "notifications/read/all", of: try resolve(name), now: now))
        case .seenAll(let name):
            return (done, actOnAll(.seen, "notifications/seen/all", of: try resolve(name), now: now))
        case .shrinkPages(let count, let times):
            service.pageShrinkage = Array(repeating: count, count: times)
            return (done, [])
        case .configureREST(let newerPreferences, let severalFilters):
            if let newerPreferences { service.hasNewerPreferences = newerPreferences }
            if let severalFilters { service.hasSeveralFilters = severalFilters }
            return (done, [])
        case .preferences(let preferences, let name):
            service[try resolve(name).id].preferences = preferences
            return (done, [])
        case .token(let name, let lifetime):
            let lifetime = lifetime ?? options.tokenLifetime
            return (["token": .string(service.userToken(for: try resolve(name), lifetime: lifetime, now: now))], [])
        case .rotateTokens:
            service.jwtSecret += "+"
            return (done, [])
        case .hmac(let name): return (["hmac": .string(service.hmac(of: name))], [])
        case .requireHMAC(let on):
            service.requireHMAC = on
            return (done, [])
        case .list(let listing): return (try list(listing), [])
        default: return try performOnSockets(command, now: now)
        }
    }

    private mutating func performOnSockets(_ command: MagicBellCommand, now: Int64) throws(CommandMistake) -> (
        answer: JSON, effects: [SocketEffect]
    ) {
        var effects: [SocketEffect] = []
        switch command {
        case .emit(let message, let name, let copies):
            effects = sockets.emit(message, to: try resolve(name).id, copies: copies, now: now)
        case .frame(let text, let name): effects = sockets.receivers(of: try resolve(name).id).map { .send($0, text) }
        case .binaryFrame(let bytes, let name):
            effects = sockets.receivers(of: try resolve(name).id).map { .sendBinary($0, bytes) }
        case .drop(let drop, let connection):
            if let connection, !sockets.open.contains(connection) {
                throw CommandMistake("There is no connection \(connection).")
            }
            let ids = connection.map { [$0] } ?? sockets.open.sorted()
            effects = sockets.drop(ids, drop, now: now)
            return (["dropped": .integer(Int64(ids.count))], effects)
        case .dropEarly(let drop, let times): sockets.earlyDrops = Array(repeating: drop, count: times)
        case .announce(let announcement, let name):
            let user: SimulatedUser? = if let name { try resolve(named: name) } else { nil }
            effects = sockets.announce(announcement, to: user?.id, now: now)
        case .refuse(let error, let times): sockets.ably.refusals = Array(repeating: error, count: times)
        case .configureAbly(let settings): configure(settings)
        case .expireAblyTokens:
            service.ably.expireAll(now: now)
            effects = sockets.announce(.disconnected(.expired), to: nil, now: now)
        case .expireInboxTokens: service.inboxTokens = [:]
        case .socketError(let code, let message):
            let frame: JSON = ["type": "error", "code": .integer(Int64(code)), "message": .string(message)]
            effects = sockets.inbox.sockets(of: nil).map { .send($0, frame.text) }
        case .socketClose: effects = sockets.inbox.sockets(of: nil).map { .send($0, #"{"type":"close"}"#) }
        default: preconditionFailure("\(command) does not concern sockets and belongs in perform")
        }
        return (["ok": true], effects)
    }

    private mutating func configure(_ settings: AblySettings) {
        if let value = settings.sendsHeartbeats { sockets.ably.sendsHeartbeats = value }
        if let value = settings.maxIdleInterval { sockets.ably.maxIdleInterval = value }
        if let value = settings.stateTTL { sockets.ably.stateTTL = value }
        if let value = settings.tokenLifetime { service.ably.lifetime = value }
        if let value = settings.holdsAttach { sockets.ably.holdsAttach = value }
        if let value = settings.failingResumes { sockets.ably.failingResumes = value }
        if let value = settings.omittedFlags { sockets.ably.omittedFlags = value }
    }

    private mutating func publish(_ rows: [JSON], to user: SimulatedUser, copies: Int, announced: Bool, now: Int64)
        throws(CommandMistake) -> (answer: JSON, effects: [SocketEffect])
    {
        var ids: [String] = []
        var effects: [SocketEffect] = []
        for row in rows {
            guard let members = row.object else { throw CommandMistake("A notification must be a JSON object.") }
            let notification = StoredNotification(members, id: service.makeID(now: now), now: now)
            service[user.id].insert(notification)
            ids.append(notification.id)
            effects.append(.log("\(user.name): published \(notification.id) \(notification.title)"))
            if announced {
                let event = SimulatedMagicBell.event("notifications/new", notification.id, of: user.id, nil)
                effects += publish([event], copies: copies, now: now)
            }
        }
        return (["ids": .array(ids.map(JSON.string))], effects)
    }

    private mutating func actOnAll(
        _ action: StoredNotification.Action,
        _ event: String,
        of user: SimulatedUser,
        now: Int64
    ) -> [SocketEffect] {
        service[user.id].apply(action, toAll: StatusFilter(), now: now)
        return publish([SimulatedMagicBell.event(event, nil, of: user.id, nil)], now: now)
    }

    // MARK: Users

    /// The user with an external id or e-mail address; nil selects the only user.
    func resolve(_ name: String?) throws(CommandMistake) -> SimulatedUser {
        if let name { return try resolve(named: name) }
        let users = service.users.all
        guard users.count == 1 else {
            throw CommandMistake("'user' is required; it is one of \(users.map(\.name).joined(separator: ", ")).")
        }
        return users[0]
    }

    private func resolve(named name: String) throws(CommandMistake) -> SimulatedUser {
        guard let user = service.users.named(name) else {
            let known = service.users.all.map(\.name).joined(separator: ", ")
            throw CommandMistake("There is no user '\(name)', only \(known).")
        }
        return user
    }

    private static func noNotification(_ id: String) -> CommandMistake {
        CommandMistake("There is no notification '\(id)'.")
    }
}
