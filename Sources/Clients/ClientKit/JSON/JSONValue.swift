/// A JSON value.
///
/// Integers stay exact: a number without fraction and exponent that fits is an ``integer``, every other number a
/// ``number``. Objects do not keep the order of their keys; of two equal keys the last one is used, as in JavaScript.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// Finite after parsing. A value that is not finite is written as `null`, as in JavaScript.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue {
    /// The text of a ``string``, otherwise nil.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The value of a ``bool``, otherwise nil.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The value of an ``integer``, or of a ``number`` that is a whole number and fits; otherwise nil.
    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The value of an ``integer`` or a ``number``, rounded to the nearest Double; otherwise nil.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The elements of an ``array``, otherwise nil.
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members of an ``object``, otherwise nil.
    public var object: [String: JSONValue]? {
        if case .object(let value) = self { value } else { nil }
    }

    /// A member of an ``object``; nil when it is absent or this is not an object.
    public subscript(key: String) -> JSONValue? {
        object?[key]
    }
}

/// ``null`` has no literal: `nil` means the absence of a value.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A ``bool``.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An ``integer``.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A ``number``.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A ``string``.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An ``array``.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An ``object``; of two equal keys the last one is used.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
