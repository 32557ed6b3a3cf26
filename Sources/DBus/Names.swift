/// The grammar of one kind of name in the D-Bus specification.
public protocol NameGrammar: Sendable {
    /// What the name is called in a sentence: "interface name".
    static var noun: String { get }
    /// Whether `text` follows the grammar.
    static func accepts(_ text: String.UTF8View) -> Bool
}

/// Text that was checked against a D-Bus grammar, so that whoever holds one need not check again.
///
/// The check is here and not in libdbus because libdbus *ends the process* when it meets a malformed name.
/// A literal that does not fit traps: it is a mistake in the program. Other text goes through ``init(_:)``, which throws.
public struct Name<Grammar: NameGrammar>: Sendable, Hashable, Comparable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// The text as it is on the wire.
    public let text: String

    init(trusted text: String) { self.text = text }

    /// `text` if it fits.
    /// - Throws: `InvalidArgs`, naming the text.
    public init(_ text: String) throws(DBusError) {
        guard Grammar.accepts(text.utf8) else {
            throw DBusError(.invalidArgs, "“\(text.prefix(300))” is not a valid \(Grammar.noun).")
        }
        self.text = text
    }

    /// A name in the program's own source. Traps when it does not fit.
    public init(stringLiteral text: String) {
        precondition(Grammar.accepts(text.utf8), "“\(text)” is not a valid \(Grammar.noun)")
        self.text = text
    }

    /// The text as it is on the wire.
    public var description: String { text }

    /// Orders by bytes.
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

/// The same as for interfaces.
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
    /// Whether the bus gave this name out (`:1.42`), so that it belongs to one connection for ever.
    public var isUnique: Bool { text.utf8.first == UInt8(ascii: ":") }

    /// The bus itself.
    public static let bus: BusName = "org.freedesktop.DBus"
}
