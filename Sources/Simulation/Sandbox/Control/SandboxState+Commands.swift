extension SandboxState {
    /// Performs a command.
    ///
    /// - Parameter wall: the real time in milliseconds since the Unix epoch.
    package mutating func perform(_ command: SandboxCommand, wall: Int64) throws(CommandMistake) -> (
        answer: JSON, effects: [SocketEffect]
    ) {
        let now = wall + clockOffset
        try requireService(of: command)
        if case .magicBell(let command) = command {
            let (answer, effects) = try magicBell.perform(command, now: now)
            return (answer, absorb(effects))
        }
        var answer: JSON = ["ok": true]
        var effects: [SocketEffect] = []
        switch command {
        case .publish(let rows, let recipient, let delivery, let announced):
            let key = try inbox(recipient)
            var ids: [String] = []
            for fields in rows {
                guard let fields = fields.object else { throw CommandMistake("A notification must be a JSON object.") }
                let row = StoredRow.complete(fields, id: service.makeID(now: now), tenant: key.tenant, now: now)
                service[key].insert(row)
                ids.append(row.id)
                effects.append(.log("\(key.user): published \(row.id) \(row["message"]?["header"]?.string ?? "")"))
                if announced { effects += announce(row.id, key, delivery, now) }
            }
            answer = ["n_ids": .array(ids.map(JSON.string))]
        case .publishRaw(let json, let recipient, let announced):
            let key = try inbox(recipient)
            let row = StoredRow(json: json)
            service[key].insert(row)
            effects.append(.log("\(key.user): published a raw row \(row.id)"))
            if announced, !row.id.isEmpty { effects += announce(row.id, key, RealtimeServer.Delivery(), now) }
        case .samples(let recipient):
            let samples = SampleNotifications.notifications(now: now, host: "http://127.0.0.1:\(port)")
            return try perform(.publish(samples, to: recipient), wall: wall)
        case .update(let id, let patch, let recipient, let announced):
            guard let fields = patch.object else { throw CommandMistake("'patch' must be a JSON object.") }
            let key = try inbox(recipient)
            guard service[key].change(id, { $0.patch(fields) }) else { throw Self.noRow(id) }
            if announced { effects = publish(.updated(id, action: "update", of: key), now) }
        case .expire(let id, let recipient):
            return try perform(.update(id, ["expiry": .integer(now - 1)], of: recipient), wall: wall)
        case .act(let action, let id, let recipient):
            guard let event = service.act(action, on: id, of: try inbox(recipient), now: now) else {
                throw Self.noRow(id)
            }
            effects = publish(event, now)
        case .remove(let id, let recipient):
            guard service[try inbox(recipient)].remove(id) else { throw Self.noRow(id) }
        case .bulkSeen(let ids, let recipient):
            effects = publish(service.bulkSeen(ids, of: try inbox(recipient), now: now), now)
        case .readAll(let recipient): effects = publish(service.markAllRead(try inbox(recipient), now: now), now)
        case .resetBadge(let recipient): effects = publish(service.resetBadge(try inbox(recipient), now: now), now)
        case .emit(let name, let arguments, let recipient, let delivery):
            effects = realtime.broadcast(name, arguments, to: try inbox(recipient), as: delivery, now: now)
        case .frame(let text, let recipient):
            effects = realtime.connections(of: try inbox(recipient)).map { .send($0, text) }
        case .binaryFrame(let bytes, let recipient):
            effects = realtime.connections(of: try inbox(recipient)).map { .sendBinary($0, bytes) }
        case .holdRooms(true): realtime.holdsRooms = true
        case .holdRooms(false): effects = realtime.openRooms()
        case .drop(let drop, let connection):
            if let connection, realtime.connections[connection] == nil {
                throw CommandMistake("There is no connection \(connection).")
            }
            let ids = connection.map { [$0] } ?? realtime.connections(of: nil)
            effects = realtime.drop(ids, drop, now: now)
            answer = ["dropped": .integer(Int64(ids.count))]
        default:
            answer = try configure(command, now: now)
        }
        return (answer, absorb(effects))
    }

    private func requireService(of command: SandboxCommand) throws(CommandMistake) {
        let isOfMagicBell: Bool
        switch command {
        case .fault, .clearFaults, .release, .clock, .clear, .help, .signIn, .list(.violations), .list(.requests):
            return
        case .magicBell: isOfMagicBell = true
        default: isOfMagicBell = false
        }
        guard isOfMagicBell == options.isMagicBell else {
            let service = isOfMagicBell ? "MagicBell" : "SuprSend"
            throw CommandMistake("This is a command for a sandbox that simulates \(service).")
        }
    }

    /// Performs the commands without effects: settings and listings.
    private mutating func configure(_ command: SandboxCommand, now: Int64) throws(CommandMistake) -> JSON {
        switch command {
        case .dropEarly(let early, let times):
            realtime.earlyDrops = Array(repeating: early, count: max(0, min(times, 10_000)))
        case .refuse(let refusal, let times):
            realtime.refusals = Array(repeating: refusal, count: max(0, min(times, 10_000)))
        case .fault(let fault): faults.append(fault)
        case .signIn(let settings, let ends):
            guard signIn != nil else { throw CommandMistake("This sandbox was started without --sign-in.") }
            signIn?.settings = settings
            if ends { signIn?.endAll() }
        case .clearFaults: faults = []
        case .release:
            faults.removeAll { $0.kind == .hold }
            held = []
        case .rotateTokens:
            service.tokenGeneration += 1
            return ["generation": .integer(Int64(service.tokenGeneration))]
        case .token(let recipient, let lifetime, let generation):
            let key = try inbox(recipient)
            let token = SandboxToken.make(
                entityID: key.user,
                tenant: key.tenant,
                expiresAt: now / 1000 + (lifetime ?? options.tokenLifetime),
                generation: generation ?? service.tokenGeneration
            )
            return ["token": .string(token)]
        case .enforceTokens(let on): service.requireToken = on
        case .pings(let interval, let timeout):
            realtime.pingInterval = interval
            realtime.pingTimeout = timeout
        case .recovery(let on, let window):
            realtime.recovery = on
            if let window { realtime.recoveryWindow = window }
        case .clock(let offset): clockOffset = offset
        case .preferences(let preferences, let recipient): service[try inbox(recipient)].preferences = preferences
        case .list(let listing): return try list(listing, now: now)
        case .clear: clearLogs()
        case .help: return .string(options.isMagicBell ? MagicBellHelp.text : CommandHelp.text)
        default: preconditionFailure("\(command) has effects and belongs in perform")
        }
        return ["ok": true]
    }

    /// Resolves a recipient to an inbox.
    func inbox(_ recipient: Recipient) throws(CommandMistake) -> InboxKey {
        InboxKey(
            user: try Self.choose(recipient.user, "user", from: service.users),
            tenant: try Self.choose(recipient.tenant, "tenant", from: service.tenants)
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
