/// Any D-Bus value, as a tree.
///
/// Containers keep the types of their elements, so an empty one has a type, too.
public enum Value: Sendable, Hashable {
    /// `y`
    case byte(UInt8)
    /// `b`
    case bool(Bool)
    /// `n`
    case int16(Int16)
    /// `q`
    case uint16(UInt16)
    /// `i`
    case int32(Int32)
    /// `u`
    case uint32(UInt32)
    /// `x`
    case int64(Int64)
    /// `t`
    case uint64(UInt64)
    /// `d`
    case double(Double)
    /// `s`. D-Bus strings cannot contain U+0000; it is replaced by U+FFFD when the message is sent.
    case string(String)
    /// `o`
    case objectPath(ObjectPath)
    /// `g`
    case signature(Signature)
    /// `h`. A message with more than 16 of them cannot be decoded.
    case descriptor(UnixDescriptor)
    /// `ay`. An array of bytes has only this form.
    case bytes([UInt8])
    /// `a` and the complete type of the elements.
    case array(of: Signature, [Value])
    /// `a{kv}`. Unordered; of equal keys on the wire the last one counts.
    indirect case dictionary(key: Signature, value: Signature, [Value: Value])
    /// `(…)`, with at least one field.
    case structure([Value])
    /// `v`
    indirect case variant(Value)

    /// A typed value as a tree. A ``Value`` becomes a variant.
    public init(_ value: some DBusValue) { self = value.dbusValue }

    /// The type: one complete type.
    public var signature: Signature {
        switch self {
        case .byte: Signature(trusted: "y")
        case .bool: Signature(trusted: "b")
        case .int16: Signature(trusted: "n")
        case .uint16: Signature(trusted: "q")
        case .int32: Signature(trusted: "i")
        case .uint32: Signature(trusted: "u")
        case .int64: Signature(trusted: "x")
        case .uint64: Signature(trusted: "t")
        case .double: Signature(trusted: "d")
        case .string: Signature(trusted: "s")
        case .objectPath: Signature(trusted: "o")
        case .signature: Signature(trusted: "g")
        case .descriptor: Signature(trusted: "h")
        case .bytes: Signature(trusted: "ay")
        case .array(let element, _): Signature(trusted: "a" + element.text)
        case .dictionary(let key, let value, _): Signature(trusted: "a{" + key.text + value.text + "}")
        case .structure(let fields): Signature(trusted: "(" + fields.map(\.signature.text).joined() + ")")
        case .variant: Signature(trusted: "v")
        }
    }

    /// The type's code for a basic type, nil for a container.
    var basicCode: UInt8? {
        switch self {
        case .byte: UInt8(ascii: "y")
        case .bool: UInt8(ascii: "b")
        case .int16: UInt8(ascii: "n")
        case .uint16: UInt8(ascii: "q")
        case .int32: UInt8(ascii: "i")
        case .uint32: UInt8(ascii: "u")
        case .int64: UInt8(ascii: "x")
        case .uint64: UInt8(ascii: "t")
        case .double: UInt8(ascii: "d")
        case .string: UInt8(ascii: "s")
        case .objectPath: UInt8(ascii: "o")
        case .signature: UInt8(ascii: "g")
        case .descriptor: UInt8(ascii: "h")
        case .bytes, .array, .dictionary, .structure, .variant: nil
        }
    }

    /// Whether the value has exactly this type. Avoids building the signature of a large structure.
    func conforms(to signature: Signature) -> Bool {
        if let basicCode { return signature.text.utf8.count == 1 && signature.text.utf8.first == basicCode }
        var rest = signature.text.utf8[...]
        return takeType(off: &rest) && rest.isEmpty
    }

    private func takeType(off rest: inout Substring.UTF8View) -> Bool {
        switch self {
        case .array, .dictionary, .bytes:
            let own = signature.text.utf8
            guard rest.starts(with: own) else { return false }
            rest = rest.dropFirst(own.count)
            return true
        case .structure(let fields):
            guard rest.popFirst() == UInt8(ascii: "(") else { return false }
            for field in fields {
                guard field.takeType(off: &rest) else { return false }
            }
            return rest.popFirst() == UInt8(ascii: ")")
        case .variant: return rest.popFirst() == UInt8(ascii: "v")
        default: return rest.popFirst() == basicCode
        }
    }
}

extension Signature {
    /// The types of `values`, one after the other.
    public init(of values: [Value]) { self.init(trusted: values.map(\.signature.text).joined()) }
}
