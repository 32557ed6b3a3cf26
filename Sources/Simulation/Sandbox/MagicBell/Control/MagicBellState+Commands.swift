extension MagicBellState {
    /// Performs a command that is no list.
    ///
    /// - Parameter now: milliseconds since the Unix epoch.
    mutating func change(_ command: inout SandboxCommand, now: Int64) throws(CommandMistake) -> [SocketEffect] {
        switch command.name {
        case "publish":
            let name = try command.string("user")
            let copies = try command.count("copies") ?? 1
            let isAnnounced = try command.bool("announce") ?? true
            let notifications = try command.only(command.notifications())
            return publish(notifications, to: try resolve(name), copies: isAnnounced ? copies : nil, &command, now: now)
        case "samples":
            let user = try user(&command)
            return publish(MagicBellSamples.notifications(now: now), to: user, copies: 1, &command, now: now)
        case "update":
            let id = try command.text("id")
            let patch = try command.object("patch")
            let isFound = service[try user(&command).id].change(id) { $0 = $0.patched(patch, now: now) }
            guard isFound else { throw Self.noNotification(id) }
        case "act":
            let action = try command.required("action", command.choice("action", StoredNotification.Action.self))
            let id = try command.text("id")
            let user = try user(&command)
            guard let event = service.act(action, on: id, of: user.id, client: nil, now: now) else {
                throw Self.noNotification(id)
            }
            return publish(event.name.isEmpty ? [] : [event], now: now)
        case "delete":
            let (id, user) = try remove(&command)
            return publish([SimulatedMagicBell.event("notifications/delete", id, of: user.id, nil)], now: now)
        case "remove": _ = try remove(&command)
        case "read-all": return actOnAll(.read, "notifications/read/all", of: try user(&command), now: now)
        case "seen-all": return actOnAll(.seen, "notifications/seen/all", of: try user(&command), now: now)
        case "shrink-pages":
            let count = try command.count("by") ?? 1
            service.pageShrinkage = Array(repeating: count, count: try command.only(command.count("times") ?? 1))
        case "rest":
            let newer = try command.bool("newer_preferences") ?? service.hasNewerPreferences
            service.hasSeveralFilters = try command.only(command.bool("several_filters") ?? service.hasSeveralFilters)
            service.hasNewerPreferences = newer
        case "preferences":
            let categories = try command.required("categories", command.take("categories"))
            guard let preferences = SimulatedPreferences(parsing: categories) else {
                throw command.wrong("categories", "a list of categories with 'slug' and 'channels'")
            }
            service[try user(&command).id].preferences = preferences
        case "rotate-tokens": service.jwtSecret = try command.only(service.jwtSecret + "+")
        case "require-hmac": service.requireHMAC = try command.only(command.bool("on") ?? true)
        default: return try changeSockets(&command, now: now)
        }
        return []
    }

    /// Adds notifications, objects of the REST API (v1); nil copies: without events.
    private mutating func publish(
        _ notifications: [[String: JSON]],
        to user: SimulatedUser,
        copies: Int?,
        _ command: inout SandboxCommand,
        now: Int64
    ) -> [SocketEffect] {
        var ids: [JSON] = []
        var effects: [SocketEffect] = []
        for members in notifications {
            let notification = StoredNotification(members, id: service.makeID(now: now), now: now)
            service[user.id].insert(notification)
            ids.append(.string(notification.id))
            effects.append(.log("\(user.name): published \(notification.id) \(notification.title)"))
            if let copies {
                let event = SimulatedMagicBell.event("notifications/new", notification.id, of: user.id, nil)
                effects += publish([event], copies: copies, now: now)
            }
        }
        command.answer = ["ids": .array(ids)]
        return effects
    }

    private mutating func remove(_ command: inout SandboxCommand) throws(CommandMistake) -> (String, SimulatedUser) {
        let id = try command.text("id")
        let user = try user(&command)
        guard service[user.id].remove(id) else { throw Self.noNotification(id) }
        return (id, user)
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

    private static func noNotification(_ id: String) -> CommandMistake {
        CommandMistake("There is no notification '\(id)'.")
    }

    // MARK: Users

    /// The user of the last argument.
    func user(_ command: inout SandboxCommand) throws(CommandMistake) -> SimulatedUser {
        try resolve(command.only(command.string("user")))
    }

    /// The user with an external id or e-mail address; nil selects the only user.
    func resolve(_ name: String?) throws(CommandMistake) -> SimulatedUser {
        let known = service.users.all.map(\.name).joined(separator: ", ")
        if let name {
            guard let user = service.users.named(name) else {
                throw CommandMistake("There is no user '\(name)', only \(known).")
            }
            return user
        }
        guard service.users.all.count == 1 else {
            throw CommandMistake("'user' is required; it is one of \(known).")
        }
        return service.users.all[0]
    }
}

extension SandboxCommand {
    /// A number from 0 to 10,000.
    mutating func count(_ key: String) throws(CommandMistake) -> Int? { try integer(key, in: 0...10_000) }
}
