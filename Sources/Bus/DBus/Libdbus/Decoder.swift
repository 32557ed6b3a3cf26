import CDBus
import Glibc

/// Decodes the values of a received message, up to a limit of their size in memory. libdbus has validated the message.
struct Decoder {
    /// The limit for the arguments of a call, which any client on the bus sends, in bytes.
    static let callLimit = 4 << 20
    /// The limit for replies and signals, in bytes.
    static let otherLimit = 128 << 20
    /// The size that a value counts in addition to its text.
    private static let sizeOfValue = 64

    /// The maximum number of descriptors that libdbus accepts in a message. Several values may refer to the same one,
    /// and libdbus duplicates it at each read, so the reads are limited as well.
    private static let maximumDescriptors = 16

    private var descriptors = 0
    private let limit: Int
    /// The approximate size of what was decoded, in bytes.
    private(set) var size = 0

    /// - Parameter limit: The maximum size in bytes.
    init(limit: Int) { self.limit = limit }

    /// - Throws: `LimitsExceeded`.
    mutating func body(of message: borrowing RawMessage) throws(DBusError) -> [Value] {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(message.pointer, &iterator) != 0 else { return [] }
        return try all(&iterator)
    }

    private mutating func count(_ bytes: Int) throws(DBusError) {
        size += bytes
        guard size <= limit else {
            throw DBusError(.limitsExceeded, "The arguments are larger than \(limit >> 20) MiB in memory.")
        }
    }

    private mutating func all(_ iterator: inout DBusMessageIter) throws(DBusError) -> [Value] {
        var values: [Value] = []
        while dbus_message_iter_get_arg_type(&iterator) != 0 {
            values.append(try value(&iterator))
            dbus_message_iter_next(&iterator)
        }
        return values
    }

    private mutating func value(_ iterator: inout DBusMessageIter) throws(DBusError) -> Value {
        let code = Unicode.Scalar(UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator)))
        try count(Self.sizeOfValue)
        switch code {
        case "y": return .byte(Self.basic(&iterator, 0))
        case "b": return .bool(Self.basic(&iterator, dbus_bool_t(0)) != 0)
        case "n": return .int16(Self.basic(&iterator, 0))
        case "q": return .uint16(Self.basic(&iterator, 0))
        case "i": return .int32(Self.basic(&iterator, 0))
        case "u": return .uint32(Self.basic(&iterator, 0))
        case "x": return .int64(Self.basic(&iterator, 0))
        case "t": return .uint64(Self.basic(&iterator, 0))
        case "d": return .double(Self.basic(&iterator, 0))
        case "s": return .string(try string(&iterator))
        case "o": return .objectPath(ObjectPath(trusted: try string(&iterator)))
        case "g": return .signature(Signature(trusted: try string(&iterator)))
        case "h": return try .descriptor(descriptor(&iterator))
        case "a": return try array(&iterator)
        case "r", "e":
            var inner = Self.inside(&iterator)
            return .structure(try all(&inner))
        case "v":
            var inner = Self.inside(&iterator)
            return .variant(try value(&inner))
        default:
            throw DBusError(.notSupported, "Values of type “\(code)” are not supported.")
        }
    }

    private mutating func array(_ iterator: inout DBusMessageIter) throws(DBusError) -> Value {
        let code = UInt8(truncatingIfNeeded: dbus_message_iter_get_element_type(&iterator))
        var inner = Self.inside(&iterator)
        switch Unicode.Scalar(code) {
        case "y": return .bytes(try bytes(&inner))
        case "e": return try dictionary(Self.elementSignature(&iterator), &inner)
        case let scalar where Signature.isBasic(code):
            return .array(of: Signature(trusted: String(Character(scalar))), try all(&inner))
        default:
            return .array(of: Signature(trusted: Self.elementSignature(&iterator)), try all(&inner))
        }
    }

    private mutating func dictionary(_ entry: String, _ inner: inout DBusMessageIter) throws(DBusError) -> Value {
        // {kv}: the key's type is one character.
        let types = entry.dropFirst().dropLast()
        var entries: [Value: Value] = [:]
        while dbus_message_iter_get_arg_type(&inner) != 0 {
            var pair = Self.inside(&inner)
            let key = try value(&pair)
            dbus_message_iter_next(&pair)
            entries[key] = try value(&pair)
            dbus_message_iter_next(&inner)
        }
        return .dictionary(
            key: Signature(trusted: String(types.prefix(1))),
            value: Signature(trusted: String(types.dropFirst())),
            entries
        )
    }

    private mutating func descriptor(_ iterator: inout DBusMessageIter) throws(DBusError) -> UnixDescriptor {
        descriptors += 1
        guard descriptors <= Self.maximumDescriptors else {
            throw DBusError(.limitsExceeded, "The message has more than \(Self.maximumDescriptors) file descriptors.")
        }
        let number = Self.basic(&iterator, Int32(-1))
        guard number >= 0 else {
            throw DBusError(.limitsExceeded, "Cannot duplicate a file descriptor of the message.")
        }
        return UnixDescriptor(owning: number)
    }

    private mutating func bytes(_ inner: inout DBusMessageIter) throws(DBusError) -> [UInt8] {
        var start: UnsafePointer<UInt8>?
        var length: Int32 = 0
        dbus_message_iter_get_fixed_array(&inner, &start, &length)
        try count(Int(length))
        return Array(UnsafeBufferPointer(start: start, count: Int(length)))
    }

    /// The signature of the array the iterator is at, without its “a”.
    private static func elementSignature(_ iterator: inout DBusMessageIter) -> String {
        guard let text = dbus_message_iter_get_signature(&iterator) else { return "" }
        defer { dbus_free(text) }
        return String(String(cString: text).dropFirst())
    }

    private static func inside(_ iterator: inout DBusMessageIter) -> DBusMessageIter {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        return inner
    }

    private static func basic<T: BitwiseCopyable>(_ iterator: inout DBusMessageIter, _ initial: T) -> T {
        var value = initial
        dbus_message_iter_get_basic(&iterator, &value)
        return value
    }

    private mutating func string(_ iterator: inout DBusMessageIter) throws(DBusError) -> String {
        var text: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &text)
        guard let text else { return "" }
        try count(strlen(text))
        return String(cString: text)
    }
}
