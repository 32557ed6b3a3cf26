/// The exported objects and object managers of a connection. Its changes return the signals to send.
struct ObjectTree: Sendable {
    private(set) var objects: [ObjectPath: ObjectRecord] = [:]
    var managers: Set<ObjectPath> = []

    /// Whether an object is exported at `path` or below.
    func isNode(_ path: ObjectPath) -> Bool {
        path == .root || managers.contains(path) || objects.keys.contains { $0.isBelow(path) }
            || managers.contains { $0.isBelow(path) }
    }

    func standardInterfaces(at path: ObjectPath) -> [InterfaceDescription] {
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

    /// Sets properties of one object, with one signal per interface. Does nothing if no object is exported at `path`.
    mutating func update(_ path: ObjectPath, _ changes: [(key: MemberKey, value: Value)]) -> [Message] {
        let announced = objects[path]?.update(changes) ?? []
        let name = PropertiesInterface.propertiesChanged.name
        return announced.compactMap { change in
            guard let arguments = try? change.arguments else { return nil }
            return .signal(path, PropertiesInterface.name, name).with(arguments)
        }
    }

    /// Exports an object at `path` and replaces the one there.
    mutating func export(_ object: ObjectRecord, at path: ObjectPath) -> [Message] {
        let signals = unexport(path)
        objects[path] = object
        let body = ObjectManagerInterface.interfacesAdded.arguments.values((path, object.allReadable))
        return signals + signalFromManager(of: path, ObjectManagerInterface.interfacesAdded.name, body)
    }

    /// Removes the object at `path`.
    mutating func unexport(_ path: ObjectPath) -> [Message] {
        guard let object = objects.removeValue(forKey: path) else { return [] }
        let names = object.interfaces.map(\.name.text)
        let body = ObjectManagerInterface.interfacesRemoved.arguments.values((path, names))
        return signalFromManager(of: path, ObjectManagerInterface.interfacesRemoved.name, body)
    }

    /// The nearest object manager above emits the signal; nested managers manage their own subtree.
    private func signalFromManager(of path: ObjectPath, _ signal: MemberName, _ body: [Value]) -> [Message] {
        var ancestor = path.parent
        while let candidate = ancestor {
            if managers.contains(candidate) {
                return [.signal(candidate, ObjectManagerInterface.name, signal, body)]
            }
            ancestor = candidate.parent
        }
        return []
    }

    /// The reply to `GetManagedObjects`.
    func managedObjects(below manager: ObjectPath) -> [ObjectPath: [String: [String: Value]]] {
        objects.filter { $0.key.isBelow(manager) }.mapValues(\.allReadable)
    }
}
