import Basics

extension Name where Grammar == ObjectPathGrammar {
    /// The root, `/`.
    public static let root: ObjectPath = "/"

    /// The path one level below, for any text. Bytes other than letters and digits, and a leading digit, become `_` and
    /// two hexadecimal digits; an empty text becomes `_`. This is the escaping of systemd (sd_bus_path_encode(3));
    /// ``lastElement`` reverses it.
    public func appending(_ element: String) -> ObjectPath {
        ObjectPath(trusted: (self == .root ? "/" : text + "/") + Self.escape(element))
    }

    /// The last element, unescaped: the argument of ``appending(_:)``. `nil` for the root and for an invalid escape
    /// sequence.
    public var lastElement: String? {
        guard self != .root, let slash = text.lastIndex(of: "/") else { return nil }
        return Self.unescape(text[text.index(after: slash)...])
    }

    /// The path one level above; `nil` for the root.
    public var parent: ObjectPath? {
        guard self != .root, let slash = text.lastIndex(of: "/") else { return nil }
        return slash == text.startIndex ? .root : ObjectPath(trusted: String(text[..<slash]))
    }

    /// Whether this path lies in the tree below `ancestor`. A path is not below itself.
    public func isBelow(_ ancestor: ObjectPath) -> Bool {
        if ancestor == .root { return self != .root }
        return text.utf8.count > ancestor.text.utf8.count && text.hasPrefix(ancestor.text)
            && text.utf8[text.utf8.index(text.startIndex, offsetBy: ancestor.text.utf8.count)] == UInt8(ascii: "/")
    }

    private static func escape(_ element: String) -> String {
        element.isEmpty
            ? "_"
            : element.hexEscaped("_") { byte, position in
                byte != UInt8(ascii: "_") && byte.isNameByte && !(position == 0 && byte.isDigit)
            }
    }

    private static func unescape(_ element: Substring) -> String? {
        element == "_" ? "" : element.hexUnescaped("_")
    }
}
