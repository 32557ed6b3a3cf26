import VisibleText

/// A message with placeholders: names in braces.
struct Template {
    let text: String

    init(_ text: String) { self.text = text }

    /// The text with the values in place of the placeholders.
    func filled(with values: [String: String]) -> String {
        if values.isEmpty { return text }
        let direction = TextDirection(of: text) ?? .leftToRight
        var filled = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{") {
            filled += rest[..<start]
            let name = rest[start...].dropFirst().prefix { $0 != "}" && $0 != "{" }
            if name.endIndex < rest.endIndex, rest[name.endIndex] == "}", let value = values[String(name)] {
                filled += value.isolated(in: direction)
                rest = rest[name.endIndex...].dropFirst()
            } else {
                filled += rest[start..<name.endIndex]
                rest = rest[name.endIndex...]
            }
        }
        return filled + rest
    }
}
