extension MagicBellState {
    /// The answer of a command that changes nothing; nil: it is none of them.
    func list(_ command: inout SandboxCommand, now: Int64) throws(CommandMistake) -> JSON? {
        switch command.name {
        case "state":
            return [
                "service": "magicbell", "api_key": .string(service.apiKey),
                "hmac_required": .bool(service.requireHMAC),
                "connections": .integer(Int64(sockets.open.count)),
                "users": .array(
                    service.users.all.map { user in
                        let inbox = service[user.id]
                        return [
                            "id": .string(user.id), "external_id": user.externalID.map(JSON.string) ?? .null,
                            "email": user.email.map(JSON.string) ?? .null,
                            "channel": .string(SimulatedAblyTokens.channel(of: user.id)),
                            "notifications": .integer(Int64(inbox.notifications.count)),
                            "unread": .integer(Int64(inbox.notifications.count { $0.readAt == nil })),
                            "unseen": .integer(Int64(inbox.notifications.count { $0.seenAt == nil })),
                        ]
                    }
                ),
            ]
        case "connections": return .array(sockets.open.sorted().map(connection))
        case "notifications":
            let user = try user(&command)
            return .array(service[user.id].notifications.map { $0.json(for: user) })
        case "tokens":
            return .array(
                service[try user(&command).id].tokens.all.map { token in
                    .object((token.json.object ?? [:]).merging(["kind": .string(token.kind.rawValue)]) { $1 })
                }
            )
        case "token":
            let lifetime = try command.integer("lifetime_s") ?? options.tokenLifetime
            return ["token": .string(service.userToken(for: try user(&command), lifetime: lifetime, now: now))]
        case "hmac": return ["hmac": .string(service.hmac(of: try command.text("user")))]
        default: return nil
        }
    }

    private func connection(_ id: SocketID) -> JSON {
        var json: [String: JSON] = ["id": .integer(Int64(id)), "silent": .bool(sockets.silent.contains(id))]
        if let ably = sockets.ably.connections[id] {
            json["kind"] = "ably"
            json["connection_id"] = .string(ably.id)
            json["attached"] = .bool(!ably.attached.isEmpty)
            json["resumed"] = .bool(ably.isResumed)
            json["user"] = .string(service.users[ably.token.user]?.name ?? "")
        } else if let user = sockets.inbox.users[id] {
            json["kind"] = "socket"
            json["user"] = .string(service.users[user]?.name ?? "")
        }
        return .object(json)
    }
}
