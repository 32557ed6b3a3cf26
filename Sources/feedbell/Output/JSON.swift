import DBus
import VisibleText

extension Value {
    /// The value as JSON on one line, keys sorted.
    var json: String {
        switch self {
        case .byte(let value): "\(value)"
        case .bool(let value): "\(value)"
        case .int16(let value): "\(value)"
        case .uint16(let value): "\(value)"
        case .int32(let value): "\(value)"
        case .uint32(let value): "\(value)"
        case .int64(let value): "\(value)"
        case .uint64(let value): "\(value)"
        case .double(let value): value.isFinite ? "\(value)" : "null"
        case .string(let text): text.quotedJSON
        case .objectPath(let path): path.text.quotedJSON
        case .signature(let signature): signature.text.quotedJSON
        case .descriptor: "null"
        case .bytes(let bytes): "[\(bytes.map { "\($0)" }.joined(separator: ","))]"
        case .array(_, let values), .structure(let values): "[\(values.map(\.json).joined(separator: ","))]"
        case .dictionary(_, _, let members):
            "{"
                + members.map { ($0.keyText, $1.json) }.sorted { $0.0 < $1.0 }
                .map { "\($0.0.quotedJSON):\($0.1)" }.joined(separator: ",") + "}"
        case .variant(let value): value.json
        }
    }

    private var keyText: String {
        if case .string(let text) = self { text } else { json }
    }
}

extension [String: Value] {
    /// The dictionary as JSON on one line, keys sorted.
    var json: String { Value(self).json }
}

extension String {
    /// The text as a JSON string. Control characters and invisible characters are escaped.
    fileprivate var quotedJSON: String {
        var text = "\""
        var filter = VisibleText.Filter()
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            default:
                if filter.shows(scalar) {
                    text.unicodeScalars.append(scalar)
                } else {
                    for unit in UTF16.encode(scalar) ?? .init() {
                        let digits = String(unit, radix: 16)
                        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                    }
                }
            }
        }
        return text + "\""
    }
}
