/// An entry of an `a{sv}` that is only sent. A list of entries is encoded several times faster than a dictionary, which
/// has to be made first.
public struct RecordEntry: Sendable {
    enum Content: Sendable {
        case value(Value)
        /// An `aa{sv}`.
        case records([[RecordEntry]])
    }

    let name: String
    let content: Content

    /// An entry with any value.
    public init(_ name: String, _ value: Value) {
        self.name = name
        content = .value(value)
    }

    /// An entry with an `aa{sv}`: the entries of each dictionary.
    public init(_ name: String, _ records: [[RecordEntry]]) {
        self.name = name
        content = .records(records)
    }

    fileprivate var value: Value {
        switch content {
        case .value(let value): value
        case .records(let records): records.map { [String: Value]($0) }.dbusValue
        }
    }
}

extension [String: Value] {
    /// The dictionary of these entries, whose names are different.
    public init(_ entries: [RecordEntry]) {
        self.init(uniqueKeysWithValues: entries.lazy.map { ($0.name, $0.value) })
    }
}
