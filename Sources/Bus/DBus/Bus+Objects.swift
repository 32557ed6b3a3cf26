extension Bus {
    /// Exports an object and replaces the one at its path. Its handlers run while ``run()`` runs; reads of properties
    /// and introspection are answered at once.
    /// - Throws: `InvalidArgs` if a readable property has no value; `Disconnected`.
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

    /// Removes an object. Running handlers finish.
    public func unexport(_ path: ObjectPath) {
        exported[path] = nil
        perform(router.unexport(path))
    }

    /// Makes `path` an `org.freedesktop.DBus.ObjectManager` of the objects below it.
    public func exportObjectManager(at path: ObjectPath) { router.tree.managers.insert(path) }

    /// Sets properties of one object, in one turn and with one `PropertiesChanged` per interface. Unchanged values are
    /// not announced; properties declared `const` keep their value. Does nothing if no object is exported at `path`.
    public nonisolated func update(_ path: ObjectPath, _ body: (inout PropertyChanges) -> Void) async {
        var changes = PropertyChanges()
        body(&changes)
        await set(changes, at: path)
    }

    /// Like ``update(_:_:)``, for callers that run on the bus's executor.
    public func set(_ changes: PropertyChanges, at path: ObjectPath) {
        perform(router.update(path, changes.changes))
    }

    /// Emits a signal from the object at `path`: as a broadcast, or to one connection.
    /// - Throws: `Disconnected`, `LimitsExceeded`.
    public func emit<I: Interface, each A>(
        _ signal: InterfaceSignal<I, (repeat each A)>,
        _ arguments: repeat each A,
        from path: ObjectPath,
        to destination: BusName? = nil
    ) throws(DBusError) {
        try emit(signal, encoded: signal.encode((repeat each arguments)), from: path, to: destination)
    }

    /// Emits a signal whose arguments are encoded, by this signal or one with arguments of the same types.
    /// - Throws: `Disconnected`, `LimitsExceeded`; `InvalidArgs` if the types differ.
    public func emit<I: Interface, Arguments>(
        _ signal: InterfaceSignal<I, Arguments>,
        encoded arguments: EncodedBody,
        from path: ObjectPath,
        to destination: BusName? = nil
    ) throws(DBusError) {
        guard arguments.signature == signal.arguments.signature else {
            throw DBusError(.invalidArgs, "“\(arguments.signature)” are not the arguments of \(signal.name).")
        }
        try send(Message.signal(path, I.name, signal.name, to: destination).with(arguments))
    }

    /// Runs the handler of a call. It starts on the bus's queue, in the turn in which `run()` takes the call, so
    /// handlers start in the order in which the calls arrived.
    func execute(_ invocation: Router.Invocation) async {
        let result: Result<EncodedBody, DBusError>
        do {
            result = .success(try await handle(invocation))
        } catch {
            result = .failure(DBusError(reporting: error))
        }
        perform(router.finished(invocation.message, result))
        releaseHeld(1)
    }

    /// Drops the waiting calls of a caller when it leaves the bus.
    func follow(caller: BusName) async {
        guard let owners = try? await nameOwnerChanges(of: caller) else { return router.stopFollowing(caller) }
        for await change in owners where change.new == nil { break }
        router.vanished(caller)
    }

    private func handle(_ invocation: Router.Invocation) async throws -> EncodedBody {
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
            return .empty
        }
        throw DBusError(.unknownObject, "The object at “\(invocation.path)” was removed.")
    }
}
