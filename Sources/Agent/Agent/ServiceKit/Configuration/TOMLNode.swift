import CTOML

/// A value of a TOML document with its line, for error messages.
package struct TOMLNode: Equatable, Sendable {
    package enum Value: Equatable, Sendable {
        case string(String)
        case integer(Int64)
        case float(Double)
        case boolean(Bool)
        /// A date or a time without an offset.
        case date
        /// A date and a time with an offset, in milliseconds since the Unix epoch.
        case moment(Int64)
        case table([String: TOMLNode])
        case array([TOMLNode])
    }

    package var value: Value
    /// The value if it is a string.
    package var text: String? { if case .string(let text) = value { text } else { nil } }
    /// The file's name, for messages.
    package var file: String
    /// Counted from 1.
    package var line: Int
    /// The position of the file among those that are merged.
    package var layer = 0

    package init(_ value: Value, file: String, line: Int, layer: Int = 0) {
        self.value = value
        self.file = file
        self.line = line
        self.layer = layer
    }

    /// The entries of a table; nil: it is none.
    package var entries: [String: TOMLNode]? {
        if case .table(let entries) = value { entries } else { nil }
    }

    /// The kind of the value, for error messages.
    package var kind: String {
        switch value {
        case .string: "a string"
        case .integer: "an integer"
        case .float: "a decimal number"
        case .boolean: "true or false"
        case .date, .moment: "a date"
        case .table: "a table"
        case .array: "an array"
        }
    }

    /// Parses a document with toml++.
    ///
    /// - Parameter layer: See ``layer``.
    package static func parse(
        _ text: String,
        file: String,
        layer: Int = 0
    ) throws(ConfigurationError) -> TOMLNode {
        var walk = Walk(file: file, layer: layer)
        var failure = ctoml_failure()
        var text = text
        let isParsed = text.withUTF8 { bytes in
            withUnsafeMutablePointer(to: &walk) { walk in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    var empty: CChar = 0
                    let start = characters.baseAddress
                    return withUnsafePointer(to: &empty) { empty in
                        ctoml_parse(start ?? empty, characters.count, { Walk.visit($0, $1) }, walk, &failure)
                    }
                }
            }
        }
        guard isParsed else {
            let message = withUnsafeBytes(of: failure.message) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            throw ConfigurationError(
                file: file,
                line: Int(failure.line),
                problem: "This is not valid TOML: \(message)."
            )
        }
        return TOMLNode(.table(walk.stack[0].table), file: file, line: 1, layer: layer)
    }
}

/// Builds the tree from the callbacks of the C++ parser.
private struct Walk {
    struct Open {
        var key = ""
        var line = 0
        var isTable = true
        var table: [String: TOMLNode] = [:]
        var array: [TOMLNode] = []
    }

    let file: String
    let layer: Int
    var stack = [Open()]

    init(file: String, layer: Int) {
        self.file = file
        self.layer = layer
    }

    static func visit(_ context: UnsafeMutableRawPointer?, _ step: UnsafePointer<ctoml_step>) {
        context?.assumingMemoryBound(to: Walk.self).pointee.take(step.pointee)
    }

    mutating func take(_ step: ctoml_step) {
        let key = Self.text(step.key, step.key_length)
        let line = Int(step.line)
        switch step.kind {
        case CTOML_STRING: add(.string(Self.text(step.text, step.text_length)), key, line)
        case CTOML_INTEGER: add(.integer(step.integer), key, line)
        case CTOML_FLOAT: add(.float(step.floating), key, line)
        case CTOML_BOOLEAN: add(.boolean(step.boolean), key, line)
        case CTOML_TABLE: stack.append(Open(key: key, line: line))
        case CTOML_ARRAY: stack.append(Open(key: key, line: line, isTable: false))
        case CTOML_MOMENT: add(.moment(step.integer), key, line)
        case CTOML_END:
            let open = stack.removeLast()
            add(open.isTable ? .table(open.table) : .array(open.array), open.key, open.line)
        default: add(.date, key, line)
        }
    }

    private mutating func add(_ value: TOMLNode.Value, _ key: String, _ line: Int) {
        let node = TOMLNode(value, file: file, line: line, layer: layer)
        if stack[stack.count - 1].isTable {
            stack[stack.count - 1].table[key] = node
        } else {
            stack[stack.count - 1].array.append(node)
        }
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        start.map { String(decoding: UnsafeRawBufferPointer(start: $0, count: count), as: UTF8.self) } ?? ""
    }
}
