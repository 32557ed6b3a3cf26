/// A Swift type that has a D-Bus type.
///
/// The library's conforming types are the basic types, arrays, dictionaries, ``Structure`` and ``Value`` (a variant).
/// For your own types use ``DBusConvertible``.
public protocol DBusValue: Sendable {
    /// The D-Bus type: one complete type.
    static var dbusSignature: Signature { get }
    /// The Swift value.
    /// - Throws: `InvalidArgs` if `value` has another type or is not a valid value of this type.
    init(dbus value: Value) throws(DBusError)
    /// The D-Bus value.
    var dbusValue: Value { get }

    /// Writes the value into a message, without ``dbusValue`` where that is faster.
    func encode(to encoder: inout BodyEncoder) throws(DBusError)
    /// The alignment of this type on the wire.
    static var dbusAlignment: Int { get }

    /// Encodes an array of this type. Only bytes need their own implementation.
    static func dbusArray(_ elements: [Self]) -> Value
    /// Decodes an array of this type.
    static func elements(ofDBusArray value: Value) throws(DBusError) -> [Self]
}

extension DBusValue {
    /// Writes ``dbusValue``.
    public func encode(to encoder: inout BodyEncoder) throws(DBusError) { try encoder.append(dbusValue) }

    /// The alignment of ``dbusSignature``.
    public static var dbusAlignment: Int { dbusSignature.alignment }

    /// An array of `dbusSignature`.
    public static func dbusArray(_ elements: [Self]) -> Value {
        // A key path would be created again at each call.
        .array(of: dbusSignature, elements.map { $0.dbusValue })
    }

    /// The elements of an array of `dbusSignature`.
    public static func elements(ofDBusArray value: Value) throws(DBusError) -> [Self] {
        guard case .array(let element, let values) = value, element == dbusSignature else {
            throw .mismatch(value, [Self].self)
        }
        var elements: [Self] = []
        elements.reserveCapacity(values.count)
        for value in values { elements.append(try Self(dbus: value)) }
        return elements
    }
}

/// A type that is represented by another one: an identifier by a string, a record by a ``Structure``.
///
/// ```swift
/// struct Store: DBusConvertible {
///     var id: String, label: String, count: UInt32
///     init(dbus fields: Structure<String, String, UInt32>) { (id, label, count) = fields.elements }
///     var dbusRepresentation: Structure<String, String, UInt32> { Structure(id, label, count) }
/// }
/// ```
public protocol DBusConvertible: DBusValue {
    /// The type on the wire.
    associatedtype DBusRepresentation: DBusValue
    /// The value.
    /// - Throws: `InvalidArgs` if the representation is not valid.
    init(dbus representation: DBusRepresentation) throws(DBusError)
    /// The value on the wire.
    var dbusRepresentation: DBusRepresentation { get }
}

extension DBusConvertible {
    /// The representation's type.
    public static var dbusSignature: Signature { DBusRepresentation.dbusSignature }

    /// Reads the representation, then the value.
    public init(dbus value: Value) throws(DBusError) { try self.init(dbus: try DBusRepresentation(dbus: value)) }

    /// The representation's value.
    public var dbusValue: Value { dbusRepresentation.dbusValue }

    /// Writes the representation.
    public func encode(to encoder: inout BodyEncoder) throws(DBusError) { try dbusRepresentation.encode(to: &encoder) }

    /// The representation's alignment.
    public static var dbusAlignment: Int { DBusRepresentation.dbusAlignment }
}

extension DBusError {
    static func mismatch(_ value: Value, _ wanted: (some DBusValue).Type) -> DBusError {
        DBusError(.invalidArgs, "Expected a value of type “\(wanted.dbusSignature)”, got “\(value.signature)”.")
    }
}

extension Bool: DBusValue {
    /// `b`
    public static var dbusSignature: Signature { Signature(trusted: "b") }
    /// Reads a `b`.
    public init(dbus value: Value) throws(DBusError) {
        guard case .bool(let own) = value else { throw .mismatch(value, Self.self) }
        self = own
    }
    /// As `b`.
    public var dbusValue: Value { .bool(self) }
}

extension UInt8: DBusValue {
    /// `y`
    public static var dbusSignature: Signature { Signature(trusted: "y") }
    /// Reads a `y`.
    public init(dbus value: Value) throws(DBusError) {
        guard case .byte(let own) = value else { throw .mismatch(value, Self.self) }
        self = own
    }
    /// As `y`.
    public var dbusValue: Value { .byte(self) }
    /// As `ay`.
    public static func dbusArray(_ elements: [UInt8]) -> Value { .bytes(elements) }
    /// Reads an `ay`.
    public static func elements(ofDBusArray value: Value) throws(DBusError) -> [UInt8] {
        guard case .bytes(let bytes) = value else { throw .mismatch(value, [UInt8].self) }
        return bytes
    }
}

extension Int16: DBusValue {
    /// `n`
    public static var dbusSignature: Signature { Signature(trusted: "n") }
    /// Reads an `n`.
    public init(dbus value: Value) throws(DBusError) {
        guard case .int16(let own) = value else { throw .mismatch(value, Self.self) }
        self = own
    }
    /// As `n`.
    public var dbusValue: Value { .int16(self) }
}

extension UInt16: DBusValue {
    /// `q`
    public static var dbusSignature: Signature { Signature(trusted: "q") }
    /// Reads a `q`.
    public init(dbus value: Value) throws(DBusError) {
        guard case .uint16(let own) = value else { throw .mismatch(value, Self.self) }
        self = own
    }
    /// As `q`.
    public var dbusValue: Value { .uint16(self) }
}

extension Int32: DBusValue {
    /// `i`
    public static var dbusSignature: Signature { Signature(trusted: "i") }
    /// Reads an `i`.
    public init(dbus value: Value) throws(DBusError) {
        guard case .int32(let own) = value else { throw .mismatch(value, Self.self) }
        self = own
    }
    /// As `i`.
    public var dbusValue: Value { .int32(self) }
}

extension UInt32: DBusValue {
    /// `u`
    public static var dbusSignature: Signature { Signature(trusted: "u") }
    /// Reads a `u`.
    public init(dbus value: Value) throws(DBusError) {
        guard case .uint32(let own) = value else { throw .mismatch(value, Self.self) }
        self = own
    }
    /// As `u`.
    public var dbusValue: Value { .uint32(self) }
}

extension Int64: DBusValue {
    /// `x`
    public static var dbusSignature: Signature { Signature(trusted: "x") }
    /// Reads an `x`.
    public init(dbus value: Value) throws(DBusError) {
        guard case .int64(let own) = value else { throw .mismatch(value, Self.self) }
        self = own
    }
    /// As `x`.
    public var dbusValue: Value { .int64(self) }
}

extension UInt64: DBusValue {
    /// `t`
    public static var dbusSignature: Signature { Signature(trusted: "t") }
    /// Reads a `t`.
    public init(dbus value: Value) throws(DBusError) {
        guard case .uint64(let own) = value else { throw .mismatch(value, Self.self) }
        self = own
    }
    /// As `t`.
    public var dbusValue: Value { .uint64(self) }
}

extension Double: DBusValue {
    /// `d`
    public static var dbusSignature: Signature { Signature(trusted: "d") }
    /// Reads a `d`.
    public init(dbus value: Value) throws(DBusError) {
        guard case .double(let own) = value else { throw .mismatch(value, Self.self) }
        self = own
    }
    /// As `d`.
    public var dbusValue: Value { .double(self) }
}

extension String: DBusValue {
    /// `s`
    public static var dbusSignature: Signature { Signature(trusted: "s") }
    /// Reads a `s`.
    public init(dbus value: Value) throws(DBusError) {
        guard case .string(let own) = value else { throw .mismatch(value, Self.self) }
        self = own
    }
    /// As `s`.
    public var dbusValue: Value { .string(self) }
}

extension Signature: DBusValue {
    /// `g`
    public static var dbusSignature: Signature { Signature(trusted: "g") }
    /// Reads a `g`.
    public init(dbus value: Value) throws(DBusError) {
        guard case .signature(let own) = value else { throw .mismatch(value, Self.self) }
        self = own
    }
    /// As `g`.
    public var dbusValue: Value { .signature(self) }
}

extension Name: DBusValue where Grammar == ObjectPathGrammar {
    /// `o`
    public static var dbusSignature: Signature { Signature(trusted: "o") }
    /// Reads an `o`.
    public init(dbus value: Value) throws(DBusError) {
        guard case .objectPath(let own) = value else { throw .mismatch(value, Self.self) }
        self = own
    }
    /// As `o`.
    public var dbusValue: Value { .objectPath(self) }
}
