/// A receiver of signals, and the match rules that were added for it.
struct Listener {
    enum Sink {
        case messages(AsyncStream<Message>.Continuation)
        case handler(@Sendable (Message) -> Void)
        case owners(AsyncStream<NameOwnerChange>.Continuation)
        case lostNames(AsyncStream<BusName>.Continuation)
    }

    let sink: Sink
    var rules: [MatchRule] = []

    func deliver(_ message: Message) {
        switch sink {
        case .messages(let stream): stream.yield(message)
        case .handler(let handler): handler(message)
        case .owners: break
        case .lostNames(let stream):
            if let text = try? BusInterface.nameLost.decode(message), let name = try? BusName(text) {
                stream.yield(name)
            }
        }
    }

    func deliver(_ change: NameOwnerChange) {
        if case .owners(let stream) = sink { stream.yield(change) }
    }

    func finish() {
        switch sink {
        case .messages(let stream): stream.finish()
        case .handler: break
        case .owners(let stream): stream.finish()
        case .lostNames(let stream): stream.finish()
        }
    }
}

extension Bus {
    /// The signals that match `rule`, in the order of arrival, from the moment this returns.
    ///
    /// A well-known sender means its current owner: signals of other connections are not delivered. The stream ends
    /// with the connection; when the iteration ends, the match rule is removed.
    /// - Parameter buffering: Which unread signals are kept. By default the newest 1,024.
    /// - Throws: The bus's error about the rule, `Disconnected`, or `Timeout`.
    public func signals(
        matching rule: MatchRule,
        buffering: AsyncStream<Message>.Continuation.BufferingPolicy = .bufferingNewest(1024)
    ) async throws(DBusError) -> AsyncStream<Message> {
        let (stream, continuation) = AsyncStream.makeStream(of: Message.self, bufferingPolicy: buffering)
        let id = nextID()
        try add(id, Listener(sink: .messages(continuation)))
        continuation.onTermination = dropping(id)
        try await listen(id, rule)
        return stream
    }

    /// Calls `body` on the bus's executor for each signal that matches `rule`, from the moment this returns until the
    /// connection ends. That costs less than a stream and a task.
    ///
    /// It is called at the end of the loop's turn: after whatever runs on the loop because of a reply that arrived
    /// before the signal.
    ///
    /// As with ``signals(matching:buffering:)``, a well-known sender means its current owner.
    /// - Throws: The bus's error about the rule, `Disconnected`, or `Timeout`.
    public func forEachSignal(
        matching rule: MatchRule,
        _ body: @escaping @Sendable (Message) -> Void
    ) async throws(DBusError) {
        let id = nextID()
        // Not at once: the replies before the signal have only enqueued those who wait for them.
        try add(id, Listener(sink: .handler { [loop] message in loop.executeBeforeWaiting { body(message) } }))
        try await listen(id, rule)
    }

    private func listen(_ id: Router.ListenerID, _ rule: MatchRule) async throws(DBusError) {
        // The order matters: first the listener, then the owner, then the rule. So the owner is known when the first
        // signal arrives.
        router.listen(id, rule)
        do throws(DBusError) {
            if let name = rule.trackedName { try await track(name, for: id) }
            try await addMatch(rule, for: id)
        } catch {
            drop(id)
            throw error
        }
    }

    /// The owner of `name`: first the current one, then every change. The stream ends with the connection.
    /// - Throws: `Disconnected` or `Timeout`.
    public func nameOwnerChanges(of name: BusName) async throws(DBusError) -> AsyncStream<NameOwnerChange> {
        let (stream, continuation) = AsyncStream.makeStream(of: NameOwnerChange.self)
        let id = nextID()
        try add(id, Listener(sink: .owners(continuation)))
        continuation.onTermination = dropping(id)
        router.watchOwner(id, of: name)
        do throws(DBusError) {
            try await track(name, for: id)
        } catch {
            drop(id)
            throw error
        }
        return stream
    }

    /// The names that this connection lost to another one. Released names are included.
    /// - Throws: `Disconnected`.
    public func lostNames() throws(DBusError) -> AsyncStream<BusName> {
        let (stream, continuation) = AsyncStream.makeStream(of: BusName.self)
        let id = nextID()
        try add(id, Listener(sink: .lostNames(continuation)))
        continuation.onTermination = dropping(id)
        // The bus sends this signal to the connection without a match rule.
        router.listen(id, MatchRule(sender: .bus, interface: BusInterface.name, member: BusInterface.nameLost.name))
        return stream
    }

    private func add(_ id: Router.ListenerID, _ listener: Listener) throws(DBusError) {
        if isClosed { throw .closed }
        listeners[id] = listener
    }

    private func addMatch(_ rule: MatchRule, for id: Router.ListenerID) async throws(DBusError) {
        // Not sent then; its removal would remove an equal rule of another listener.
        if Task.isCancelled { throw .cancelled }
        listeners[id]?.rules.append(rule)
        try await busCall(BusInterface.addMatch, rule.description)
    }

    private func track(_ name: BusName, for id: Router.ListenerID) async throws(DBusError) {
        let change = MatchRule(
            sender: .bus,
            path: BusInterface.path,
            interface: BusInterface.name,
            member: BusInterface.nameOwnerChanged.name,
            arg0: name.text
        )
        try await addMatch(change, for: id)
        let changes = router.ownerChanges(of: name)
        perform(router.ownerWas(try await nameOwner(of: name), of: name, after: changes))
    }

    /// Retains the connection while the stream is in use. The reference cycle ends with the stream or the connection.
    private nonisolated func dropping<Reason>(_ id: Router.ListenerID) -> @Sendable (Reason) -> Void {
        { _ in self.loop.execute { self.assumeIsolated { $0.drop(id) } } }
    }

    private func drop(_ id: Router.ListenerID) {
        guard let listener = listeners.removeValue(forKey: id) else { return }
        router.removeListener(id)
        listener.finish()
        for rule in listener.rules {
            let body: [Value] = [.string(rule.description)]
            var message = Message.methodCall(
                .bus,
                BusInterface.path,
                BusInterface.name,
                BusInterface.removeMatch.name,
                body
            )
            message.noReplyExpected = true
            _ = try? send(message)
        }
    }
}
