package import Sandbox

/// A JSON schema (draft-07), as far as `dbus/output.schema.json` uses its keywords: `$ref`, `anyOf`, `const`, `type`,
/// `required`, `properties` and `items`.
package struct JSONSchema {
    private let root: JSON

    package init(_ text: String) throws { root = try Self.parsed(text) }

    private struct NoJSON: Error {}

    private static func parsed(_ text: String) throws -> JSON {
        guard let value = JSON(parsing: text) else { throw NoJSON() }
        return value
    }

    /// The members of the objects that a definition describes.
    package func members(of definition: String) -> [String: JSON] {
        root["definitions"]?[definition]?["properties"]?.object ?? [:]
    }

    /// What a text lacks of a definition, each with its place; empty: it is as described.
    package func problems(of text: String, as definition: String) throws -> [String] {
        problems(try Self.parsed(text), .object(["$ref": .string("#/definitions/\(definition)")]), at: definition)
    }

    private func problems(_ node: JSON, _ schema: JSON, at place: String) -> [String] {
        if case .string(let reference)? = schema["$ref"] {
            let names = reference.split(separator: "/").dropFirst()
            let target = names.reduce(root as JSON?) { $0?[String($1)] }
            return target.map { problems(node, $0, at: place) } ?? ["\(reference) is missing"]
        }
        var found: [String] = []
        if case .array(let choices)? = schema["anyOf"],
            !choices.contains(where: { problems(node, $0, at: place).isEmpty })
        {
            found.append("\(place): no alternative fits")
        }
        if let value = schema["const"], value != node { found.append("\(place): another value") }
        if let type = schema["type"] {
            let types = if case .array(let types) = type { types } else { [type] }
            if !types.contains(.string(node.type)) { found.append("\(place): \(node.type)") }
        }
        if case .array(let required)? = schema["required"] {
            for case .string(let name) in required where node[name] == nil { found.append("\(place).\(name): missing") }
        }
        for (name, member) in schema["properties"]?.object ?? [:] {
            if let value = node[name] { found += problems(value, member, at: "\(place).\(name)") }
        }
        if let items = schema["items"], case .array(let elements) = node {
            found += elements.flatMap { problems($0, items, at: "\(place)[]") }
        }
        return found
    }
}

extension JSON {
    /// The name of its type in schemas.
    fileprivate var type: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
