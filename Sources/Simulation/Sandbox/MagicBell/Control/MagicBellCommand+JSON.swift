extension MagicBellCommand {
    /// Parses a command; nil for a name that no command of MagicBell has.
    init?(name: String, arguments json: JSON) throws(CommandMistake) {
        var given = try Arguments(command: name, json)
        guard let command = try Self.read(name, &given) else { return nil }
        self = command
        try given.finish()
    }

    private static func read(_ name: String, _ given: inout Arguments) throws(CommandMistake) -> MagicBellCommand? {
        switch name {
        case "publish": return try publish(&given)
        case "samples": return .samples(to: try given.string("user"))
        case "update":
            guard let patch = try given.required("patch").object else { throw given.wrong("patch", "an object") }
            return .update(try given.text("id"), patch, of: try given.string("user"))
        case "act":
            let action = try given.choice("action", StoredNotification.Action.self)
            return .act(action, try given.text("id"), of: try given.string("user"))
        case "delete": return .delete(try given.text("id"), of: try given.string("user"))
        case "remove": return .remove(try given.text("id"), of: try given.string("user"))
        case "read-all": return .readAll(of: try given.string("user"))
        case "seen-all": return .seenAll(of: try given.string("user"))
        case "shrink-pages": return .shrinkPages(by: try given.small("by") ?? 1, times: try given.small("times") ?? 1)
        case "rest":
            return .configureREST(
                newerPreferences: try given.bool("newer_preferences"),
                severalFilters: try given.bool("several_filters")
            )
        case "preferences":
            guard let preferences = SimulatedPreferences(parsing: try given.required("categories")) else {
                throw given.wrong("categories", "a list of categories with 'slug' and 'channels'")
            }
            return .preferences(preferences, of: try given.string("user"))
        case "token": return .token(for: try given.string("user"), lifetime: try given.integer("lifetime_s"))
        case "rotate-tokens": return .rotateTokens
        case "hmac": return .hmac(try given.text("user"))
        case "require-hmac": return .requireHMAC(try given.bool("on") ?? true)
        case "state": return .list(.state)
        case "connections": return .list(.connections)
        case "notifications": return .list(.notifications(of: try given.string("user")))
        case "tokens": return .list(.tokens(of: try given.string("user")))
        default: return try readSocketCommand(name, &given)
        }
    }

    private static func readSocketCommand(_ name: String, _ given: inout Arguments) throws(CommandMistake)
        -> MagicBellCommand?
    {
        switch name {
        case "emit":
            let message = AblyServer.Message(
                name: try given.text("name"),
                data: given.take("data") ?? .null,
                encoding: try given.string("encoding")
            )
            return .emit(message, to: try given.string("user"), copies: try given.small("copies") ?? 1)
        case "frame":
            if let bytes = try given.bytes("binary") { return .binaryFrame(bytes, to: try given.string("user")) }
            return .frame(try given.text("text"), to: try given.string("user"))
        case "drop":
            let drop = try how(&given)
            guard let step = try given.string("at") else {
                return .drop(drop, connection: try given.integer("connection").map(Int.init))
            }
            guard step == "open" else { throw given.wrong("at", "open") }
            return .dropEarly(drop, times: try given.small("times") ?? 1)
        case "announce": return .announce(try announcement(&given), to: try given.string("user"))
        case "refuse":
            let error = try given.ablyError() ?? AblyError(40400, 404, "No application found")
            return .refuse(error, times: try given.small("times") ?? 1)
        case "ably":
            return .configureAbly(
                AblySettings(
                    sendsHeartbeats: try given.bool("heartbeats"),
                    maxIdleInterval: try given.milliseconds("idle_interval_ms"),
                    stateTTL: try given.milliseconds("state_ttl_ms"),
                    tokenLifetime: try given.milliseconds("token_lifetime_ms"),
                    holdsAttach: try given.bool("hold_attach"),
                    failingResumes: try given.small("fail_resumes"),
                    omittedFlags: try given.small("omit_resumed")
                )
            )
        case "expire-ably-tokens": return .expireAblyTokens
        case "expire-inbox-tokens": return .expireInboxTokens
        case "socket-error":
            return .socketError(
                code: Int(try given.integer("code") ?? 40142),
                message: try given.string("message") ?? "token expired"
            )
        case "socket-close": return .socketClose
        default: return nil
        }
    }

    /// `{"title":…}`, or `{"notifications":[{…},{…}]}`; with `user`, `copies`, `count` and `announce`.
    private static func publish(_ given: inout Arguments) throws(CommandMistake) -> MagicBellCommand {
        let user = try given.string("user")
        let copies = try given.small("copies") ?? 1
        let announced = try given.bool("announce") ?? true
        let count = try given.small("count") ?? 1
        guard let list = given.take("notifications") else {
            let fields = JSON.object(given.takeRest())
            return .publish(Array(repeating: fields, count: count), to: user, copies: copies, announced: announced)
        }
        guard let rows = list.array, rows.allSatisfy({ $0.object != nil }) else {
            throw given.wrong("notifications", "a list of objects")
        }
        return .publish(rows, to: user, copies: copies, announced: announced)
    }

    private static func how(_ given: inout Arguments) throws(CommandMistake) -> MagicBellSockets.Drop {
        switch try given.text("how") {
        case "reset": return .hangUp(.reset)
        case "finish": return .hangUp(.finish)
        case "close": return .hangUp(.close(code: try given.closeCode()))
        case "silence": return .silence
        default: throw given.wrong("how", "one of reset, finish, close, silence")
        }
    }

    private static func announcement(_ given: inout Arguments) throws(CommandMistake) -> AblyServer.Announcement {
        let frame = try given.text("frame")
        let error = try given.ablyError()
        switch frame {
        case "auth": return .tokenRequest
        case "disconnected": return .disconnected(error)
        case "detached": return .detached(error)
        case "attached": return .attached(resumed: try given.bool("resumed") ?? false, error)
        case "channel-error": return .channelError(error ?? AblyError(40160, 401, "Action not permitted"))
        case "error": return .error(error ?? AblyError(40400, 404, "No application found"))
        default: throw given.wrong("frame", "one of auth, disconnected, detached, attached, channel-error, error")
        }
    }
}

extension Arguments {
    /// A count from 0 to 10,000.
    mutating func small(_ key: String) throws(CommandMistake) -> Int? {
        guard let value = try integer(key) else { return nil }
        guard (0...10_000).contains(value) else { throw wrong(key, "from 0 to 10000") }
        return Int(value)
    }

    /// A number of milliseconds from 0 to a day.
    mutating func milliseconds(_ key: String) throws(CommandMistake) -> Int64? {
        guard let value = try integer(key) else { return nil }
        guard (0...86_400_000).contains(value) else { throw wrong(key, "from 0 to 86400000") }
        return value
    }

    /// The code of a WebSocket close frame.
    mutating func closeCode() throws(CommandMistake) -> UInt16 {
        guard let code = UInt16(exactly: try integer("code") ?? 1001) else {
            throw wrong("code", "a WebSocket close code")
        }
        return code
    }

    mutating func bytes(_ key: String) throws(CommandMistake) -> [UInt8]? {
        guard let list = take(key) else { return nil }
        let bytes = (list.array ?? [nil]).map { $0.integer.flatMap(UInt8.init(exactly:)) }
        guard !bytes.contains(nil) else { throw wrong(key, "a list of bytes") }
        return bytes.compactMap(\.self)
    }

    /// A required word, one of the cases of `Choice`.
    mutating func choice<Choice>(_ key: String, _ type: Choice.Type) throws(CommandMistake) -> Choice
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let choice = Choice(rawValue: try text(key)) else {
            throw wrong(key, "one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
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
