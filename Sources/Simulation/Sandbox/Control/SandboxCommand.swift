/// A command of the control surface: a name and a JSON object, whose members are read key by key, and the answer.
///
/// A command reads all its arguments before it changes anything, and ``finish()`` refuses what it did not read.
package struct SandboxCommand: Sendable {
    let name: String
    private var values: [String: JSON]
    private var knownKeys: Set<String> = []
    private(set) var isFinished = false
    var answer: JSON = ["ok": true]

    package init(_ name: String, _ arguments: JSON = [:]) throws(CommandMistake) {
        guard let values = arguments.object else { throw CommandMistake("'\(name)' requires a JSON object.") }
        self.name = name
        self.values = values
    }

    /// - Parameter text: of a JSON object; empty text is `{}`.
    init(_ name: String, text: some StringProtocol) throws(CommandMistake) {
        let isEmpty = text.allSatisfy(\.isWhitespace)
        guard let json = isEmpty ? [:] : JSON(parsing: String(text)) else {
            throw CommandMistake("The arguments of '\(name)' are not JSON: \(text)")
        }
        try self.init(name, json)
    }

    /// Parses a line such as `publish {"text":"Hi"}`; nil for an empty line.
    package init?(line: String) throws(CommandMistake) {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard let name = parts.first else { return nil }
        try self.init(String(name), text: parts.count > 1 ? parts[1] : "")
    }

    // MARK: Mistakes

    func wrong(_ key: String, _ expected: String) -> CommandMistake {
        CommandMistake("'\(key)' of '\(name)' must be \(expected).")
    }

    var unknown: CommandMistake { CommandMistake("There is no command '\(name)'; 'help' lists them.") }

    /// Refuses arguments that were not read.
    mutating func finish() throws(CommandMistake) {
        isFinished = true
        guard let key = values.keys.min() else { return }
        let known = knownKeys.sorted().joined(separator: ", ")
        throw CommandMistake("'\(name)' has no argument '\(key)'" + (known.isEmpty ? "." : ", only \(known)."))
    }

    /// The value of the last argument, if there are no others.
    mutating func only<Value>(_ value: Value) throws(CommandMistake) -> Value {
        try finish()
        return value
    }

    // MARK: Arguments

    mutating func take(_ key: String) -> JSON? {
        knownKeys.insert(key)
        return values.removeValue(forKey: key)
    }

    mutating func takeRest() -> [String: JSON] {
        defer { values = [:] }
        return values
    }

    private mutating func read<Value>(_ key: String, _ expected: String, _ value: (JSON) -> Value?)
        throws(CommandMistake) -> Value?
    {
        guard let json = take(key) else { return nil }
        guard let value = value(json) else { throw wrong(key, expected) }
        return value
    }

    mutating func string(_ key: String) throws(CommandMistake) -> String? { try read(key, "a string", \.string) }
    mutating func bool(_ key: String) throws(CommandMistake) -> Bool? { try read(key, "true or false", \.bool) }
    mutating func integer(_ key: String) throws(CommandMistake) -> Int64? { try read(key, "an integer", \.integer) }
    mutating func list(_ key: String) throws(CommandMistake) -> [JSON]? { try read(key, "a list", \.array) }

    /// An integer within a range.
    mutating func integer(_ key: String, in range: ClosedRange<Int64>) throws(CommandMistake) -> Int? {
        guard let value = try integer(key) else { return nil }
        guard range.contains(value) else { throw wrong(key, "from \(range.lowerBound) to \(range.upperBound)") }
        return Int(value)
    }

    /// A word, one of the cases of `Choice`.
    mutating func choice<Choice>(_ key: String, _ type: Choice.Type) throws(CommandMistake) -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let word = try string(key) else { return nil }
        guard let choice = Choice(rawValue: word) else {
            throw wrong(key, "one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }

    /// The value of a required argument.
    func required<Value>(_ key: String, _ value: Value?) throws(CommandMistake) -> Value {
        guard let value else { throw CommandMistake("'\(name)' needs '\(key)'.") }
        return value
    }

    mutating func text(_ key: String) throws(CommandMistake) -> String { try required(key, string(key)) }

    mutating func object(_ key: String) throws(CommandMistake) -> [String: JSON] {
        try required(key, read(key, "an object", \.object))
    }

    /// Ids in a list.
    mutating func ids(_ key: String) throws(CommandMistake) -> [String] {
        try required(key, read(key, "a list of ids", \.strings))
    }

    /// A number of milliseconds, at most a day.
    mutating func duration(_ key: String) throws(CommandMistake) -> Int64 {
        Int64(try required(key, integer(key, in: 1...86_400_000)))
    }

    /// What `frame` sends to a connection.
    mutating func frame() throws(CommandMistake) -> (SocketID) -> SocketEffect {
        let bytes = try read("binary", "a list of bytes") { list in
            let bytes = list.array?.map { $0.integer.flatMap(UInt8.init(exactly:)) }
            return bytes?.contains(nil) == false ? bytes?.compactMap(\.self) : nil
        }
        if let bytes { return { .sendBinary($0, bytes) } }
        let text = try text("text")
        return { .send($0, text) }
    }

    /// The notifications of `publish`: the members that were not read, `count` times, or `notifications`.
    mutating func notifications() throws(CommandMistake) -> [[String: JSON]] {
        let count = try integer("count", in: 1...10_000) ?? 1
        let rows = try read("notifications", "a list of objects") { list in
            let rows = list.array?.map(\.object)
            return rows?.contains(nil) == false ? rows?.compactMap(\.self) : nil
        }
        return rows ?? Array(repeating: takeRest(), count: count)
    }

    /// How `drop` closes the transport; the words `others` do something else.
    mutating func hangUp(_ how: String, or others: String) throws(CommandMistake) -> SocketEffect.HangUp {
        switch how {
        case "reset": return .reset
        case "finish": return .finish
        case "close":
            guard let code = UInt16(exactly: try integer("code") ?? 1001) else {
                throw wrong("code", "a WebSocket close code")
            }
            return .close(code: code)
        default: throw wrong("how", "one of reset, finish, close, \(others)")
        }
    }

    /// The connections that `drop` ends, one or all of `open`; the answer counts them.
    mutating func dropped(from open: [SocketID]) throws(CommandMistake) -> [SocketID] {
        let id = try only(integer("connection")).map(Int.init)
        if let id, !open.contains(id) { throw CommandMistake("There is no connection \(id).") }
        let ids = id.map { [$0] } ?? open
        answer = ["dropped": .integer(Int64(ids.count))]
        return ids
    }
}

/// The reason why a command is rejected, in one sentence for its caller.
package struct CommandMistake: Error, Sendable, Equatable, CustomStringConvertible {
    package var sentence: String
    package var description: String { sentence }

    package init(_ sentence: String) { self.sentence = sentence }
}
