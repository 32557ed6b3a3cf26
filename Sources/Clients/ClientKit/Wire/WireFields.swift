package import Basics

/// The members of a JSON object. Reads optional members without errors: absent, null and a value of another type all
/// give nil.
///
/// A type that is read from it, and not from a `Decoder`, is decoded from ``JSONValue`` several times faster: see
/// `Decoder.jsonFields`.
package protocol WireFields {
    func contains(_ key: WireKey) -> Bool
    func string(_ key: WireKey) -> String?
    func bool(_ key: WireKey) -> Bool?
    /// An integer, also when written as a float, which is rounded (`1.754e12`).
    func integer(_ key: WireKey) -> Int64?
    func json(_ key: WireKey) -> JSONValue?
    func object(_ key: WireKey) -> Self?
    /// The objects of an array.
    func objects(_ key: WireKey) -> [Self]?
    /// The texts of an array.
    func strings(_ key: WireKey) -> [String]?
}

extension WireFields {
    /// A time in milliseconds since the Unix epoch, also as a text or in ISO 8601.
    package func milliseconds(_ key: WireKey) -> Int64? {
        integer(key) ?? string(key).flatMap { Int64($0) ?? Timestamp(iso8601: $0)?.milliseconds }
    }

    /// A time that is only displayed.
    package func timestamp(_ key: WireKey) -> Timestamp? {
        milliseconds(key).map { Timestamp(milliseconds: $0).clamped }
    }

    /// A text, cut to this many bytes.
    package func text(_ key: WireKey, _ limit: Int) -> String? { string(key)?.cut(to: limit) }

    /// A text that is useless when cut: nil when it is longer.
    package func whole(_ key: WireKey, _ limit: Int) -> String? { string(key)?.unlessLonger(than: limit) }

    /// A required member.
    package func required<T>(_ key: WireKey, _ value: T?) throws -> T {
        guard let value else {
            throw DecodingError.keyNotFound(
                key,
                .init(codingPath: [], debugDescription: "missing or of another type")
            )
        }
        return value
    }
}

/// The members of a parsed object.
package struct JSONFields: WireFields {
    private let members: [String: JSONValue]

    init(_ members: [String: JSONValue]) { self.members = members }

    package func contains(_ key: WireKey) -> Bool { members[key.stringValue] != nil }
    package func string(_ key: WireKey) -> String? { members[key.stringValue]?.string }
    package func bool(_ key: WireKey) -> Bool? { members[key.stringValue]?.bool }

    package func integer(_ key: WireKey) -> Int64? {
        switch members[key.stringValue] {
        case .integer(let integer): integer
        case .number(let number): Int64(exactly: number.rounded())
        default: nil
        }
    }

    package func json(_ key: WireKey) -> JSONValue? {
        guard let value = members[key.stringValue], value != .null else { return nil }
        return value
    }

    package func object(_ key: WireKey) -> JSONFields? { members[key.stringValue]?.object.map(JSONFields.init) }
    package func objects(_ key: WireKey) -> [JSONFields]? {
        members[key.stringValue]?.array?.compactMap { $0.object.map(JSONFields.init) }
    }
    package func strings(_ key: WireKey) -> [String]? { members[key.stringValue]?.array?.compactMap(\.string) }
}

extension KeyedDecodingContainer: WireFields where Key == WireKey {
    package func string(_ key: WireKey) -> String? { value(key) }
    package func bool(_ key: WireKey) -> Bool? { value(key) }
    package func json(_ key: WireKey) -> JSONValue? { value(key) }
    package func object(_ key: WireKey) -> Self? { try? nestedContainer(keyedBy: WireKey.self, forKey: key) }

    package func objects(_ key: WireKey) -> [Self]? {
        guard var array = try? nestedUnkeyedContainer(forKey: key) else { return nil }
        var objects: [Self] = []
        while !array.isAtEnd {
            if let object = try? array.nestedContainer(keyedBy: WireKey.self) {
                objects.append(object)
            } else if (try? array.decode(JSONValue.self)) == nil {
                break
            }
        }
        return objects
    }

    package func strings(_ key: WireKey) -> [String]? { elements(key) }
}
