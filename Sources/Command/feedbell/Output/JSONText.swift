import Basics
import DBus
import VisibleText

/// A JSON value as text on one line. Control characters and invisible characters are escaped, keys are sorted.
struct JSONText: Hashable, Sendable {
    let text: String
    /// The text of a string, as it is; nil: another value.
    let plain: String?

    private init(text: String, plain: String? = nil) { (self.text, self.plain) = (text, plain) }

    static let null = JSONText(text: "null")

    static func bool(_ value: Bool) -> JSONText { JSONText(text: "\(value)") }

    static func number(_ value: some BinaryInteger) -> JSONText { JSONText(text: "\(value)") }

    static func string(_ text: String) -> JSONText { JSONText(text: quoted(text), plain: text) }

    static func array(_ elements: [JSONText]) -> JSONText {
        JSONText(text: "[" + elements.map(\.text).joined(separator: ",") + "]")
    }

    static func object(_ members: [String: JSONText]) -> JSONText {
        let sorted = members.sorted { $0.key < $1.key }
        return JSONText(text: "{" + sorted.map { "\(quoted($0.key)):\($0.value.text)" }.joined(separator: ",") + "}")
    }

    /// Characters that are not displayed are escaped, also marks of the direction.
    private static func quoted(_ string: String) -> String {
        var filter = VisibleText.Filter()
        return string.quoted { !filter.shows($0) || $0.isDirectionalMark }
    }
}

extension JSONText {
    /// A D-Bus value. A key of a dictionary that is no string is written as JSON in a string.
    init(_ value: Value) {
        switch value {
        case .byte(let value): self = .number(value)
        case .bool(let value): self = .bool(value)
        case .int16(let value): self = .number(value)
        case .uint16(let value): self = .number(value)
        case .int32(let value): self = .number(value)
        case .uint32(let value): self = .number(value)
        case .int64(let value): self = .number(value)
        case .uint64(let value): self = .number(value)
        case .double(let value): self = value.isFinite ? JSONText(text: "\(value)") : .null
        case .string(let text): self = .string(text)
        case .objectPath(let path): self = .string(path.text)
        case .signature(let signature): self = .string(signature.text)
        case .descriptor: self = .null
        case .bytes(let bytes): self = .array(bytes.map(JSONText.number))
        case .array(_, let values), .structure(let values): self = .array(values.map(JSONText.init))
        case .dictionary(_, _, let entries):
            self = .object(
                Dictionary(entries.map { (Self.keyText($0.key), JSONText($0.value)) }) { $1 }
            )
        case .variant(let value): self = JSONText(value)
        }
    }

    private static func keyText(_ key: Value) -> String {
        if case .string(let text) = key { text } else { JSONText(key).text }
    }

    /// A dictionary of the agent's interface.
    init(_ entries: [String: Value]) { self = .object(entries.mapValues(JSONText.init)) }
}
