extension SandboxState {
    /// The answer of a command of SuprSend that changes nothing; nil: it is none of them.
    func listSuprSend(_ command: inout SandboxCommand, now: Int64) throws(CommandMistake) -> JSON? {
        switch command.name {
        case "state": return overview(now: now)
        case "connections": return .array(realtime.connections(of: nil).compactMap(connection))
        case "acks":
            return .array(
                realtime.acks.map {
                    [
                        "connection": .integer(Int64($0.connection)), "id": .integer(Int64($0.id)),
                        "event": .string($0.event), "arguments": $0.arguments ?? .null,
                    ]
                }
            )
        case "events":
            return .array(
                service.recordedEvents.map { ["message_id": .string($0.messageID), "body": $0.body] }
            )
        case "interactions":
            return .array(
                service[try inbox(&command)].interactions.map {
                    ["n_id": .string($0.id), "action": .string($0.action), "time": .integer($0.time)]
                }
            )
        case "notifications": return .array(service[try inbox(&command)].rows.map(\.json))
        case "token":
            let lifetime = try command.integer("lifetime_s") ?? options.tokenLifetime
            let generation = try command.integer("generation").map(Int.init) ?? service.tokenGeneration
            let key = try inbox(&command)
            let token = SandboxToken.make(
                entityID: key.user,
                tenant: key.tenant,
                expiresAt: now / 1000 + lifetime,
                generation: generation
            )
            return ["token": .string(token)]
        default: return nil
        }
    }

    private func overview(now: Int64) -> JSON {
        [
            "now": .integer(now),
            "public_key": .string(service.publicKey),
            "token_generation": .integer(Int64(service.tokenGeneration)),
            "tokens_enforced": .bool(service.requireToken),
            "recovery": .bool(realtime.recovery),
            "ping_interval_ms": .integer(realtime.pingInterval),
            "ping_timeout_ms": .integer(realtime.pingTimeout),
            "faults": .integer(Int64(faults.count)),
            "held": .array(held.sorted().map { .integer(Int64($0)) }),
            "connections": .integer(Int64(realtime.connections.count)),
            "violations": .integer(Int64(violations.count)),
            "requests": .integer(Int64(requests.last?.number ?? 0)),
            "inboxes": .array(
                service.inboxes.map { key, inbox in
                    [
                        "user": .string(key.user), "tenant": .string(key.tenant),
                        "rows": .integer(Int64(inbox.rows.count)),
                        "unread": .integer(Int64(inbox.rows(of: nil, now: now).count { !$0.isRead })),
                        "badge": .integer(Int64(inbox.badge(now: now))),
                    ]
                }
            ),
        ]
    }

    private func connection(_ id: RealtimeServer.ConnectionID) -> JSON? {
        guard let connection = realtime.connections[id] else { return nil }
        let phase =
            switch connection.phase {
            case .opened: "opened"
            case .refused: "refused"
            case .joined: "joined"
            case .left: "left"
            }
        return [
            "id": .integer(Int64(id)), "phase": .string(phase), "silent": .bool(connection.isSilent),
            "recovered": .bool(connection.isRecovered),
            "user": connection.member.map { .string($0.user.user) } ?? .null,
            "tenant": connection.member.map { .string($0.user.tenant) } ?? .null,
        ]
    }
}
