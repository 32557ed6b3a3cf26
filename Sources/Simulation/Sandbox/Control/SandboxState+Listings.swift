extension SandboxState {
    /// The answer to a listing command.
    func list(_ listing: SandboxCommand.Listing, now: Int64) throws(CommandMistake) -> JSON {
        switch listing {
        case .state: return overview(now: now)
        case .connections: return .array(realtime.connections(of: nil).compactMap(connection))
        case .acks:
            return .array(
                realtime.acks.map {
                    [
                        "connection": .integer(Int64($0.connection)), "id": .integer(Int64($0.id)),
                        "event": .string($0.event), "arguments": $0.arguments ?? .null,
                    ]
                }
            )
        case .violations:
            return .array(
                violations.map {
                    [
                        "kind": .string($0.kind.rawValue), "message": .string($0.message),
                        "context": .string($0.context),
                    ]
                }
            )
        case .events:
            return .array(
                service.recordedEvents.map { ["message_id": .string($0.messageID), "body": $0.body] }
            )
        case .requests(let after): return .array(requests.filter { $0.number > after }.map(Self.json))
        case .interactions(let recipient):
            return .array(
                service[try inbox(recipient)].interactions.map {
                    ["n_id": .string($0.id), "action": .string($0.action), "time": .integer($0.time)]
                }
            )
        case .notifications(let recipient): return .array(service[try inbox(recipient)].rows.map(\.json))
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

    private static func json(_ request: LoggedRequest) -> JSON {
        [
            "number": .integer(Int64(request.number)), "method": .string(request.method), "path": .string(request.path),
            "query": request.query.map(JSON.string) ?? .null, "time": .integer(request.time),
            "headers": .object(request.headers.mapValues(JSON.string)),
            "body": request.body.isEmpty
                ? .null : request.json ?? .string(String(decoding: request.body, as: UTF8.self)),
            "status": .integer(Int64(request.status)), "fault": .bool(request.isSpoilt),
        ]
    }
}
