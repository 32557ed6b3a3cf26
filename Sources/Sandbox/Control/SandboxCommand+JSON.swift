extension SandboxCommand {
    /// Parses a command from its name and JSON arguments, the form used by scripts and standard input.
    package init(name: String, arguments json: JSON = [:]) throws(CommandMistake) {
        var given = try Arguments(command: name, json)
        self = try Self.read(name, &given)
        try given.finish()
    }

    private static func read(_ name: String, _ given: inout Arguments) throws(CommandMistake) -> SandboxCommand {
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
            let text = try given.text("action")
            guard let action = StoredInbox.Action(rawValue: text) else {
                throw given.wrong(
                    "action",
                    "one of \(StoredInbox.Action.allCases.map(\.rawValue).joined(separator: ", "))"
                )
            }
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
            if let list = given.take("binary") {
                let bytes = (list.array ?? [nil]).map { $0.integer.flatMap(UInt8.init(exactly:)) }
                guard !bytes.contains(nil) else { throw given.wrong("binary", "a list of bytes") }
                return .binaryFrame(bytes.compactMap(\.self), to: try given.recipient())
            }
            return .frame(try given.text("text"), to: try given.recipient())
        case "drop": return try drop(&given)
        case "hold-rooms": return .holdRooms(try given.bool("on") ?? true)
        case "refuse":
            let message = try given.string("message") ?? "Authentication Error: wrong auth token"
            return .refuse(
                ConnectRefusal(message: message, data: given.take("data")),
                times: Int(try given.integer("times") ?? 1)
            )
        case "fault": return .fault(try fault(&given))
        case "clear-faults": return .clearFaults
        case "release": return .release
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
        case "clock":
            guard let offset = try given.integer("offset_ms") else { throw given.missing("offset_ms") }
            return .clock(offset: offset)
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
        case "violations": return .list(.violations)
        case "events": return .list(.events)
        case "requests": return .list(.requests(after: Int(try given.integer("after") ?? 0)))
        case "interactions": return .list(.interactions(of: try given.recipient()))
        case "notifications": return .list(.notifications(of: try given.recipient()))
        case "clear": return .clear
        case "help": return .help
        default:
            throw CommandMistake("There is no command '\(name)'; 'help' lists them.")
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
            guard let code = UInt16(exactly: try given.integer("code") ?? 1001) else {
                throw given.wrong("code", "a WebSocket close code")
            }
            return .hangUp(.close(code: code))
        case "engine-close": return .engineClose
        case "disconnect": return .disconnect
        case "silence": return .silence
        default: throw given.wrong("how", "one of reset, finish, close, engine-close, disconnect, silence")
        }
    }

    private static func fault(_ given: inout Arguments) throws(CommandMistake) -> RequestFault {
        let kind: RequestFault.Kind
        switch try given.string("kind") ?? "status" {
        case "status":
            let status = Int(try given.integer("status") ?? 500)
            guard (200...599).contains(status) else { throw given.wrong("status", "from 200 to 599") }
            var response = ServiceResponse.error(status, "UNKNOWN_ERROR", "forced by the sandbox")
            switch given.take("body") {
            case .string(let text)?: response.body = Array(text.utf8)
            case let json?: response.body = json.bytes
            case nil: break
            }
            for (name, value) in given.take("headers")?.object ?? [:] {
                response.headers[name] = value.string ?? value.text
            }
            kind = .respond(response)
        case "html":
            kind = .respond(
                ServiceResponse(
                    status: Int(try given.integer("status") ?? 502),
                    headers: ["Content-Type": "text/html"],
                    body: Array("<html>bad gateway</html>".utf8)
                )
            )
        case "empty":
            kind = .respond(ServiceResponse(status: Int(try given.integer("status") ?? 200), body: []))
        case "delay": kind = .delay(milliseconds: try given.count("delay_ms"))
        case "hold": kind = .hold
        case "close-mid-body": kind = .closeMidBody
        case "close": kind = .close
        case "reset": kind = .reset
        case "endless": kind = .endless
        case "slow-loris": kind = .slowLoris(milliseconds: try given.integer("interval_ms") ?? 1000)
        case "large": kind = .large(bytes: Int(try given.integer("bytes") ?? 100_000_000))
        default:
            throw given.wrong(
                "kind",
                "one of status, html, empty, delay, hold, close-mid-body, close, reset, endless, slow-loris, large"
            )
        }
        return RequestFault(
            kind,
            method: try given.string("method"),
            path: try given.string("path") ?? "/",
            times: Int(try given.integer("times") ?? 1),
            applied: try given.bool("applied") ?? false
        )
    }
}
