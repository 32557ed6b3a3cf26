/// Incoming calls of exported objects and of the standard interfaces, which every object has.
extension Router {
    /// The target of a call, known from its header.
    enum CallTarget {
        case handler(InterfaceName, MemberName)
        case ping
        case machineID
        case introspect
        case managedObjects
        case getProperty(ObjectRecord)
        case getAllProperties(ObjectRecord)
        case setProperty(ObjectRecord)

        /// The types of the arguments, if the target is not a handler.
        fileprivate var arguments: String {
            switch self {
            case .handler, .ping, .machineID, .introspect, .managedObjects: ""
            case .getProperty: "ss"
            case .getAllProperties: "s"
            case .setProperty: "ssv"
            }
        }
    }

    // MARK: Before the arguments are decoded

    /// - Throws: If there is no such object, interface or method, or it takes other arguments.
    func target(of header: Message, _ path: ObjectPath, _ member: MemberName) throws(DBusError) -> CallTarget {
        if header.interface == PeerInterface.name {
            return try checked(header, standardTarget(PeerInterface.name, member, ObjectRecord()))
        }
        guard let object = tree.objects[path] ?? (tree.isNode(path) ? ObjectRecord() : nil) else {
            throw DBusError(.unknownObject, "There is no object at “\(path)”.")
        }
        if let interface = header.interface {
            if let own = object.interface(interface) { return try handler(own, member, object, header, path) }
            guard tree.standardInterfaces(at: path).contains(where: { $0.name == interface }) else {
                throw DBusError(.unknownInterface, "“\(path)” has no interface “\(interface)”.")
            }
            return try checked(header, standardTarget(interface, member, object))
        }
        // Without an interface, the first one with this method is used.
        func has(_ interface: InterfaceDescription) -> Bool {
            interface.members.contains { if case .method(member, _, _) = $0 { true } else { false } }
        }
        if let own = object.interfaces.first(where: has) { return try handler(own, member, object, header, path) }
        guard let standard = (tree.standardInterfaces(at: path) + [PeerInterface.description]).first(where: has) else {
            throw DBusError(.unknownMethod, "“\(path)” has no method “\(member)”.")
        }
        return try checked(header, standardTarget(standard.name, member, object))
    }

    private func handler(
        _ interface: InterfaceDescription,
        _ member: MemberName,
        _ object: ObjectRecord,
        _ header: Message,
        _ path: ObjectPath
    ) throws(DBusError) -> CallTarget {
        for case .method(member, let input, _) in interface.members {
            guard object.handled.contains(MemberKey(interface: interface.name, member: member)) else {
                throw DBusError(.notSupported, "“\(interface.name).\(member)” is not supported by “\(path)”.")
            }
            try check(header, input.map(\.signature.text).joined())
            return .handler(interface.name, member)
        }
        throw unknownMethod(interface.name, member)
    }

    private func standardTarget(
        _ interface: InterfaceName,
        _ member: MemberName,
        _ object: ObjectRecord
    ) throws(DBusError) -> CallTarget {
        switch (interface, member) {
        case (PeerInterface.name, PeerInterface.ping.name): .ping
        case (PeerInterface.name, PeerInterface.getMachineID.name): .machineID
        case (IntrospectableInterface.name, IntrospectableInterface.introspect.name): .introspect
        case (ObjectManagerInterface.name, ObjectManagerInterface.getManagedObjects.name): .managedObjects
        case (PropertiesInterface.name, PropertiesInterface.get.name): .getProperty(object)
        case (PropertiesInterface.name, PropertiesInterface.getAll.name): .getAllProperties(object)
        case (PropertiesInterface.name, PropertiesInterface.set.name): .setProperty(object)
        default: throw unknownMethod(interface, member)
        }
    }

    private func checked(_ header: Message, _ target: CallTarget) throws(DBusError) -> CallTarget {
        try check(header, target.arguments)
        return target
    }

    private func check(_ header: Message, _ expected: String) throws(DBusError) {
        guard header.signature.text == expected else {
            throw DBusError(.invalidArgs, "Expected arguments of type “\(expected)”, got “\(header.signature)”.")
        }
    }

    private func unknownMethod(_ interface: InterfaceName, _ member: MemberName) -> DBusError {
        DBusError(.unknownMethod, "“\(interface)” has no method “\(member)”.")
    }

    // MARK: With arguments

    mutating func dispatch(_ message: Message, to target: CallTarget, at path: ObjectPath) -> [Effect] {
        let result: Result<[Value], DBusError>
        switch target {
        case .handler(let interface, let member): return invoke(.method(interface, member), at: path, for: message)
        case .setProperty(let object): return set(message, object, path)
        case .ping: result = .success([])
        case .machineID:
            result =
                machineID.map { .success([.string($0)]) }
                ?? .failure(DBusError(.notSupported, "This machine has no machine id."))
        case .introspect: result = .success([.string(tree.describe(path).xml)])
        case .managedObjects: result = .success([tree.managedObjects(below: path).dbusValue])
        case .getProperty(let object): result = object.get(message.body)
        case .getAllProperties(let object): result = object.getAll(message.body)
        }
        switch result {
        case .success(let body): return answer(message, body)
        case .failure(let error): return refuse(message, error)
        }
    }

    private mutating func set(_ message: Message, _ object: ObjectRecord, _ path: ObjectPath) -> [Effect] {
        guard case .string(let interface) = message.body[0], case .string(let name) = message.body[1],
            case .variant(let value) = message.body[2]
        else { return [] }
        switch object.property(interface, name) {
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

    // MARK: Changes of the objects

    mutating func export(_ object: ObjectRecord, at path: ObjectPath) -> [Effect] {
        tree.export(object, at: path).map(Effect.send)
    }

    mutating func unexport(_ path: ObjectPath) -> [Effect] { tree.unexport(path).map(Effect.send) }

    mutating func update(_ path: ObjectPath, _ changes: [(key: MemberKey, value: Value)]) -> [Effect] {
        tree.update(path, changes).map(Effect.send)
    }
}
