import ClientKit
import SuprSend

extension ConfigurationTable {
    /// Which categories of preferences there are: one tag, or an operator of the service's documentation ("Controlling
    /// what categories to show"), as a table or as JSON: `{ or = ["sales", { and = ["ops", "ci"] }] }`.
    mutating func preferenceTags(_ key: String) throws(ConfigurationError) -> PreferenceTags? {
        guard let node = node(key) else { return nil }
        if case .string(let text) = node.value, text.utf8.first != UInt8(ascii: "{") {
            return try string(key).map(PreferenceTags.text)
        }
        if let tags = JSONValue(node).flatMap(PreferenceTags.init) { return tags }
        let problem =
            "\"\(name(key))\" must be a tag, or one of { or = […] }, { and = […] }, { not = \"…\" } and "
        throw error(key, problem + "{ exists = true }.")
    }
}

extension JSONValue {
    /// nil: the value has no such form. A text is JSON.
    fileprivate init?(_ node: TOMLNode) {
        if case .string(let text) = node.value {
            guard let value = try? JSONValue(parsing: text) else { return nil }
            self = value
        } else {
            self.init(tags: node)
        }
    }

    private init?(tags node: TOMLNode) {
        switch node.value {
        case .string(let text): self = .string(text)
        case .boolean(let flag): self = .bool(flag)
        case .array(let nodes):
            let values = nodes.compactMap { JSONValue(tags: $0) }
            guard values.count == nodes.count else { return nil }
            self = .array(values)
        case .table(let nodes):
            let values = nodes.compactMapValues { JSONValue(tags: $0) }
            guard values.count == nodes.count else { return nil }
            self = .object(values)
        case .integer, .float, .date, .moment: return nil
        }
    }
}

extension PreferenceTags {
    /// nil: it is neither a tag nor one operator.
    fileprivate init?(_ value: JSONValue) {
        if let tag = value.string {
            guard !tag.isEmpty else { return nil }
            self = .text(tag)
            return
        }
        guard let operation = value.object, operation.count == 1, let (name, operand) = operation.first else {
            return nil
        }
        let parts = operand.array.map { $0.compactMap(PreferenceTags.init) }
        let isComplete = parts?.isEmpty == false && parts?.count == operand.array?.count
        switch (name, operand) {
        case ("or", .array) where isComplete: self = .or(parts ?? [])
        case ("and", .array) where isComplete: self = .and(parts ?? [])
        // The service takes a tag only.
        case ("not", .string(let tag)) where !tag.isEmpty: self = .not(.text(tag))
        case ("exists", .bool(let exists)): self = .exists(exists)
        default: return nil
        }
    }
}
