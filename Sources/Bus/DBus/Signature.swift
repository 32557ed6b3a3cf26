/// A validated D-Bus signature, for example `a{sv}u`: zero or more complete types.
public struct Signature: Sendable, Hashable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text as it is on the wire.
    public let text: String

    init(trusted text: String) { self.text = text }

    /// Validates `text` (D-Bus Specification, "Valid Signatures").
    /// - Throws: `InvalidSignature` with the text.
    public init(_ text: String) throws(DBusError) {
        guard Self.isValid(text.utf8) else {
            throw DBusError(.invalidSignature, "“\(text.prefix(300))” is not a valid signature.")
        }
        self.text = text
    }

    /// A signature in source code. Traps if it is invalid.
    public init(stringLiteral text: String) {
        precondition(Self.isValid(text.utf8), "“\(text)” is not a valid signature")
        self.text = text
    }

    /// The text as it is on the wire.
    public var description: String { text }

    /// Compares byte by byte.
    public static func < (left: Signature, right: Signature) -> Bool { left.text < right.text }

    /// The complete types in order: `as`, `u` for `asu`.
    public var types: [Signature] {
        var types: [Signature] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let start = rest
            guard Self.skipType(&rest, arrays: 0, structures: 0) else { return types }
            types.append(Signature(trusted: String(decoding: start[..<rest.startIndex], as: UTF8.self)))
        }
        return types
    }

    /// Whether this is exactly one complete type.
    public var isSingleType: Bool {
        if isBasicType { return true }
        var rest = Array(text.utf8)[...]
        return Self.skipType(&rest, arrays: 0, structures: 0) && rest.isEmpty
    }

    /// Whether this follows the grammar and its limits; a type that was put together may not.
    var isValid: Bool { Self.isValid(text.utf8) }

    private static func isValid(_ text: String.UTF8View) -> Bool {
        guard text.count <= 255 else { return false }
        var rest = Array(text)[...]
        while !rest.isEmpty {
            guard skipType(&rest, arrays: 0, structures: 0) else { return false }
        }
        return true
    }

    /// Removes one complete type from the front. Arrays and structures may each be nested 32 deep.
    private static func skipType(_ rest: inout ArraySlice<UInt8>, arrays: Int, structures: Int) -> Bool {
        guard let code = rest.popFirst() else { return false }
        switch code {
        case UInt8(ascii: "v"): return true
        case UInt8(ascii: "a"):
            guard arrays < 32 else { return false }
            if rest.first == UInt8(ascii: "{") {
                rest.removeFirst()
                guard structures < 32, let key = rest.popFirst(), isBasic(key) else { return false }
                guard skipType(&rest, arrays: arrays + 1, structures: structures + 1) else { return false }
                return rest.popFirst() == UInt8(ascii: "}")
            }
            return skipType(&rest, arrays: arrays + 1, structures: structures)
        case UInt8(ascii: "("):
            guard structures < 32 else { return false }
            repeat {
                guard skipType(&rest, arrays: arrays, structures: structures + 1) else { return false }
            } while !rest.isEmpty && rest.first != UInt8(ascii: ")")
            return rest.popFirst() == UInt8(ascii: ")")
        default: return isBasic(code)
        }
    }

    static func isBasic(_ code: UInt8) -> Bool {
        switch Unicode.Scalar(code) {
        case "y", "b", "n", "q", "i", "u", "x", "t", "d", "s", "o", "g", "h": true
        default: false
        }
    }

    /// Whether this is one basic type, which may be the key of a dictionary.
    var isBasicType: Bool { text.utf8.count == 1 && Self.isBasic(text.utf8.first!) }
}
