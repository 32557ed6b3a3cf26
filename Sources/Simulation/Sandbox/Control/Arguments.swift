/// The JSON arguments of a command, read key by key. ``finish()`` rejects keys that were not read.
struct Arguments {
    private let command: String
    private var values: [String: JSON]
    private var knownKeys: Set<String> = []

    init(command: String, _ json: JSON) throws(CommandMistake) {
        guard let values = json.object else { throw CommandMistake("'\(command)' requires a JSON object.") }
        self.command = command
        self.values = values
    }

    func wrong(_ key: String, _ expected: String) -> CommandMistake {
        CommandMistake("'\(key)' of '\(command)' must be \(expected).")
    }

    func missing(_ key: String) -> CommandMistake { CommandMistake("'\(command)' needs '\(key)'.") }

    mutating func take(_ key: String) -> JSON? {
        knownKeys.insert(key)
        return values.removeValue(forKey: key)
    }

    mutating func takeRest() -> [String: JSON] {
        defer { values = [:] }
        return values
    }

    mutating func required(_ key: String) throws(CommandMistake) -> JSON {
        guard let value = take(key) else { throw missing(key) }
        return value
    }

    mutating func string(_ key: String) throws(CommandMistake) -> String? {
        guard let value = take(key) else { return nil }
        guard let text = value.string else { throw wrong(key, "a string") }
        return text
    }

    mutating func text(_ key: String) throws(CommandMistake) -> String {
        guard let text = try string(key) else { throw missing(key) }
        return text
    }

    mutating func bool(_ key: String) throws(CommandMistake) -> Bool? {
        guard let value = take(key) else { return nil }
        guard let bool = value.bool else { throw wrong(key, "true or false") }
        return bool
    }

    mutating func integer(_ key: String) throws(CommandMistake) -> Int64? {
        guard let value = take(key) else { return nil }
        guard let integer = value.integer else { throw wrong(key, "an integer") }
        return integer
    }

    /// A required number of milliseconds, from 1 to 86,400,000.
    mutating func count(_ key: String) throws(CommandMistake) -> Int64 {
        guard let value = try integer(key) else { throw missing(key) }
        guard (1...86_400_000).contains(value) else { throw wrong(key, "from 1 to 86400000") }
        return value
    }

    mutating func recipient() throws(CommandMistake) -> Recipient {
        Recipient(try string("user"), tenant: try string("tenant"))
    }

    mutating func delivery() throws(CommandMistake) -> RealtimeServer.Delivery {
        let trailing = take("trailing")
        if let trailing, trailing.array == nil { throw wrong("trailing", "a list") }
        let copies = try integer("copies") ?? 1
        guard (0...100).contains(copies) else { throw wrong("copies", "from 0 to 100") }
        return RealtimeServer.Delivery(
            wantsAck: try bool("ack") ?? false,
            trailing: trailing?.array,
            copies: Int(copies)
        )
    }

    func finish() throws(CommandMistake) {
        guard let key = values.keys.min() else { return }
        let known = knownKeys.sorted().joined(separator: ", ")
        throw CommandMistake("'\(command)' has no argument '\(key)'" + (known.isEmpty ? "." : ", only \(known)."))
    }
}
