extension String {
    /// This text as the content of an XML element: `&`, `<` and `>` are escaped.
    package var escapedForXML: String { escapedForXML(quotationMarks: false) }

    /// This text as the value of an XML attribute: quotation marks are escaped, too.
    package var escapedForXMLAttribute: String { escapedForXML(quotationMarks: true) }

    private func escapedForXML(quotationMarks: Bool) -> String {
        // As most texts are.
        if utf8.allSatisfy({ $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }),
            !quotationMarks
        {
            return self
        }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(utf8.count + 16)
        for byte in utf8 {
            switch Unicode.Scalar(byte) {
            case "&": escaped += "&amp;".utf8
            case "<": escaped += "&lt;".utf8
            case ">": escaped += "&gt;".utf8
            case "\"" where quotationMarks: escaped += "&quot;".utf8
            case "'" where quotationMarks: escaped += "&#39;".utf8
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
