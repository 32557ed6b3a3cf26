extension SandboxCommand {
    /// Parses a command from its name and JSON arguments, the form used by scripts and standard input.
    package init(name: String, arguments json: JSON = [:], of service: SandboxOptions.Service = .suprSend)
        throws(CommandMistake)
    {
        if case .magicBell = service, let command = try MagicBellCommand(name: name, arguments: json) {
            self = .magicBell(command)
            return
        }
        var given = try Arguments(command: name, json)
        if let command = try Self.readShared(name, &given, of: service) {
            self = command
        } else if service == .suprSend {
            self = try Self.readSuprSend(name, &given)
        } else {
            throw Self.unknown(name)
        }
        try given.finish()
    }

    private static func unknown(_ name: String) -> CommandMistake {
        CommandMistake("There is no command '\(name)'; 'help' lists them.")
    }

    /// The commands of every service.
    private static func readShared(_ name: String, _ given: inout Arguments, of service: SandboxOptions.Service)
        throws(CommandMistake) -> SandboxCommand?
    {
        switch name {
        case "fault": return .fault(try RequestFault(&given, of: service))
        case "clear-faults": return .clearFaults
        case "release": return .release
        case "clock":
            guard let offset = try given.integer("offset_ms") else { throw given.missing("offset_ms") }
            return .clock(offset: offset)
        case "violations": return .list(.violations)
        case "requests": return .list(.requests(after: Int(try given.integer("after") ?? 0)))
        case "clear": return .clear
        case "sign-in":
            var settings = SimulatedSignIn.Settings()
            settings.issuer = try given.string("issuer")
            settings.respondingIssuer = try given.string("iss")
            settings.grantsRefreshTokens = try given.bool("refresh") ?? true
            settings.scope = try given.string("scope")
            settings.backendUser = try given.string("user")
            settings.accessLifetime = try given.integer("lifetime_s") ?? settings.accessLifetime
            settings.givesCodes = try given.bool("codes") ?? true
            return .signIn(settings, ends: try given.bool("end") ?? false)
        case "help": return .help
        default: return nil
        }
    }

    private static func readSuprSend(_ name: String, _ given: inout Arguments) throws(CommandMistake) -> SandboxCommand
    {
        switch name {
        case "publish": return try publish(&given)
        case "publish-raw":
            return .publishRaw(
                try given.required("row"),
                to: try given.recipient(),
                announced: try given.bool("announce") ?? true
            )
        case "samples": return .samples(to: try given.recipient())
        case "update":
            return .update(
                try given.text("n_id"),
                try given.required("patch"),
                of: try given.recipient(),
                announced: try given.bool("announce") ?? true
            )
        case "expire": return .expire(try given.text("n_id"), of: try given.recipient())
        case "act":
            let action = try given.choice("action", StoredInbox.Action.self)
            return .act(action, try given.text("n_id"), of: try given.recipient())
        case "archive": return .act(.archive, try given.text("n_id"), of: try given.recipient())
        case "remove": return .remove(try given.text("n_id"), of: try given.recipient())
        case "seen":
            guard let ids = try given.required("notification_ids").strings else {
                throw given.wrong("notification_ids", "a list of ids")
            }
            return .bulkSeen(ids, of: try given.recipient())
        case "read-all": return .readAll(of: try given.recipient())
        case "reset-badge": return .resetBadge(of: try given.recipient())
        case "emit":
            guard let arguments = (given.take("arguments") ?? []).array else {
                throw given.wrong("arguments", "a list")
            }
            return .emit(try given.text("event"), arguments, to: try given.recipient(), as: try given.delivery())
        case "frame":
            if let bytes = try given.bytes("binary") { return .binaryFrame(bytes, to: try given.recipient()) }
            return .frame(try given.text("text"), to: try given.recipient())
        case "drop": return try drop(&given)
        case "hold-rooms": return .holdRooms(try given.bool("on") ?? true)
        case "refuse":
            let message = try given.string("message") ?? "Authentication Error: wrong auth token"
            return .refuse(
                ConnectRefusal(message: message, data: given.take("data")),
                times: Int(try given.integer("times") ?? 1)
            )
        case "rotate-tokens": return .rotateTokens
        case "token":
            return .token(
                for: try given.recipient(),
                lifetime: try given.integer("lifetime_s"),
                generation: try given.integer("generation").map(Int.init)
            )
        case "enforce-tokens": return .enforceTokens(try given.bool("on") ?? true)
        case "pings":
            return .pings(interval: try given.count("interval_ms"), timeout: try given.count("timeout_ms"))
        case "recovery": return .recovery(try given.bool("on") ?? true, window: try given.integer("window_ms"))
        case "preferences":
            return .preferences(
                StoredPreferences(
                    sections: try given.required("sections"),
                    channels: try given.required("channel_preferences")
                ),
                of: try given.recipient()
            )
        case "state": return .list(.state)
        case "connections": return .list(.connections)
        case "acks": return .list(.acks)
        case "events": return .list(.events)
        case "interactions": return .list(.interactions(of: try given.recipient()))
        case "notifications": return .list(.notifications(of: try given.recipient()))
        default: throw unknown(name)
        }
    }

    /// `{"header":…,"text":…}`, or `{"notifications":[{…},…]}`; with `ack`, `trailing`, `copies`, `count`, `announce`.
    private static func publish(_ given: inout Arguments) throws(CommandMistake) -> SandboxCommand {
        let recipient = try given.recipient()
        let delivery = try given.delivery()
        let announced = try given.bool("announce") ?? true
        let count = try given.integer("count") ?? 1
        guard (1...10_000).contains(count) else { throw given.wrong("count", "from 1 to 10000") }
        if let list = given.take("notifications") {
            guard let rows = list.array, rows.allSatisfy({ $0.object != nil }) else {
                throw given.wrong("notifications", "a list of objects")
            }
            return .publish(rows, to: recipient, as: delivery, announced: announced)
        }
        let row = JSON.object(given.takeRest())
        return .publish(Array(repeating: row, count: Int(count)), to: recipient, as: delivery, announced: announced)
    }

    private static func drop(_ given: inout Arguments) throws(CommandMistake) -> SandboxCommand {
        let drop = try how(&given)
        guard let name = try given.string("at") else {
            return .drop(drop, connection: try given.integer("connection").map(Int.init))
        }
        guard let step = RealtimeServer.JoiningStep(rawValue: name) else {
            let names = RealtimeServer.JoiningStep.allCases.map(\.rawValue).joined(separator: ", ")
            throw given.wrong("at", "one of \(names)")
        }
        return .dropEarly(.init(drop: drop, step: step), times: Int(try given.integer("times") ?? 1))
    }

    private static func how(_ given: inout Arguments) throws(CommandMistake) -> RealtimeServer.Drop {
        switch try given.text("how") {
        case "reset": return .hangUp(.reset)
        case "finish": return .hangUp(.finish)
        case "close":
            return .hangUp(.close(code: try given.closeCode()))
        case "engine-close": return .engineClose
        case "disconnect": return .disconnect
        case "silence": return .silence
        default: throw given.wrong("how", "one of reset, finish, close, engine-close, disconnect, silence")
        }
    }
}
