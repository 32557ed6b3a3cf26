extension String {
    /// This text in quotation marks, as a string of JSON (RFC 8259 §7) and as a basic string of TOML 1.0.
    ///
    /// - Parameter isEscaped: Which characters are escaped besides the quotation mark and the backslash. It must be
    ///   true for all control characters that the format forbids.
    package func quoted(escaping isEscaped: (Unicode.Scalar) -> Bool) -> String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case _ where !isEscaped(scalar): text.unicodeScalars.append(scalar)
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default: text += scalar.unicodeEscape
            }
        }
        return text + "\""
    }
}

extension Unicode.Scalar {
    /// This character as `\uXXXX`, or as a pair of surrogates.
    package var unicodeEscape: String {
        (UTF16.encode(self) ?? .init()).map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
