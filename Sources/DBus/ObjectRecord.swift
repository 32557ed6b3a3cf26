/// An exported object as data: its interfaces and the values of its properties.
struct ObjectRecord: Sendable, Equatable {
    /// In the order of addition.
    var interfaces: [InterfaceDescription] = []
    var values: [InterfaceName: [MemberName: Value]] = [:]
    /// Methods that have a handler.
    var handled: Set<MemberKey> = []
    /// Properties with a handler for setting; others accept any value of their type.
    var setters: Set<MemberKey> = []

    func interface(_ name: InterfaceName) -> InterfaceDescription? { interfaces.first { $0.name == name } }

    /// The readable properties.
    func readable(_ interface: InterfaceDescription) -> [String: Value] {
        var readable: [String: Value] = [:]
        for case .property(let name, _, let access, _) in interface.members where access != .write {
            readable[name.text] = values[interface.name]?[name]
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
            guard access != .write, let value = values[description.name]?[member] else {
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
        var changed: [InterfaceName: [String: Value]] = [:]
        var invalidated: [InterfaceName: [String]] = [:]
        for (key, value) in changes {
            guard let description = interface(key.interface), values[key.interface]?[key.member] != value
            else { continue }
            for case .property(key.member, let signature, let access, let change) in description.members {
                guard change != .const, value.conforms(to: signature) else { continue }
                values[key.interface, default: [:]][key.member] = value
                switch (access, change) {
                case (.write, _), (_, .const), (_, .none): break
                case (_, .value): changed[key.interface, default: [:]][key.member.text] = value
                case (_, .invalidates):
                    if invalidated[key.interface]?.contains(key.member.text) != true {
                        invalidated[key.interface, default: []].append(key.member.text)
                    }
                }
            }
        }
        return interfaces.compactMap { interface in
            let new = changed[interface.name] ?? [:]
            let stale = invalidated[interface.name] ?? []
            return new.isEmpty && stale.isEmpty
                ? nil : AnnouncedChanges(interface: interface.name, changed: new, invalidated: stale)
        }
    }

    /// The readable properties of every interface.
    var allReadable: [String: [String: Value]] {
        Dictionary(interfaces.map { ($0.name.text, readable($0)) }) { first, _ in first }
    }
}

/// The content of one `PropertiesChanged`.
struct AnnouncedChanges: Equatable {
    let interface: InterfaceName
    let changed: [String: Value]
    let invalidated: [String]
}

/// A member of an interface.
struct MemberKey: Sendable, Hashable {
    let interface: InterfaceName
    let member: MemberName
}
