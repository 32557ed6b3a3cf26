package import DBus

extension NodeDescription {
    /// Reads introspection data as the D-Bus specification writes it. Unknown elements and annotations are passed over.
    /// - Throws: `InvalidArgs` for what is not well-formed, or is not introspection data.
    package init(xml: String) throws(DBusError) {
        self.init()
        var reader = IntrospectionReader()
        var parser = XMLTags(xml)
        while let tag = try parser.next() { try reader.receive(tag) }
        self = try reader.finish()
    }
}

extension Proxy {
    /// The object's description of itself.
    package func introspect() async throws(DBusError) -> NodeDescription {
        try NodeDescription(xml: try await call(IntrospectableInterface.introspect))
    }
}

private let emitsChangedSignal = "org.freedesktop.DBus.Property.EmitsChangedSignal"

/// Tags in, a node out: knows which element may stand where.
private struct IntrospectionReader {
    private var open: [String] = []
    private var result: NodeDescription?
    private var interface: InterfaceDescription?
    private var member: MemberDescription?

    mutating func receive(_ tag: XMLTags.Tag) throws(DBusError) {
        switch tag {
        case .start(let name, let attributes):
            if open.isEmpty {
                guard result == nil, name == "node" else { throw invalid("the outermost element must be one “node”") }
                result = NodeDescription()
            } else {
                try begin(name, attributes)
            }
            open.append(name)
        case .end(let name):
            guard open.popLast() == name else { throw invalid("“</\(name)>” closes nothing") }
            if open == ["node"], name == "interface", let interface {
                result?.interfaces.append(interface)
                self.interface = nil
            } else if open == ["node", "interface"], let member {
                interface?.members.append(member)
                self.member = nil
            }
        }
    }

    func finish() throws(DBusError) -> NodeDescription {
        guard open.isEmpty, let result else { throw invalid("the document ends too early") }
        return result
    }

    private mutating func begin(_ name: String, _ attributes: [String: String]) throws(DBusError) {
        func attribute(_ key: String) throws(DBusError) -> String {
            guard let text = attributes[key] else { throw invalid("“\(name)” lacks “\(key)”") }
            return text
        }
        switch (open, name) {
        case (["node"], "node"):
            result?.children.append(attributes["name"] ?? "")
        case (["node"], "interface"):
            interface = InterfaceDescription(try InterfaceName(try attribute("name")), [])
        case (["node", "interface"], "method"):
            member = .method(try MemberName(try attribute("name")), in: [], out: [])
        case (["node", "interface"], "signal"):
            member = .signal(try MemberName(try attribute("name")), [])
        case (["node", "interface"], "property"):
            guard let access = PropertyAccess(rawValue: try attribute("access")) else {
                throw invalid("unknown access")
            }
            member = .property(try MemberName(try attribute("name")), try type(try attribute("type")), access, .value)
        case (["node", "interface", "method"], "arg"), (["node", "interface", "signal"], "arg"):
            add(ArgumentDescription(attributes["name"] ?? "", try type(try attribute("type"))), attributes["direction"])
        case (["node", "interface", "property"], "annotation") where attributes["name"] == emitsChangedSignal:
            guard case .property(let name, let signature, let access, _) = member,
                let change = PropertyChange(rawValue: try attribute("value"))
            else { throw invalid("unknown value of \(emitsChangedSignal)") }
            member = .property(name, signature, access, change)
        default:
            break
        }
    }

    private mutating func add(_ argument: ArgumentDescription, _ direction: String?) {
        switch member {
        case .method(let name, let input, let output):
            member =
                direction == "out"
                ? .method(name, in: input, out: output + [argument])
                : .method(name, in: input + [argument], out: output)
        case .signal(let name, let arguments): member = .signal(name, arguments + [argument])
        default: break
        }
    }

    private func type(_ text: String) throws(DBusError) -> Signature {
        let signature = try Signature(text)
        guard signature.isSingleType else { throw invalid("“\(text)” is not one complete type") }
        return signature
    }
}

private func invalid(_ reason: String) -> DBusError { DBusError(.invalidArgs, "Not introspection data: \(reason).") }
