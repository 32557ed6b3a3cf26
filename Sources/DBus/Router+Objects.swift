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

/// A member of an interface.
struct MemberKey: Sendable, Hashable {
    let interface: InterfaceName
    let member: MemberName
}

/// Incoming calls: of exported objects, and of the standard interfaces that every object has.
extension Router {
    mutating func receiveCall(_ message: Message) -> [Effect] {
        guard let path = message.path, let member = message.member else { return [] }
        if message.interface == PeerInterface.name { return receivePeer(message, member) }
        guard let object = objects[path] ?? (isNode(path) ? ObjectRecord() : nil) else {
            return refuse(message, DBusError(.unknownObject, "There is no object at “\(path)”."))
        }
        if let interface = message.interface {
            if let own = object.interface(interface) { return call(own, member, object, path, message) }
            guard standardInterfaces(at: path).contains(where: { $0.name == interface }) else {
                return refuse(message, DBusError(.unknownInterface, "“\(path)” has no interface “\(interface)”."))
            }
            return callStandard(interface, member, object, path, message)
        }
        // Without an interface, the first one with this method is used.
        func has(_ interface: InterfaceDescription) -> Bool {
            interface.members.contains { if case .method(member, _, _) = $0 { true } else { false } }
        }
        if let own = object.interfaces.first(where: has) { return call(own, member, object, path, message) }
        guard let standard = (standardInterfaces(at: path) + [PeerInterface.description]).first(where: has) else {
            return refuse(message, DBusError(.unknownMethod, "“\(path)” has no method “\(member)”."))
        }
        return standard.name == PeerInterface.name
            ? receivePeer(message, member) : callStandard(standard.name, member, object, path, message)
    }

    private mutating func call(
        _ interface: InterfaceDescription,
        _ member: MemberName,
        _ object: ObjectRecord,
        _ path: ObjectPath,
        _ message: Message
    ) -> [Effect] {
        for case .method(member, let input, _) in interface.members {
            guard object.handled.contains(MemberKey(interface: interface.name, member: member)) else {
                return refuse(
                    message,
                    DBusError(.notSupported, "“\(interface.name).\(member)” is not supported by “\(path)”.")
                )
            }
            let expected = input.map(\.signature.text).joined()
            guard message.signature.text == expected else {
                return refuse(message, wrongArguments(expected, message))
            }
            return invoke(.method(interface.name, member), at: path, for: message)
        }
        return refuse(message, unknownMethod(interface.name, member))
    }

    private func receivePeer(_ message: Message, _ member: MemberName) -> [Effect] {
        switch member {
        case PeerInterface.ping.name: return checked(message, "") { .success([]) }
        case PeerInterface.getMachineID.name:
            return checked(message, "") {
                machineID.map { .success([.string($0)]) }
                    ?? .failure(DBusError(.notSupported, "This machine has no machine id."))
            }
        default: return refuse(message, unknownMethod(PeerInterface.name, member))
        }
    }

    private mutating func callStandard(
        _ interface: InterfaceName,
        _ member: MemberName,
        _ object: ObjectRecord,
        _ path: ObjectPath,
        _ message: Message
    ) -> [Effect] {
        switch (interface, member) {
        case (IntrospectableInterface.name, IntrospectableInterface.introspect.name):
            return checked(message, "") { .success([.string(describe(path).xml)]) }
        case (ObjectManagerInterface.name, ObjectManagerInterface.getManagedObjects.name):
            return checked(message, "") { .success([managedObjects(below: path).dbusValue]) }
        case (PropertiesInterface.name, PropertiesInterface.get.name):
            return checked(message, "ss") { get(message.body, object) }
        case (PropertiesInterface.name, PropertiesInterface.getAll.name):
            return checked(message, "s") { getAll(message.body, object) }
        case (PropertiesInterface.name, PropertiesInterface.set.name):
            guard message.signature.text == "ssv" else { return refuse(message, wrongArguments("ssv", message)) }
            return set(message, object, path)
        default:
            return refuse(message, unknownMethod(interface, member))
        }
    }

    private func checked(_ message: Message, _ expected: String, _ result: () -> Result<[Value], DBusError>) -> [Effect]
    {
        guard message.signature.text == expected else { return refuse(message, wrongArguments(expected, message)) }
        switch result() {
        case .success(let body): return answer(message, body)
        case .failure(let error): return refuse(message, error)
        }
    }

    private func wrongArguments(_ expected: String, _ message: Message) -> DBusError {
        DBusError(.invalidArgs, "Expected arguments of type “\(expected)”, got “\(message.signature)”.")
    }

    private func unknownMethod(_ interface: InterfaceName, _ member: MemberName) -> DBusError {
        DBusError(.unknownMethod, "“\(interface)” has no method “\(member)”.")
    }

    // MARK: The tree

    /// Whether an object is exported at `path` or below.
    private func isNode(_ path: ObjectPath) -> Bool {
        path == .root || managers.contains(path) || objects.keys.contains { $0.isBelow(path) }
            || managers.contains { $0.isBelow(path) }
    }

    private func standardInterfaces(at path: ObjectPath) -> [InterfaceDescription] {
        var interfaces = [IntrospectableInterface.description]
        if objects[path] != nil { interfaces.append(PropertiesInterface.description) }
        if managers.contains(path) { interfaces.append(ObjectManagerInterface.description) }
        return interfaces
    }

    /// The introspection data of `path`.
    func describe(_ path: ObjectPath) -> NodeDescription {
        let prefix = path == .root ? "/" : path.text + "/"
        var children: Set<String> = []
        for other in objects.keys.lazy.map({ $0 }) + managers where other.isBelow(path) {
            children.insert(String(other.text.dropFirst(prefix.count).prefix { $0 != "/" }))
        }
        let own = objects[path]?.interfaces ?? []
        return NodeDescription(
            interfaces: own + standardInterfaces(at: path) + [PeerInterface.description],
            children: children.sorted()
        )
    }

    // MARK: Properties

    /// Finds a property; an empty interface name means the first interface that has it.
    private func property(
        _ interface: String,
        _ name: String,
        _ object: ObjectRecord
    ) -> Result<(InterfaceDescription, MemberName, Signature, PropertyAccess), DBusError> {
        let candidates = interface.isEmpty ? object.interfaces : object.interfaces.filter { $0.name.text == interface }
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

    private func get(_ body: [Value], _ object: ObjectRecord) -> Result<[Value], DBusError> {
        guard case .string(let interface) = body[0], case .string(let name) = body[1] else { return .success([]) }
        return property(interface, name, object).flatMap { description, member, _, access in
            guard access != .write, let value = object.values[description.name]?[member] else {
                return .failure(DBusError(.accessDenied, "The property “\(name)” is write-only."))
            }
            return .success([.variant(value)])
        }
    }

    private func getAll(_ body: [Value], _ object: ObjectRecord) -> Result<[Value], DBusError> {
        guard case .string(let interface) = body[0] else { return .success([]) }
        if interface.isEmpty {
            let all = object.interfaces.map(object.readable).reduce(into: [:]) { $0.merge($1) { first, _ in first } }
            return .success([all.dbusValue])
        }
        if let own = object.interfaces.first(where: { $0.name.text == interface }) {
            return .success([object.readable(own).dbusValue])
        }
        // The standard interfaces have no properties.
        let standard = [
            PeerInterface.name, IntrospectableInterface.name, PropertiesInterface.name, ObjectManagerInterface.name,
        ]
        if standard.contains(where: { $0.text == interface }) { return .success([[String: Value]().dbusValue]) }
        return .failure(DBusError(.unknownInterface, "There is no interface “\(interface)” here."))
    }

    private mutating func set(_ message: Message, _ object: ObjectRecord, _ path: ObjectPath) -> [Effect] {
        guard case .string(let interface) = message.body[0], case .string(let name) = message.body[1],
            case .variant(let value) = message.body[2]
        else { return [] }
        switch property(interface, name, object) {
        case .failure(let error): return refuse(message, error)
        case .success((let description, let member, let signature, let access)):
            guard access != .read else {
                return refuse(message, DBusError(.propertyReadOnly, "The property “\(name)” is read-only."))
            }
            guard value.conforms(to: signature) else {
                return refuse(
                    message,
                    DBusError(.invalidArgs, "“\(name)” is of type “\(signature)”, not “\(value.signature)”.")
                )
            }
            if object.setters.contains(MemberKey(interface: description.name, member: member)) {
                return invoke(.setter(description.name, member, value), at: path, for: message)
            }
            let key = MemberKey(interface: description.name, member: member)
            return update(path, [(key, value)]) + answer(message, [])
        }
    }

    /// Sets properties of one object and emits one signal per interface. Unchanged values are not announced. `const`
    /// and unknown properties and unknown objects are ignored.
    mutating func update(_ path: ObjectPath, _ changes: [(key: MemberKey, value: Value)]) -> [Effect] {
        guard var object = objects[path] else { return [] }
        var changed: [InterfaceName: [String: Value]] = [:]
        var invalidated: [InterfaceName: [String]] = [:]
        for (key, value) in changes {
            guard let description = object.interface(key.interface), object.values[key.interface]?[key.member] != value
            else { continue }
            for case .property(key.member, let signature, let access, let change) in description.members {
                guard change != .const, value.conforms(to: signature) else { continue }
                object.values[key.interface, default: [:]][key.member] = value
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
        objects[path] = object
        return object.interfaces.compactMap { interface in
            let new = changed[interface.name] ?? [:]
            let stale = invalidated[interface.name] ?? []
            if new.isEmpty && stale.isEmpty { return nil }
            let body = PropertiesInterface.propertiesChanged.arguments.encode((interface.name.text, new, stale))
            return .send(.signal(path, PropertiesInterface.name, PropertiesInterface.propertiesChanged.name, body))
        }
    }

    // MARK: Exporting

    /// Exports an object at `path` and replaces the one there.
    mutating func export(_ object: ObjectRecord, at path: ObjectPath) -> [Effect] {
        let effects = unexport(path)
        objects[path] = object
        let body = ObjectManagerInterface.interfacesAdded.arguments.encode((path, interfaces(of: object)))
        return effects + emitFromManager(of: path, ObjectManagerInterface.interfacesAdded.name, body)
    }

    /// Removes the object at `path`.
    mutating func unexport(_ path: ObjectPath) -> [Effect] {
        guard let object = objects.removeValue(forKey: path) else { return [] }
        let names = object.interfaces.map(\.name.text)
        let body = ObjectManagerInterface.interfacesRemoved.arguments.encode((path, names))
        return emitFromManager(of: path, ObjectManagerInterface.interfacesRemoved.name, body)
    }

    /// The nearest object manager above emits the signal; nested managers manage their own subtree.
    private func emitFromManager(of path: ObjectPath, _ signal: MemberName, _ body: [Value]) -> [Effect] {
        var ancestor = path.parent
        while let candidate = ancestor {
            if managers.contains(candidate) {
                return [.send(.signal(candidate, ObjectManagerInterface.name, signal, body))]
            }
            ancestor = candidate.parent
        }
        return []
    }

    private func managedObjects(below manager: ObjectPath) -> [ObjectPath: [String: [String: Value]]] {
        objects.filter { $0.key.isBelow(manager) }.mapValues { interfaces(of: $0) }
    }

    private func interfaces(of object: ObjectRecord) -> [String: [String: Value]] {
        Dictionary(object.interfaces.map { ($0.name.text, object.readable($0)) }) { first, _ in first }
    }
}
