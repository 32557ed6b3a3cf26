extension SandboxState {
    /// Performs a command of SuprSend that concerns sockets and tokens.
    mutating func changeSockets(_ command: inout SandboxCommand, now: Int64) throws(CommandMistake) -> [SocketEffect] {
        switch command.name {
        case "emit":
            let name = try command.text("event")
            let arguments = try command.list("arguments") ?? []
            let delivery = try RealtimeServer.Delivery(&command)
            return realtime.broadcast(name, arguments, to: try inbox(&command), as: delivery, now: now)
        case "frame":
            let send = try command.frame()
            return realtime.connections(of: try inbox(&command)).map(send)
        case "drop": return try drop(&command, now: now)
        case "hold-rooms":
            guard try command.only(command.bool("on") ?? true) else { return realtime.openRooms() }
            realtime.holdsRooms = true
        case "refuse":
            let message = try command.string("message") ?? "Authentication Error: wrong auth token"
            let refusal = ConnectRefusal(message: message, data: command.take("data"))
            realtime.refusals = Array(repeating: refusal, count: try command.only(command.times()))
        case "rotate-tokens":
            try command.finish()
            service.tokenGeneration += 1
            command.answer = ["generation": .integer(Int64(service.tokenGeneration))]
        case "enforce-tokens": service.requireToken = try command.only(command.bool("on") ?? true)
        case "pings":
            let interval = try command.duration("interval_ms")
            realtime.pingTimeout = try command.only(command.duration("timeout_ms"))
            realtime.pingInterval = interval
        case "recovery":
            let isOn = try command.bool("on") ?? true
            realtime.recoveryWindow = try command.only(command.integer("window_ms") ?? realtime.recoveryWindow)
            realtime.recovery = isOn
        default: throw command.unknown
        }
        return []
    }

    private mutating func drop(_ command: inout SandboxCommand, now: Int64) throws(CommandMistake) -> [SocketEffect] {
        let drop: RealtimeServer.Drop
        switch try command.text("how") {
        case "engine-close": drop = .engineClose
        case "disconnect": drop = .disconnect
        case "silence": drop = .silence
        case let how: drop = .hangUp(try command.hangUp(how, or: "engine-close, disconnect, silence"))
        }
        if let step = try command.choice("at", RealtimeServer.JoiningStep.self) {
            let early = RealtimeServer.EarlyDrop(drop: drop, step: step)
            realtime.earlyDrops = Array(repeating: early, count: try command.only(command.times()))
            return []
        }
        let ids = try command.dropped(from: realtime.connections(of: nil))
        return realtime.drop(ids, drop, now: now)
    }
}

extension SandboxCommand {
    /// `times`, from 0 to 10,000, also if less or more is given.
    fileprivate mutating func times() throws(CommandMistake) -> Int {
        Int(max(0, min(try integer("times") ?? 1, 10_000)))
    }
}

extension RealtimeServer.Delivery {
    /// Reads the arguments of the commands `publish` and `emit`.
    init(_ command: inout SandboxCommand) throws(CommandMistake) {
        trailing = try command.list("trailing")
        copies = try command.integer("copies", in: 0...100) ?? 1
        wantsAck = try command.bool("ack") ?? false
    }
}
