extension Array: DBusValue where Element: DBusValue {
    /// `a` and the element's type.
    public static var dbusSignature: Signature { Signature(trusted: "a" + Element.dbusSignature.text) }
    /// Reads an array of the element's type.
    public init(dbus value: Value) throws(DBusError) { self = try Element.elements(ofDBusArray: value) }
    /// As an array.
    public var dbusValue: Value { Element.dbusArray(self) }

    /// Writes each element.
    public func encode(to encoder: inout BodyEncoder) throws(DBusError) {
        if Element.self == UInt8.self { return try encoder.append(dbusValue) }
        let array = try encoder.beginArray(alignment: Element.dbusAlignment)
        for element in self { try element.encode(to: &encoder) }
        try encoder.endArray(array)
    }

    /// Of the length, which is a `u`.
    public static var dbusAlignment: Int { 4 }
}

/// `a{kv}`; `[String: Value]` is `a{sv}`. Keys must be of a basic type, or sending fails with `InvalidArgs`.
extension Dictionary: DBusValue where Key: DBusValue, Value: DBusValue {
    /// `a{kv}`
    public static var dbusSignature: Signature {
        Signature(trusted: "a{" + Key.dbusSignature.text + Value.dbusSignature.text + "}")
    }

    /// Reads a dictionary of these types.
    public init(dbus value: DBus.Value) throws(DBusError) {
        guard case .dictionary(let keyType, let valueType, let entries) = value,
            keyType == Key.dbusSignature, valueType == Value.dbusSignature
        else { throw .mismatch(value, Self.self) }
        self.init(minimumCapacity: entries.count)
        for (key, value) in entries { self[try Key(dbus: key)] = try Value(dbus: value) }
    }

    /// As a dictionary.
    public var dbusValue: DBus.Value {
        var entries: [DBus.Value: DBus.Value] = [:]
        entries.reserveCapacity(count)
        for (key, value) in self { entries[key.dbusValue] = value.dbusValue }
        return .dictionary(key: Key.dbusSignature, value: Value.dbusSignature, entries)
    }

    /// Writes each entry.
    public func encode(to encoder: inout BodyEncoder) throws(DBusError) {
        // The usual type of a record, several times faster without generics.
        if Self.self == [String: DBus.Value].self {
            // `as?` would copy the dictionary, entry by entry.
            return try encoder.record(unsafeBitCast(self, to: [String: DBus.Value].self))
        }
        let array = try encoder.beginArray(alignment: 8)
        for (key, value) in self {
            try encoder.beginStructure()
            try key.encode(to: &encoder)
            try value.encode(to: &encoder)
            encoder.endStructure()
        }
        try encoder.endArray(array)
    }

    /// Of the length, which is a `u`.
    public static var dbusAlignment: Int { 4 }
}

/// As a typed value, a ``Value`` is a variant: its content may have any type.
extension Value: DBusValue {
    /// `v`
    public static var dbusSignature: Signature { Signature(trusted: "v") }

    /// The content of the variant.
    public init(dbus value: Value) throws(DBusError) {
        guard case .variant(let content) = value else { throw .mismatch(value, Self.self) }
        self = content
    }

    /// A variant with this content.
    public var dbusValue: Value { .variant(self) }

    /// Writes a variant with this content.
    public func encode(to encoder: inout BodyEncoder) throws(DBusError) { try encoder.variant(self) }

    /// Of the signature.
    public static var dbusAlignment: Int { 1 }
}

extension [String: Value] {
    /// The entry `key` of an `a{sv}`, `nil` when absent.
    /// - Throws: `InvalidArgs` with the key if it has another type.
    public func value<T: DBusValue>(_ key: String, as type: T.Type = T.self) throws(DBusError) -> T? {
        guard let value = self[key] else { return nil }
        do { return try T(dbus: value) } catch { throw DBusError(error.name, "“\(key)”: \(error.message)") }
    }
}

/// A D-Bus structure with these fields: `Structure<String, UInt32>` is `(su)`.
public struct Structure<each Element: DBusValue>: DBusValue, Hashable {
    /// The fields, as a tuple.
    public let elements: (repeat each Element)

    /// A structure of the given fields. Needs at least one, or sending fails with `InvalidArgs`.
    public init(_ elements: repeat each Element) { self.elements = (repeat each elements) }

    /// `(…)`
    public static var dbusSignature: Signature {
        var text = "("
        for type in repeat (each Element).self { text += type.dbusSignature.text }
        return Signature(trusted: text + ")")
    }

    /// Reads a structure of these types.
    public init(dbus value: Value) throws(DBusError) {
        guard case .structure(let fields) = value else { throw .mismatch(value, Self.self) }
        guard let elements = try? decodeAll(fields, repeat (each Element).self) else {
            throw .mismatch(value, Self.self)
        }
        self.elements = elements
    }

    /// As a structure.
    public var dbusValue: Value {
        var fields: [Value] = []
        for element in repeat each elements { fields.append(element.dbusValue) }
        return .structure(fields)
    }

    /// Writes each field.
    public func encode(to encoder: inout BodyEncoder) throws(DBusError) {
        try encoder.beginStructure()
        for element in repeat each elements { try element.encode(to: &encoder) }
        encoder.endStructure()
    }

    /// 8, as of every structure.
    public static var dbusAlignment: Int { 8 }

    /// Field by field.
    public static func == (left: Self, right: Self) -> Bool { left.dbusValue == right.dbusValue }

    /// Field by field.
    public func hash(into hasher: inout Hasher) { hasher.combine(dbusValue) }
}

/// Decodes values of exactly these types, in order.
func decodeAll<each T: DBusValue>(_ values: [Value], _ types: repeat (each T).Type) throws -> (repeat each T) {
    var reader = ArgumentReader(values)
    let decoded = (repeat try reader.next(each types))
    try reader.finish()
    return decoded
}

/// Reads typed values from a list, in order.
private struct ArgumentReader {
    private let values: [Value]
    private var position = 0

    init(_ values: [Value]) { self.values = values }

    mutating func next<T: DBusValue>(_: T.Type) throws(DBusError) -> T {
        guard position < values.count else { throw DBusError(.invalidArgs, "Too few arguments.") }
        defer { position += 1 }
        return try T(dbus: values[position])
    }

    func finish() throws(DBusError) {
        guard position == values.count else { throw DBusError(.invalidArgs, "Too many arguments.") }
    }
}
