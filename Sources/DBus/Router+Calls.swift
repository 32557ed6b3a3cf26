/// Incoming calls of exported objects and of the standard interfaces, which every object has.
extension Router {
    mutating func receiveCall(_ message: Message) -> [Effect] {
        guard let path = message.path, let member = message.member else { return [] }
        if message.interface == PeerInterface.name { return receivePeer(message, member) }
        guard let object = tree.objects[path] ?? (tree.isNode(path) ? ObjectRecord() : nil) else {
            return refuse(message, DBusError(.unknownObject, "There is no object at “\(path)”."))
        }
        if let interface = message.interface {
            if let own = object.interface(interface) { return call(own, member, object, path, message) }
            guard tree.standardInterfaces(at: path).contains(where: { $0.name == interface }) else {
                return refuse(message, DBusError(.unknownInterface, "“\(path)” has no interface “\(interface)”."))
            }
            return callStandard(interface, member, object, path, message)
        }
        // Without an interface, the first one with this method is used.
        func has(_ interface: InterfaceDescription) -> Bool {
            interface.members.contains { if case .method(member, _, _) = $0 { true } else { false } }
        }
        if let own = object.interfaces.first(where: has) { return call(own, member, object, path, message) }
        guard let standard = (tree.standardInterfaces(at: path) + [PeerInterface.description]).first(where: has) else {
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
            return checked(message, "") { .success([.string(tree.describe(path).xml)]) }
        case (ObjectManagerInterface.name, ObjectManagerInterface.getManagedObjects.name):
            return checked(message, "") { .success([tree.managedObjects(below: path).dbusValue]) }
        case (PropertiesInterface.name, PropertiesInterface.get.name):
            return checked(message, "ss") { object.get(message.body) }
        case (PropertiesInterface.name, PropertiesInterface.getAll.name):
            return checked(message, "s") { object.getAll(message.body) }
        case (PropertiesInterface.name, PropertiesInterface.set.name):
            guard message.signature.text == "ssv" else { return refuse(message, wrongArguments("ssv", message)) }
            return set(message, object, path)
        default:
            return refuse(message, unknownMethod(interface, member))
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

    // MARK: Changes of the objects

    mutating func export(_ object: ObjectRecord, at path: ObjectPath) -> [Effect] {
        tree.export(object, at: path).map(Effect.send)
    }

    mutating func unexport(_ path: ObjectPath) -> [Effect] { tree.unexport(path).map(Effect.send) }

    mutating func update(_ path: ObjectPath, _ changes: [(key: MemberKey, value: Value)]) -> [Effect] {
        tree.update(path, changes).map(Effect.send)
    }
}
