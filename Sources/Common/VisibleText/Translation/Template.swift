/// A message with placeholders: names in braces.
struct Template {
    let text: String

    init(_ text: String) { self.text = text }

    /// The text with the values in place of the placeholders.
    func filled(with values: [String: String]) -> String {
        if values.isEmpty { return text }
        let direction = TextDirection(of: replacing { values[$0].map { _ in "" } }) ?? .leftToRight
        return replacing { values[$0]?.isolated(in: direction) }
    }

    /// The text with other texts in place of the placeholders that have one.
    private func replacing(_ replacement: (String) -> String?) -> String {
        var replaced = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{") {
            replaced += rest[..<start]
            let name = rest[start...].dropFirst().prefix { $0 != "}" && $0 != "{" }
            if name.endIndex < rest.endIndex, rest[name.endIndex] == "}", let value = replacement(String(name)) {
                replaced += value
                rest = rest[name.endIndex...].dropFirst()
            } else {
                replaced += rest[start..<name.endIndex]
                rest = rest[name.endIndex...]
            }
        }
        return replaced + rest
    }
}
