import FoundationEssentials

/// A JSON schema (draft-07), as far as `dbus/output.schema.json` uses its keywords: `$ref`, `anyOf`, `const`, `type`,
/// `required`, `properties` and `items`.
package struct JSONSchema {
    private let root: JSONNode

    package init(_ text: String) throws { root = try JSONNode(text) }

    /// The members of the objects that a definition describes.
    package func members(of definition: String) -> [String: JSONNode] {
        root["definitions"]?[definition]?["properties"]?.members ?? [:]
    }

    /// What a text lacks of a definition, each with its place; empty: it is as described.
    package func problems(of text: String, as definition: String) throws -> [String] {
        problems(try JSONNode(text), .object(["$ref": .string("#/definitions/\(definition)")]), at: definition)
    }

    private func problems(_ node: JSONNode, _ schema: JSONNode, at place: String) -> [String] {
        if case .string(let reference)? = schema["$ref"] {
            let names = reference.split(separator: "/").dropFirst()
            let target = names.reduce(root as JSONNode?) { $0?[String($1)] }
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
        for (name, member) in schema["properties"]?.members ?? [:] {
            if let value = node[name] { found += problems(value, member, at: "\(place).\(name)") }
        }
        if let items = schema["items"], case .array(let elements) = node {
            found += elements.flatMap { problems($0, items, at: "\(place)[]") }
        }
        return found
    }
}

/// A JSON value.
package enum JSONNode: Decodable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case string(String)
    case array([JSONNode])
    case object([String: JSONNode])

    package init(_ text: String) throws { self = try JSONDecoder().decode(JSONNode.self, from: Data(text.utf8)) }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONNode].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONNode].self))
        }
    }

    /// The name of its type in schemas.
    package var type: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .integer: "integer"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The members of an object; nil: another value.
    package var members: [String: JSONNode]? { if case .object(let members) = self { members } else { nil } }

    package subscript(_ name: String) -> JSONNode? { members?[name] }
}
