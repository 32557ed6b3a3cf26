extension SandboxState {
    /// Executes a command.
    ///
    /// - Parameters:
    ///   - wall: the real time in milliseconds since the Unix epoch.
    ///   - mayChange: whether commands are allowed that are no lists.
    package mutating func execute(_ given: SandboxCommand, wall: Int64, mayChange: Bool = true) throws(CommandMistake)
        -> (answer: JSON, effects: [SocketEffect])
    {
        let now = wall + clockOffset
        var command = given
        if let answer = try list(&command, now: now) {
            try command.finish()
            return (answer, [])
        }
        guard mayChange else {
            // A mistake in the command is worth more than this one.
            var trial = self
            _ = try trial.change(&command, now: now)
            throw CommandMistake("'\(command.name)' changes something: use POST.")
        }
        let effects = try change(&command, now: now)
        precondition(command.isFinished, "'\(command.name)' ignores arguments that it does not know")
        return (command.answer, absorb(effects))
    }

    /// Executes a command that is no list.
    private mutating func change(_ command: inout SandboxCommand, now: Int64) throws(CommandMistake) -> [SocketEffect] {
        switch command.name {
        case "fault": faults.append(try command.only(RequestFault(&command, of: options.service)))
        case "clear-faults": faults = try command.only([])
        case "release":
            try command.finish()
            faults.removeAll { $0.kind == .hold }
            held = []
        case "clock":
            clockOffset = try command.only(command.required("offset_ms", command.integer("offset_ms")))
        case "clear":
            try command.finish()
            clearLogs()
        case "sign-in":
            let settings = try SimulatedSignIn.Settings(&command)
            let ends = try command.only(command.bool("end") ?? false)
            guard signIn != nil else { throw CommandMistake("This sandbox was started without --sign-in.") }
            signIn?.settings = settings
            if ends { signIn?.endAll() }
        default:
            return options.isMagicBell
                ? try magicBell.change(&command, now: now) : try changeNotifications(&command, now: now)
        }
        return []
    }

    /// The answer of a command that changes nothing; nil: it is none of them.
    func list(_ command: inout SandboxCommand, now: Int64) throws(CommandMistake) -> JSON? {
        switch command.name {
        case "help": return .string(options.isMagicBell ? MagicBellHelp.text : CommandHelp.text)
        case "violations":
            return .array(
                violations.map {
                    [
                        "kind": .string($0.kind.rawValue), "message": .string($0.message),
                        "context": .string($0.context),
                    ]
                }
            )
        case "requests":
            let after = try command.integer("after") ?? 0
            return .array(requests.filter { $0.number > after }.map(\.listed))
        default:
            return options.isMagicBell ? try magicBell.list(&command, now: now) : try listSuprSend(&command, now: now)
        }
    }
}
