import CDBus
import Glibc

import struct DBus.DBusError

@testable import DBus

/// Encodes messages by libdbus's own functions, to compare with ``BodyEncoder`` and ``WireMessage``.
struct LibdbusEncoder {
    static let maximumMessage = 128 << 20
    static let maximumArray = 64 << 20

    /// Bytes of the body so far, alignment included.
    private var size = 0
    private var arrays = 0
    private var structures = 0
    private var depth = 0

    static func append(_ values: [Value], to message: borrowing RawMessage) throws(DBusError) {
        if values.isEmpty { return }
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message.pointer, &iterator)
        var encoder = LibdbusEncoder()
        var signatureLength = 0
        for value in values {
            signatureLength += value.signature.text.utf8.count
            guard signatureLength <= 255 else {
                throw DBusError(.limitsExceeded, "The signature is longer than 255 bytes.")
            }
            try encoder.append(value, to: &iterator)
        }
    }

    private mutating func append(_ value: Value, to iterator: inout DBusMessageIter) throws(DBusError) {
        switch value {
        case .byte(var byte): try basic("y", &byte, 1, &iterator)
        case .bool(let bool):
            var number: dbus_bool_t = bool ? 1 : 0
            try basic("b", &number, 4, &iterator)
        case .int16(var number): try basic("n", &number, 2, &iterator)
        case .uint16(var number): try basic("q", &number, 2, &iterator)
        case .int32(var number): try basic("i", &number, 4, &iterator)
        case .uint32(var number): try basic("u", &number, 4, &iterator)
        case .int64(var number): try basic("x", &number, 8, &iterator)
        case .uint64(var number): try basic("t", &number, 8, &iterator)
        case .double(var number): try basic("d", &number, 8, &iterator)
        case .string(let text): try string("s", text, &iterator)
        case .objectPath(let path): try string("o", path.text, &iterator)
        case .signature(let signature): try string("g", signature.text, &iterator)
        case .descriptor(let descriptor):
            try descriptor.withNumber { (number) throws(DBusError) in
                var number = number
                try basic("h", &number, 4, &iterator)
            }
        case .bytes(let bytes): try append(bytes, to: &iterator)
        case .array(let element, let values): try array(of: element, values, &iterator)
        case .dictionary(let key, let value, let entries): try dictionary(key, value, entries, &iterator)
        case .structure(let fields):
            guard !fields.isEmpty else { throw DBusError(.invalidArgs, "A structure must have at least one field.") }
            try structure(Container.structure, fields, &iterator)
        case .variant(let content):
            let signature = content.signature
            guard signature.text.utf8.count <= 255, signature.isSingleType else {
                throw DBusError(.limitsExceeded, "The type of a variant is too long or nested too deeply.")
            }
            try grow(signature.text.utf8.count + 2, alignment: 1)
            try container(Container.variant, signature.text, &iterator) {
                (encoder: inout LibdbusEncoder, inner: inout DBusMessageIter) throws(DBusError) in
                try encoder.append(content, to: &inner)
            }
        }
    }

    private mutating func basic<T: BitwiseCopyable>(
        _ code: Unicode.Scalar,
        _ value: inout T,
        _ width: Int,
        _ iterator: inout DBusMessageIter
    ) throws(DBusError) {
        try grow(width, alignment: width)
        guard dbus_message_iter_append_basic(&iterator, Int32(code.value), &value) != 0 else { throw .noMemory }
    }

    /// Encodes text. A C string ends at its first NUL, so each NUL is replaced by U+FFFD.
    private mutating func string(_ code: Unicode.Scalar, _ text: String, _ iterator: inout DBusMessageIter)
        throws(DBusError)
    {
        var text = text
        // By strlen(3): a long text is searched many times faster than through its UTF-8 view.
        if text.withCString({ Int(strlen($0)) }) != text.utf8.count {
            text = String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
        }
        try grow(text.utf8.count + 5, alignment: code == "g" ? 1 : 4)
        let appended = text.withCString { pointer in
            var pointer = Optional(pointer)
            return dbus_message_iter_append_basic(&iterator, Int32(code.value), &pointer)
        }
        guard appended != 0 else { throw .noMemory }
    }

    private mutating func append(_ bytes: [UInt8], to iterator: inout DBusMessageIter) throws(DBusError) {
        guard bytes.count <= Self.maximumArray else { throw Self.arrayTooLarge }
        try grow(4 + bytes.count, alignment: 4)
        try container(Container.array, "y", &iterator) {
            (_: inout LibdbusEncoder, inner: inout DBusMessageIter) throws(DBusError) in
            let appended = bytes.withUnsafeBufferPointer { buffer in
                // An empty Swift array may have no base address; libdbus requires one even for no bytes.
                var nothing: UInt8 = 0
                return withUnsafePointer(to: &nothing) { fallback in
                    var start = Optional(buffer.baseAddress ?? fallback)
                    return dbus_message_iter_append_fixed_array(
                        &inner,
                        Int32(UInt8(ascii: "y")),
                        &start,
                        Int32(buffer.count)
                    )
                }
            }
            guard appended != 0 else { throw .noMemory }
        }
    }

    private mutating func array(of element: Signature, _ values: [Value], _ iterator: inout DBusMessageIter)
        throws(DBusError)
    {
        guard element.isSingleType, element.text != "y" else {
            throw DBusError(
                .invalidArgs,
                "An array cannot have elements of type “\(element)”; use the value for bytes."
            )
        }
        for value in values {
            guard value.conforms(to: element) else {
                throw DBusError(.invalidArgs, "An array of “\(element)” has an element of type “\(value.signature)”.")
            }
        }
        try container(Container.array, element.text, &iterator) {
            (encoder: inout LibdbusEncoder, inner: inout DBusMessageIter) throws(DBusError) in
            let start = try encoder.beginArray(of: element)
            for value in values { try encoder.append(value, to: &inner) }
            guard encoder.size - start <= Self.maximumArray else { throw Self.arrayTooLarge }
        }
    }

    private mutating func dictionary(
        _ key: Signature,
        _ value: Signature,
        _ entries: [Value: Value],
        _ iterator: inout DBusMessageIter
    ) throws(DBusError) {
        guard key.isBasicType, value.isSingleType else {
            throw DBusError(.invalidArgs, "A dictionary cannot be of “\(key)” and “\(value)”.")
        }
        for (entryKey, entryValue) in entries {
            guard entryKey.conforms(to: key), entryValue.conforms(to: value) else {
                let types = "\(entryKey.signature)\(entryValue.signature)"
                throw DBusError(.invalidArgs, "A dictionary of “\(key)\(value)” has an entry of types “\(types)”.")
            }
        }
        let entryType = "{\(key)\(value)}"
        try container(Container.array, entryType, &iterator) {
            (encoder: inout LibdbusEncoder, inner: inout DBusMessageIter) throws(DBusError) in
            let start = try encoder.beginArray(of: Signature(trusted: entryType))
            for (key, value) in entries { try encoder.structure(Container.dictionaryEntry, [key, value], &inner) }
            guard encoder.size - start <= Self.maximumArray else { throw Self.arrayTooLarge }
        }
    }

    /// Counts the length field and the padding before the first element. Returns the offset of the first element.
    private mutating func beginArray(of element: Signature) throws(DBusError) -> Int {
        try grow(4, alignment: 4)
        if let first = element.text.utf8.first, "xtd({".utf8.contains(first) { try grow(0, alignment: 8) }
        return size
    }

    private mutating func structure(_ kind: Container, _ fields: [Value], _ iterator: inout DBusMessageIter)
        throws(DBusError)
    {
        try grow(0, alignment: 8)
        try container(kind, nil, &iterator) {
            (encoder: inout LibdbusEncoder, inner: inout DBusMessageIter) throws(DBusError) in
            for field in fields { try encoder.append(field, to: &inner) }
        }
    }

    private mutating func container(
        _ kind: Container,
        _ signature: String?,
        _ iterator: inout DBusMessageIter,
        _ fill: (inout LibdbusEncoder, inout DBusMessageIter) throws(DBusError) -> Void
    ) throws(DBusError) {
        try enter(kind)
        var inner = DBusMessageIter()
        guard dbus_message_iter_open_container(&iterator, kind.rawValue, signature, &inner) != 0 else {
            throw .noMemory
        }
        do {
            try fill(&self, &inner)
        } catch {
            dbus_message_iter_abandon_container(&iterator, &inner)
            throw error
        }
        guard dbus_message_iter_close_container(&iterator, &inner) != 0 else { throw .noMemory }
        leave(kind)
    }

    private mutating func enter(_ kind: Container) throws(DBusError) {
        depth += 1
        if kind == .array { arrays += 1 }
        if kind == .structure || kind == .dictionaryEntry { structures += 1 }
        guard arrays <= 32, structures <= 32, depth <= 64 else {
            throw DBusError(.limitsExceeded, "The value is nested too deeply.")
        }
    }

    private mutating func leave(_ kind: Container) {
        depth -= 1
        if kind == .array { arrays -= 1 }
        if kind == .structure || kind == .dictionaryEntry { structures -= 1 }
    }

    private mutating func grow(_ count: Int, alignment: Int) throws(DBusError) {
        size = (size + alignment - 1) & ~(alignment - 1)
        size += count
        // The remaining mebibyte is reserved for the header.
        guard size <= Self.maximumMessage - 1 << 20 else {
            throw DBusError(.limitsExceeded, "The message is larger than 127 MiB.")
        }
    }

    private static var arrayTooLarge: DBusError { DBusError(.limitsExceeded, "An array is larger than 64 MiB.") }
}

/// The containers' type codes (the `DBUS_TYPE_…` character macros are not imported into Swift).
private enum Container: Int32 {
    case array = 0x61, structure = 0x72, dictionaryEntry = 0x65, variant = 0x76
}

extension RawMessage {
    /// The message with its arguments; with the error, if they cannot be decoded.
    func decoded() -> (message: Message, unreadable: DBusError?) {
        var message = header()
        do { try decode(into: &message) } catch { return (message, error) }
        message.size = 0
        return (message, nil)
    }

    /// A libdbus message, made by libdbus's own functions.
    /// - Throws: `InvalidArgs` for a body whose elements contradict its types, `LimitsExceeded` if it is too large or
    ///   nested too deeply.
    static func encodedByLibdbus(_ message: Message) throws(DBusError) -> RawMessage {
        guard let pointer = dbus_message_new(message.kind.code) else { throw .noMemory }
        let raw = RawMessage(owning: pointer)
        var complete = true
        if let path = message.path { complete = dbus_message_set_path(pointer, path.text) != 0 && complete }
        if let interface = message.interface {
            complete = dbus_message_set_interface(pointer, interface.text) != 0 && complete
        }
        if let member = message.member { complete = dbus_message_set_member(pointer, member.text) != 0 && complete }
        if let name = message.errorName { complete = dbus_message_set_error_name(pointer, name.text) != 0 && complete }
        if let name = message.destination {
            complete = dbus_message_set_destination(pointer, name.text) != 0 && complete
        }
        if let serial = message.replySerial {
            complete = dbus_message_set_reply_serial(pointer, serial) != 0 && complete
        }
        guard complete else { throw .noMemory }
        if message.noReplyExpected || message.kind != .methodCall { dbus_message_set_no_reply(pointer, 1) }
        if message.noAutoStart { dbus_message_set_auto_start(pointer, 0) }
        try LibdbusEncoder.append(message.body, to: raw)
        return raw
    }
}

extension Message.Kind {
    fileprivate var code: Int32 {
        switch self {
        case .methodCall: 1
        case .methodReturn: 2
        case .error: 3
        case .signal: 4
        }
    }
}

extension DBusError {
    fileprivate static var noMemory: DBusError { DBusError(.noMemory, "Not enough memory for the message.") }
}
