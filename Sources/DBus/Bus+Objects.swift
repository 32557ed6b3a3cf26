extension Bus {
    /// Exports an object, in place of the one at its path. Calls reach it while ``run()`` runs; properties and introspection are
    /// answered at once.
    /// - Throws: `InvalidArgs` when a property that can be read has no value; `Disconnected`.
    public func export(_ object: ExportedObject) throws(DBusError) {
        if isClosed { throw .closed }
        if let missing = object.missingValue {
            throw DBusError(
                .invalidArgs,
                "The property “\(missing.interface).\(missing.member)” of “\(object.path)” has no value."
            )
        }
        exported[object.path] = object
        perform(router.export(object.record, at: object.path))
    }

    /// Takes an object away. A handler that runs may finish.
    public func unexport(_ path: ObjectPath) {
        exported[path] = nil
        perform(router.unexport(path))
    }

    /// Makes `path` answer `org.freedesktop.DBus.ObjectManager` for the objects below, and tell when they come and go.
    public func exportObjectManager(at path: ObjectPath) { router.managers.insert(path) }

    /// Gives properties of one object new values, in one turn and with one `PropertiesChanged` per interface. Values that are no news are not
    /// told; properties declared `const` keep theirs. When nothing is exported at `path`, nothing happens.
    public nonisolated func update(_ path: ObjectPath, _ body: (inout PropertyChanges) -> Void) async {
        var changes = PropertyChanges()
        body(&changes)
        await apply(changes, to: path)
    }

    private func apply(_ changes: PropertyChanges, to path: ObjectPath) {
        perform(router.update(path, changes.changes))
    }

    /// Sends a signal from the object at `path`: to everybody who listens, or to one connection.
    /// - Throws: `Disconnected`, `LimitsExceeded`.
    public func emit<I: Interface, each A>(
        _ signal: InterfaceSignal<I, (repeat each A)>,
        _ arguments: repeat each A,
        from path: ObjectPath,
        to destination: BusName? = nil
    ) throws(DBusError) {
        try send(.signal(path, I.name, signal.name, signal.arguments.encode((repeat each arguments)), to: destination))
    }

    /// Runs the handler of a call. Begins on the bus's queue, in the turn in which `run()` meets the call: so handlers begin in the order
    /// in which the calls arrived.
    func execute(_ invocation: Router.Invocation) async {
        let result: Result<[Value], DBusError>
        do {
            result = .success(try await handle(invocation))
        } catch {
            result = .failure(DBusError(reporting: error))
        }
        perform(router.finished(invocation.message, result))
        releaseHeld(1)
    }

    private func handle(_ invocation: Router.Invocation) async throws -> [Value] {
        let context = CallContext(sender: invocation.message.sender, message: invocation.message)
        switch invocation.target {
        case .method(let interface, let member):
            guard let handler = exported[invocation.path]?.handlers[MemberKey(interface: interface, member: member)]
            else { break }
            return try await handler(invocation.message.body, context)
        case .setter(let interface, let member, let value):
            let key = MemberKey(interface: interface, member: member)
            guard let setter = exported[invocation.path]?.setters[key] else { break }
            try await setter(value, context)
            perform(router.update(invocation.path, [(key, value)]))
            return []
        }
        throw DBusError(.unknownObject, "There is no object at “\(invocation.path)” any more.")
    }
}
