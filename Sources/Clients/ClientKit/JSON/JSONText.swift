import Basics

extension JSONValue {
    /// This value as compact JSON. Keys are sorted, so that equal values give equal text; only required escapes are
    /// used.
    public var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += value.isFinite ? value.description : "null"
        case .string(let value): text += value.jsonString
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { text += "," }
                text += member.key.jsonString
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }
}

extension String {
    /// Only the required escapes are used.
    fileprivate var jsonString: String { quoted { $0 < "\u{20}" } }
}
