extension String {
    /// This text as the content of an XML element: `&`, `<` and `>` are escaped.
    package var escapedForXML: String { escapedForXML(quotationMarks: false) }

    /// This text as the value of an XML attribute: quotation marks are escaped, too.
    package var escapedForXMLAttribute: String { escapedForXML(quotationMarks: true) }

    private func escapedForXML(quotationMarks: Bool) -> String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"" where quotationMarks: escaped += "&quot;"
            case "'" where quotationMarks: escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
