/// An exported object as data: its interfaces and the values of its properties.
struct ObjectRecord: Sendable, Equatable {
    /// A property and its value.
    struct Property: Sendable, Equatable {
        let key: MemberKey
        let signature: Signature
        let access: PropertyAccess
        let change: PropertyChange
        var value: Value?
    }

    /// In the order of addition.
    private(set) var interfaces: [InterfaceDescription] = []
    /// The properties of all interfaces, in the order of declaration. They are few, and a comparison of names is much
    /// faster than hashing them.
    private(set) var properties: [Property] = []
    /// Methods that have a handler.
    var handled: Set<MemberKey> = []
    /// Properties with a handler for setting; others accept any value of their type.
    var setters: Set<MemberKey> = []

    func interface(_ name: InterfaceName) -> InterfaceDescription? { interfaces.first { $0.name == name } }

    mutating func add(_ interface: InterfaceDescription) {
        interfaces.append(interface)
        for case .property(let name, let signature, let access, let change) in interface.members {
            let key = MemberKey(interface: interface.name, member: name)
            properties.append(Property(key: key, signature: signature, access: access, change: change))
        }
    }

    /// The value of a property; nil if it has none. Setting the value of an unknown property does nothing.
    subscript(key: MemberKey) -> Value? {
        get { index(of: key).flatMap { properties[$0].value } }
        set { if let index = index(of: key) { properties[index].value = newValue } }
    }

    private func index(of key: MemberKey) -> Int? {
        properties.firstIndex { $0.key.member == key.member && $0.key.interface == key.interface }
    }

    /// The readable properties.
    func readable(_ interface: InterfaceDescription) -> [String: Value] {
        var readable: [String: Value] = [:]
        for property in properties where property.key.interface == interface.name && property.access != .write {
            readable[property.key.member.text] = property.value
        }
        return readable
    }
}

extension ObjectRecord {
    /// Finds a property; an empty interface name means the first interface that has it.
    func property(
        _ interface: String,
        _ name: String
    ) -> Result<(InterfaceDescription, MemberName, Signature, PropertyAccess), DBusError> {
        let candidates = interface.isEmpty ? interfaces : interfaces.filter { $0.name.text == interface }
        guard interface.isEmpty || !candidates.isEmpty else {
            return .failure(DBusError(.unknownInterface, "There is no interface “\(interface)” here."))
        }
        for candidate in candidates {
            for case .property(let member, let signature, let access, _) in candidate.members where member.text == name
            {
                return .success((candidate, member, signature, access))
            }
        }
        return .failure(DBusError(.unknownProperty, "“\(interface)” has no property “\(name)”."))
    }

    /// The reply to `Get` with these arguments, which have the right types.
    func get(_ body: [Value]) -> Result<[Value], DBusError> {
        guard case .string(let interface) = body[0], case .string(let name) = body[1] else { return .success([]) }
        return property(interface, name).flatMap { description, member, _, access in
            guard access != .write, let value = self[MemberKey(interface: description.name, member: member)] else {
                return .failure(DBusError(.accessDenied, "The property “\(name)” is write-only."))
            }
            return .success([.variant(value)])
        }
    }

    /// The reply to `GetAll` with these arguments, which have the right types.
    func getAll(_ body: [Value]) -> Result<[Value], DBusError> {
        guard case .string(let interface) = body[0] else { return .success([]) }
        if interface.isEmpty {
            let all = interfaces.map(readable).reduce(into: [:]) { $0.merge($1) { first, _ in first } }
            return .success([all.dbusValue])
        }
        if let own = interfaces.first(where: { $0.name.text == interface }) {
            return .success([readable(own).dbusValue])
        }
        // The standard interfaces have no properties.
        let standard = [
            PeerInterface.name, IntrospectableInterface.name, PropertiesInterface.name, ObjectManagerInterface.name,
        ]
        if standard.contains(where: { $0.text == interface }) { return .success([[String: Value]().dbusValue]) }
        return .failure(DBusError(.unknownInterface, "There is no interface “\(interface)” here."))
    }

    /// Sets properties. Returns the changes to announce. Unchanged values are not announced; `const` and unknown
    /// properties are ignored.
    mutating func update(_ changes: [(key: MemberKey, value: Value)]) -> [AnnouncedChanges] {
        var announced: [AnnouncedChanges] = []
        for (key, value) in changes {
            guard let index = index(of: key), properties[index].value != value else { continue }
            let property = properties[index]
            guard property.change != .const, value.conforms(to: property.signature) else { continue }
            properties[index].value = value
            guard property.access != .write, property.change != .none else { continue }
            let position = announced.firstIndex { $0.interface == key.interface } ?? announced.count
            if position == announced.count { announced.append(AnnouncedChanges(interface: key.interface)) }
            announced[position].add(property, value)
        }
        guard announced.count > 1 else { return announced }
        return interfaces.compactMap { interface in announced.first { $0.interface == interface.name } }
    }

    /// The readable properties of every interface.
    var allReadable: [String: [String: Value]] {
        Dictionary(interfaces.map { ($0.name.text, readable($0)) }) { first, _ in first }
    }
}

/// The content of one `PropertiesChanged`.
struct AnnouncedChanges {
    let interface: InterfaceName
    private(set) var changed: [String: Value] = [:]
    private(set) var invalidated: [String] = []

    init(interface: InterfaceName) { self.interface = interface }

    mutating func add(_ property: ObjectRecord.Property, _ value: Value) {
        let name = property.key.member.text
        if property.change == .value {
            changed[name] = value
        } else if !invalidated.contains(name) {
            invalidated.append(name)
        }
    }

    /// The arguments of ``PropertiesInterface/propertiesChanged``.
    var arguments: EncodedBody {
        get throws(DBusError) {
            try PropertiesInterface.propertiesChanged.arguments.encode((interface.text, changed, invalidated))
        }
    }
}

/// A member of an interface.
struct MemberKey: Sendable, Hashable {
    let interface: InterfaceName
    let member: MemberName
}
