import FoundationEssentials
package import Sandbox

/// `dbus/output.schema.json`, the form of the command's JSON.
package struct OutputSchema {
    private static let file = Checkout.root.appending(path: "dbus/output.schema.json")
    private let definitions: JSON?

    package init() throws {
        definitions = JSON(parsing: try String(contentsOf: Self.file, encoding: .utf8))?["definitions"]
    }

    /// The members of the objects that a definition describes.
    package func members(of definition: String) -> [String: JSON] {
        definitions?[definition]?["properties"]?.object ?? [:]
    }

    /// How a text differs from a definition, as the Python package fastjsonschema finds it; empty: not at all.
    package static func problem(of text: String, as definition: String) async throws -> String {
        let program = """
            import fastjsonschema, json, sys
            with open(sys.argv[1]) as file: schema = json.load(file)
            schema["allOf"] = [{"$ref": "#/definitions/" + sys.argv[2]}]
            del schema["$id"], schema["anyOf"]
            try: fastjsonschema.validate(schema, json.loads(sys.argv[3]))
            except ValueError as error: print(error)
            """
        let ran = try await Command.run(
            "env",
            [try Checkout.python, "-c", program, file.path, definition, text]
        )
        return ran.output + ran.errors
    }
}
