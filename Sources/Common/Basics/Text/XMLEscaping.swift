extension String {
    /// This text as the content of an XML element: `&`, `<` and `>` are escaped.
    package var escapedForXML: String { escapedForXML(quotationMarks: false) }

    /// This text as the value of an XML attribute: quotation marks are escaped, too.
    package var escapedForXMLAttribute: String { escapedForXML(quotationMarks: true) }

    private func escapedForXML(quotationMarks: Bool) -> String {
        func entity(of byte: UInt8) -> StaticString? {
            switch Unicode.Scalar(byte) {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"" where quotationMarks: "&quot;"
            case "'" where quotationMarks: "&#39;"
            default: nil
            }
        }
        // As most texts are.
        if utf8.allSatisfy({ entity(of: $0) == nil }) { return self }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(utf8.count + 16)
        for byte in utf8 {
            if let entity = entity(of: byte) {
                entity.withUTF8Buffer { escaped.append(contentsOf: $0) }
            } else {
                escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
