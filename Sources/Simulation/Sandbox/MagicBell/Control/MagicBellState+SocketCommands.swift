extension MagicBellState {
    /// Performs a command that concerns WebSockets.
    mutating func changeSockets(_ command: inout SandboxCommand, now: Int64) throws(CommandMistake) -> [SocketEffect] {
        switch command.name {
        case "emit":
            let message = AblyServer.Message(
                name: try command.text("name"),
                data: command.take("data") ?? .null,
                encoding: try command.string("encoding")
            )
            let copies = try command.count("copies") ?? 1
            return sockets.emit(message, to: try user(&command).id, copies: copies, now: now)
        case "frame":
            let send = try command.frame()
            return sockets.receivers(of: try user(&command).id).map(send)
        case "drop": return try drop(&command, now: now)
        case "announce":
            let announcement = try AblyServer.Announcement(&command)
            let name = try command.only(command.string("user"))
            let user: SimulatedUser? = if let name { try resolve(name) } else { nil }
            return sockets.announce(announcement, to: user?.id, now: now)
        case "refuse":
            let error = try command.ablyError() ?? AblyError(40400, 404, "No application found")
            sockets.ably.refusals = Array(repeating: error, count: try command.only(command.count("times") ?? 1))
        case "ably":
            var (ably, tokens) = (sockets.ably, service.ably)
            ably.sendsHeartbeats = try command.bool("heartbeats") ?? ably.sendsHeartbeats
            ably.maxIdleInterval = try command.milliseconds("idle_interval_ms") ?? ably.maxIdleInterval
            ably.stateTTL = try command.milliseconds("state_ttl_ms") ?? ably.stateTTL
            ably.holdsAttach = try command.bool("hold_attach") ?? ably.holdsAttach
            ably.failingResumes = try command.count("fail_resumes") ?? ably.failingResumes
            ably.omittedFlags = try command.count("omit_resumed") ?? ably.omittedFlags
            tokens.lifetime = try command.milliseconds("token_lifetime_ms") ?? tokens.lifetime
            (sockets.ably, service.ably) = try command.only((ably, tokens))
        case "expire-ably-tokens":
            try command.finish()
            service.ably.expireAll(now: now)
            return sockets.announce(.disconnected(.expired), to: nil, now: now)
        case "expire-inbox-tokens": service.inboxTokens = try command.only([:])
        case "socket-error":
            let code = try command.integer("code") ?? 40142
            let message = try command.only(command.string("message") ?? "token expired")
            let frame: JSON = ["type": "error", "code": .integer(code), "message": .string(message)]
            return sockets.inbox.sockets(of: nil).map { .send($0, frame.text) }
        case "socket-close":
            try command.finish()
            return sockets.inbox.sockets(of: nil).map { .send($0, #"{"type":"close"}"#) }
        default: throw command.unknown
        }
        return []
    }

    private mutating func drop(_ command: inout SandboxCommand, now: Int64) throws(CommandMistake) -> [SocketEffect] {
        let drop: MagicBellSockets.Drop
        switch try command.text("how") {
        case "silence": drop = .silence
        case let how: drop = .hangUp(try command.hangUp(how, or: "silence"))
        }
        if let step = try command.string("at") {
            guard step == "open" else { throw command.wrong("at", "open") }
            sockets.earlyDrops = Array(repeating: drop, count: try command.only(command.count("times") ?? 1))
            return []
        }
        return sockets.drop(try command.dropped(from: sockets.open.sorted()), drop, now: now)
    }
}

extension AblyServer.Announcement {
    /// Reads the arguments of the command `announce`.
    init(_ command: inout SandboxCommand) throws(CommandMistake) {
        let frame = try command.text("frame")
        let error = try command.ablyError()
        switch frame {
        case "auth": self = .tokenRequest
        case "disconnected": self = .disconnected(error)
        case "detached": self = .detached(error)
        case "attached": self = .attached(resumed: try command.bool("resumed") ?? false, error)
        case "channel-error": self = .channelError(error ?? AblyError(40160, 401, "Action not permitted"))
        case "error": self = .error(error ?? AblyError(40400, 404, "No application found"))
        default:
            throw command.wrong("frame", "one of auth, disconnected, detached, attached, channel-error, error")
        }
    }
}

extension SandboxCommand {
    fileprivate mutating func milliseconds(_ key: String) throws(CommandMistake) -> Int64? {
        try integer(key, in: 0...86_400_000).map(Int64.init)
    }

    /// `code`, `status` and `message` of an error; nil without a code.
    fileprivate mutating func ablyError() throws(CommandMistake) -> AblyError? {
        let code = try integer("code")
        let status = try integer("status")
        let message = try string("message")
        guard let code else { return nil }
        return AblyError(Int(code), Int(status ?? code / 100), message ?? "forced by the sandbox")
    }
}
