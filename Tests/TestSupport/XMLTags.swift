import DBus

/// The tags of an XML document, one after the other; text between them is passed over.
///
/// As much XML as introspection data needs: elements, attributes, the predefined and numeric entities, comments, CDATA,
/// processing instructions, a DOCTYPE. Foundation's parser would bring in all of Foundation.
struct XMLTags {
    enum Tag: Equatable {
        case start(String, [String: String])
        case end(String)
    }

    private var rest: Substring.UnicodeScalarView
    /// The end of an element that closed itself (`<arg/>`).
    private var pendingEnd: String?

    init(_ text: String) { rest = Substring(text).unicodeScalars }

    mutating func next() throws(DBusError) -> Tag? {
        if let name = pendingEnd {
            pendingEnd = nil
            return .end(name)
        }
        while true {
            guard let opening = rest.firstIndex(of: "<") else { return nil }
            rest = rest[opening...]
            if skip("<!--") {
                try pass("-->")
            } else if skip("<![CDATA[") {
                try pass("]]>")
            } else if skip("<?") {
                try pass("?>")
            } else if skip("<!") {
                try passDeclaration()
            } else if skip("</") {
                let name = try takeName()
                skipSpace()
                guard skip(">") else { throw malformed("“</\(name)” is not closed") }
                return .end(name)
            } else {
                rest.removeFirst()
                return try takeStart()
            }
        }
    }

    private mutating func takeStart() throws(DBusError) -> Tag {
        let name = try takeName()
        var attributes: [String: String] = [:]
        while true {
            skipSpace()
            if skip("/>") {
                pendingEnd = name
                return .start(name, attributes)
            }
            if skip(">") { return .start(name, attributes) }
            let key = try takeName()
            skipSpace()
            guard skip("=") else { throw malformed("attribute “\(key)” has no value") }
            skipSpace()
            guard let quote = rest.popFirst(), quote == "\"" || quote == "'", let end = rest.firstIndex(of: quote)
            else {
                throw malformed("the value of “\(key)” is not quoted")
            }
            guard attributes[key] == nil else { throw malformed("attribute “\(key)” appears twice") }
            attributes[key] = try Self.decode(rest[..<end])
            rest = rest[rest.index(after: end)...]
        }
    }

    private mutating func takeName() throws(DBusError) -> String {
        let name = rest.prefix {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || "-_.:".unicodeScalars.contains($0)
        }
        guard !name.isEmpty else { throw malformed("a name is missing") }
        rest = rest[name.endIndex...]
        return String(name)
    }

    private mutating func skipSpace() { rest = rest.drop { $0.properties.isWhitespace } }

    private mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest = rest.dropFirst(text.unicodeScalars.count)
        return true
    }

    private mutating func pass(_ end: String) throws(DBusError) {
        while !skip(end) {
            guard rest.popFirst() != nil else { throw malformed("“\(end)” is missing") }
        }
    }

    /// `<!DOCTYPE … [ … ]>`: quoted text and brackets may hold a “>”.
    private mutating func passDeclaration() throws(DBusError) {
        var brackets = 0
        while let character = rest.popFirst() {
            switch character {
            case "\"", "'": try pass(String(character))
            case "[": brackets += 1
            case "]": brackets -= 1
            case ">" where brackets <= 0: return
            default: break
            }
        }
        throw malformed("a declaration is not closed")
    }

    private static func decode(_ text: Substring.UnicodeScalarView) throws(DBusError) -> String {
        var decoded = String.UnicodeScalarView()
        var rest = text
        while let character = rest.popFirst() {
            guard character == "&" else {
                decoded.append(character)
                continue
            }
            guard let end = rest.firstIndex(of: ";") else { throw malformed("an entity is not closed") }
            let entity = String(rest[..<end])
            guard let meant = scalar(entity) else { throw malformed("unknown entity “\(entity.prefix(20))”") }
            decoded.append(meant)
            rest = rest[rest.index(after: end)...]
        }
        return String(decoded)
    }

    private static func scalar(_ entity: String) -> Unicode.Scalar? {
        switch entity {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        case _ where entity.hasPrefix("#x"): UInt32(entity.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        case _ where entity.hasPrefix("#"): UInt32(entity.dropFirst(1)).flatMap(Unicode.Scalar.init)
        default: nil
        }
    }
}

private func malformed(_ reason: String) -> DBusError {
    DBusError(.invalidArgs, "The XML is not well-formed: \(reason).")
}
