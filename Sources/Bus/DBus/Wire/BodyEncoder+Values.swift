/// Values whose types are known only at run time: their parts may contradict each other.
extension BodyEncoder {
    /// Writes a value.
    mutating func append(_ value: Value) throws(DBusError) {
        switch value {
        case .byte(let byte): try integer(byte)
        case .bool(let bool): try integer(UInt32(bool ? 1 : 0))
        case .int16(let number): try integer(number)
        case .uint16(let number): try integer(number)
        case .int32(let number): try integer(number)
        case .uint32(let number): try integer(number)
        case .int64(let number): try integer(number)
        case .uint64(let number): try integer(number)
        case .double(let number): try integer(number.bitPattern)
        case .string(let text): try string(text)
        case .objectPath(let path): try string(path.text)
        case .signature(let signature): try self.signature(signature.text)
        case .descriptor(let descriptor): try self.descriptor(descriptor)
        case .bytes(let bytes):
            let array = try beginArray(alignment: 1)
            try raw(bytes, alignment: 1)
            try endArray(array)
        case .array(let element, let values): try self.array(of: element, values)
        case .dictionary(let key, let value, let entries): try dictionary(key, value, entries)
        case .structure(let fields):
            guard !fields.isEmpty else { throw DBusError(.invalidArgs, "A structure must have at least one field.") }
            try beginStructure()
            for field in fields { try append(field) }
            endStructure()
        case .variant(let content): try variant(content)
        }
    }

    /// Writes a value with its type.
    mutating func variant(_ content: Value) throws(DBusError) {
        if let code = content.basicCode {
            try integer(UInt8(1))
            try integer(code)
            try integer(UInt8(0))
        } else {
            let type = content.signature
            guard type.text.utf8.count <= 255, type.isSingleType else {
                throw DBusError(.limitsExceeded, "The type of a variant is too long or nested too deeply.")
            }
            try signature(type.text)
        }
        try beginVariant()
        try append(content)
        endVariant()
    }

    /// Writes an `a{sv}`.
    mutating func record(_ entries: [String: Value]) throws(DBusError) {
        let array = try beginArray(alignment: 8)
        for (name, value) in entries {
            try beginStructure()
            try string(name)
            try variant(value)
            endStructure()
        }
        try endArray(array)
    }

    private mutating func array(of element: Signature, _ values: [Value]) throws(DBusError) {
        guard element.isSingleType, element.text != "y" else {
            throw DBusError(
                .invalidArgs,
                "An array cannot have elements of type “\(element)”; use the value for bytes."
            )
        }
        let array = try beginArray(alignment: element.alignment)
        for value in values {
            guard value.conforms(to: element) else {
                throw DBusError(.invalidArgs, "An array of “\(element)” has an element of type “\(value.signature)”.")
            }
            try append(value)
        }
        try endArray(array)
    }

    private mutating func dictionary(_ key: Signature, _ value: Signature, _ entries: [Value: Value])
        throws(DBusError)
    {
        guard key.isBasicType, value.isSingleType else {
            throw DBusError(.invalidArgs, "A dictionary cannot be of “\(key)” and “\(value)”.")
        }
        let array = try beginArray(alignment: 8)
        for (entryKey, entryValue) in entries {
            guard entryKey.conforms(to: key), entryValue.conforms(to: value) else {
                let types = "\(entryKey.signature)\(entryValue.signature)"
                throw DBusError(.invalidArgs, "A dictionary of “\(key)\(value)” has an entry of types “\(types)”.")
            }
            try beginStructure()
            try append(entryKey)
            try append(entryValue)
            endStructure()
        }
        try endArray(array)
    }
}

extension Signature {
    /// The alignment of values of this type (D-Bus Specification, "Summary of D-Bus marshaling").
    var alignment: Int {
        switch text.utf8.first {
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "b"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "h"): 4
        case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "a"): 4
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("): 8
        default: 1
        }
    }
}
