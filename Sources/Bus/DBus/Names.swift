/// The grammar of one kind of name in the D-Bus specification.
public protocol NameGrammar: Sendable {
    /// The kind of name, for messages: "interface name".
    static var noun: String { get }
    /// Whether `text` follows the grammar.
    static func accepts(_ text: String.UTF8View) -> Bool
}

/// Text that was validated against a D-Bus grammar.
///
/// The check is here because the bus closes a connection that sends a malformed name. An invalid literal is a
/// programming error and traps; ``init(_:)`` validates other text and throws.
public struct Name<Grammar: NameGrammar>: Sendable, Hashable, Comparable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// The text as it is on the wire.
    public let text: String

    init(trusted text: String) { self.text = text }

    /// Validates `text`.
    /// - Throws: `InvalidArgs` with the text.
    public init(_ text: String) throws(DBusError) {
        guard Grammar.accepts(text.utf8) else {
            throw DBusError(.invalidArgs, "“\(text.prefix(300))” is not a valid \(Grammar.noun).")
        }
        self.text = text
    }

    /// A name in source code. Traps if it is invalid.
    public init(stringLiteral text: String) {
        precondition(Grammar.accepts(text.utf8), "“\(text)” is not a valid \(Grammar.noun)")
        self.text = text
    }

    /// The text as it is on the wire.
    public var description: String { text }

    /// Compares byte by byte.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// `/org/example/Thing`
public typealias ObjectPath = Name<ObjectPathGrammar>
/// `org.example.Thing1`
public typealias InterfaceName = Name<InterfaceGrammar>
/// `DoThis`: a method, a signal or a property.
public typealias MemberName = Name<MemberGrammar>
/// `org.example.Thing` (well-known) or `:1.42` (unique).
public typealias BusName = Name<BusNameGrammar>
/// `org.example.Error.Broken`
public typealias ErrorName = Name<ErrorGrammar>

/// Slash, or slash-separated elements of letters, digits and underscores.
public enum ObjectPathGrammar: NameGrammar {
    /// "object path"
    public static let noun = "object path"

    /// D-Bus Specification, "Valid Object Paths".
    public static func accepts(_ text: String.UTF8View) -> Bool {
        guard text.first == UInt8(ascii: "/") else { return false }
        if text.count == 1 { return true }
        var elementIsEmpty = true
        for byte in text.dropFirst() {
            if byte == UInt8(ascii: "/") {
                if elementIsEmpty { return false }
                elementIsEmpty = true
            } else {
                guard byte.isNameByte else { return false }
                elementIsEmpty = false
            }
        }
        return !elementIsEmpty
    }
}

/// Two or more dotted elements, none beginning with a digit, at most 255 bytes.
public enum InterfaceGrammar: NameGrammar {
    /// "interface name"
    public static let noun = "interface name"

    /// D-Bus Specification, "Interface names".
    public static func accepts(_ text: String.UTF8View) -> Bool { isDotted(text, leadingDigits: false, hyphens: false) }
}

/// The same grammar as for interfaces.
public enum ErrorGrammar: NameGrammar {
    /// "error name"
    public static let noun = "error name"

    /// D-Bus Specification, "Error names".
    public static func accepts(_ text: String.UTF8View) -> Bool { isDotted(text, leadingDigits: false, hyphens: false) }
}

/// One element, not beginning with a digit, at most 255 bytes.
public enum MemberGrammar: NameGrammar {
    /// "member name"
    public static let noun = "member name"

    /// D-Bus Specification, "Member names".
    public static func accepts(_ text: String.UTF8View) -> Bool {
        guard let first = text.first, text.count <= 255, !first.isDigit else { return false }
        return text.allSatisfy(\.isNameByte)
    }
}

/// As for interfaces, with hyphens; a unique name begins with a colon and its elements may begin with digits.
public enum BusNameGrammar: NameGrammar {
    /// "bus name"
    public static let noun = "bus name"

    /// D-Bus Specification, "Bus names".
    public static func accepts(_ text: String.UTF8View) -> Bool {
        if text.first == UInt8(ascii: ":") {
            return text.count <= 255 && isDotted(text.dropFirst(), leadingDigits: true, hyphens: true)
        }
        return isDotted(text, leadingDigits: false, hyphens: true)
    }
}

private func isDotted(_ text: some Collection<UInt8>, leadingDigits: Bool, hyphens: Bool) -> Bool {
    guard text.count <= 255 else { return false }
    var elements = 1
    var elementIsEmpty = true
    for byte in text {
        if byte == UInt8(ascii: ".") {
            if elementIsEmpty { return false }
            elements += 1
            elementIsEmpty = true
        } else {
            guard byte.isNameByte || hyphens && byte == UInt8(ascii: "-") else { return false }
            if elementIsEmpty && byte.isDigit && !leadingDigits { return false }
            elementIsEmpty = false
        }
    }
    return elements >= 2 && !elementIsEmpty
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    var isNameByte: Bool {
        isDigit || self == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}

extension Name where Grammar == BusNameGrammar {
    /// Whether this is a unique name (`:1.42`): it identifies one connection and is never reused.
    public var isUnique: Bool { text.utf8.first == UInt8(ascii: ":") }

    /// The bus itself.
    public static let bus: BusName = "org.freedesktop.DBus"
}
