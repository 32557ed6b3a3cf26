import AgentInterface

/// Which key has which function.
struct InboxKeys: Equatable, Sendable {
    /// The keys of each function, the most important one first.
    private(set) var keys: [InboxFunction: [TerminalKey]] = [:]
    private var functions: [TerminalKey: InboxFunction] = [:]

    /// - Parameter chosen: The names of the keys that the configuration gives to functions, by the functions' names. A
    ///   chosen key loses its default function.
    init(_ chosen: [String: [String]] = [:]) {
        for (name, names) in chosen.sorted(by: { $0.key < $1.key }) {
            guard let function = InboxFunction(rawValue: name) else { continue }
            set(names.compactMap(TerminalKey.init(name:)), function)
        }
        for function in InboxFunction.allCases where keys[function] == nil { set(function.defaultKeys, function) }
    }

    private mutating func set(_ wanted: [TerminalKey], _ function: InboxFunction) {
        let free = wanted.filter { functions[$0] == nil }
        keys[function] = free
        for key in free { functions[key] = function }
    }

    func function(of key: TerminalKey) -> InboxFunction? { functions[key] }

    /// The name of the key for a function, for a hint; nil: it has none.
    func name(_ function: InboxFunction) -> String? { keys[function]?.first?.name }

    /// The names of all keys for a function, on one line.
    func names(_ function: InboxFunction) -> String { (keys[function] ?? []).map(\.name).joined(separator: ", ") }
}
