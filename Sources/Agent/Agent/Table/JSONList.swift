import ClientKit

/// A list of texts as JSON, which SQLite's `json_each` reads.
enum JSONList {
    static func text(_ texts: [String]) -> String {
        texts.isEmpty ? "[]" : JSONValue.array(texts.map(JSONValue.string)).text
    }

    static func texts(_ list: String) -> [String] {
        guard list != "[]", case .array(let values)? = try? JSONValue(parsing: Array(list.utf8)) else { return [] }
        return values.compactMap(\.string)
    }
}
