/// The commands of a sandbox that simulates SuprSend.
extension SandboxState {
    /// Performs a command that concerns notifications, or another one that is no list.
    mutating func changeNotifications(_ command: inout SandboxCommand, now: Int64) throws(CommandMistake)
        -> [SocketEffect]
    {
        switch command.name {
        case "publish":
            let delivery = try RealtimeServer.Delivery(&command)
            let isAnnounced = try command.bool("announce") ?? true
            let user = try command.string("user")
            let tenant = try command.string("tenant")
            let rows = try command.only(command.notifications())
            return publish(rows, to: try inbox(user, tenant), as: isAnnounced ? delivery : nil, &command, now: now)
        case "samples":
            let key = try inbox(&command)
            let samples = SampleNotifications.notifications(now: now, host: "http://127.0.0.1:\(port)")
            return publish(samples, to: key, as: RealtimeServer.Delivery(), &command, now: now)
        case "publish-raw":
            let row = StoredRow(json: try command.required("row", command.take("row")))
            let isAnnounced = try command.bool("announce") ?? true
            let key = try inbox(&command)
            service[key].insert(row)
            return [.log("\(key.user): published a raw row \(row.id)")]
                + (isAnnounced && !row.id.isEmpty ? announce(row.id, key, RealtimeServer.Delivery(), now) : [])
        case "update":
            let patch = try command.object("patch")
            let isAnnounced = try command.bool("announce") ?? true
            return try update(patch, isAnnounced: isAnnounced, &command, now: now)
        case "expire": return try update(["expiry": .integer(now - 1)], isAnnounced: true, &command, now: now)
        case "remove":
            let id = try command.text("n_id")
            guard service[try inbox(&command)].remove(id) else { throw Self.noRow(id) }
        case "act":
            let action = try command.required("action", command.choice("action", StoredInbox.Action.self))
            return try act(action, &command, now: now)
        case "archive": return try act(.archive, &command, now: now)
        case "seen":
            let ids = try command.ids("notification_ids")
            return publish(service.bulkSeen(ids, of: try inbox(&command), now: now), now)
        case "read-all": return publish(service.markAllRead(try inbox(&command), now: now), now)
        case "reset-badge": return publish(service.resetBadge(try inbox(&command), now: now), now)
        case "preferences":
            let preferences = StoredPreferences(
                sections: try command.required("sections", command.take("sections")),
                channels: try command.required("channel_preferences", command.take("channel_preferences"))
            )
            service[try inbox(&command)].preferences = preferences
        default: return try changeSockets(&command, now: now)
        }
        return []
    }

    /// The inbox of the last arguments, `user` and `tenant`.
    func inbox(_ command: inout SandboxCommand) throws(CommandMistake) -> InboxKey {
        let user = try command.string("user")
        return try inbox(user, try command.only(command.string("tenant")))
    }

    private func inbox(_ user: String?, _ tenant: String?) throws(CommandMistake) -> InboxKey {
        InboxKey(
            user: try Self.choose(user, "user", from: service.users),
            tenant: try Self.choose(tenant, "tenant", from: service.tenants)
        )
    }

    private static func choose(_ name: String?, _ what: String, from known: Set<String>) throws(CommandMistake)
        -> String
    {
        let list = known.sorted().joined(separator: ", ")
        guard let name else {
            if known.count == 1, let only = known.first { return only }
            if what == "tenant", known.contains("default") { return "default" }
            throw CommandMistake("'\(what)' is required; it is one of \(list).")
        }
        guard known.contains(name) else { throw CommandMistake("There is no \(what) '\(name)', only \(list).") }
        return name
    }

    /// Adds rows; nil as the delivery: without events.
    private mutating func publish(
        _ rows: [[String: JSON]],
        to key: InboxKey,
        as delivery: RealtimeServer.Delivery?,
        _ command: inout SandboxCommand,
        now: Int64
    ) -> [SocketEffect] {
        var ids: [JSON] = []
        var effects: [SocketEffect] = []
        for fields in rows {
            let row = StoredRow.complete(fields, id: service.makeID(now: now), tenant: key.tenant, now: now)
            service[key].insert(row)
            ids.append(.string(row.id))
            effects.append(.log("\(key.user): published \(row.id) \(row["message"]?["header"]?.string ?? "")"))
            if let delivery { effects += announce(row.id, key, delivery, now) }
        }
        command.answer = ["n_ids": .array(ids)]
        return effects
    }

    private mutating func update(
        _ patch: [String: JSON],
        isAnnounced: Bool,
        _ command: inout SandboxCommand,
        now: Int64
    ) throws(CommandMistake) -> [SocketEffect] {
        let id = try command.text("n_id")
        let key = try inbox(&command)
        guard service[key].change(id, { $0.patch(patch) }) else { throw Self.noRow(id) }
        return isAnnounced ? publish(.updated(id, action: "update", of: key), now) : []
    }

    private mutating func act(_ action: StoredInbox.Action, _ command: inout SandboxCommand, now: Int64)
        throws(CommandMistake) -> [SocketEffect]
    {
        let id = try command.text("n_id")
        guard let event = service.act(action, on: id, of: try inbox(&command), now: now) else { throw Self.noRow(id) }
        return publish(event, now)
    }

    private mutating func announce(_ id: String, _ key: InboxKey, _ delivery: RealtimeServer.Delivery, _ now: Int64)
        -> [SocketEffect]
    {
        realtime.broadcast("new_notification", [["n_id": .string(id)]], to: key, as: delivery, now: now)
    }

    private mutating func publish(_ event: SandboxService.Event, _ now: Int64) -> [SocketEffect] {
        [.log("\(event.user.user): \(event.name) \(event.payload.text)")]
            + realtime.broadcast(event.name, [event.payload], to: event.user, now: now)
    }

    private static func noRow(_ id: String) -> CommandMistake { CommandMistake("There is no notification '\(id)'.") }
}
