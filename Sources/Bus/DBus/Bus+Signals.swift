import Basics

/// A receiver of signals or of changes of an owner, and the match rules that were added for it.
struct Listener {
    var receive: (Message) -> Void = { _ in }
    var ownerChanged: (NameOwnerChange) -> Void = { _ in }
    /// The connection has ended, or the receiver is no longer wanted.
    var finish: () -> Void = {}
    var rules: [MatchRule] = []
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
        try add(id, Listener(receive: { continuation.yield($0) }, finish: { continuation.finish() }))
        continuation.onTermination = dropping([id])
        try await listen(id, rule)
        return stream
    }

    /// Whether `name` has an owner: first now, then after every change, and again after every signal that matches
    /// `rule`. Only the newest element is kept. The stream ends with the connection.
    ///
    /// For a state that is read from a service when it appears and when it announces a change.
    /// - Parameter rule: Its sender is `name`.
    /// - Throws: The bus's error about the rule, `Disconnected`, or `Timeout`.
    public func presence(of name: BusName, andSignals rule: MatchRule) async throws(DBusError) -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let (signals, owners) = (nextID(), nextID())
        try add(signals, Listener(receive: { _ in continuation.yield(true) }, finish: { continuation.finish() }))
        try add(owners, Listener(ownerChanged: { continuation.yield($0.new != nil) }))
        continuation.onTermination = dropping([signals, owners])
        router.listen(signals, rule)
        router.watchOwner(owners, of: name)
        do throws(DBusError) {
            try await subscribe(signals, owner: name, rule: rule)
        } catch {
            drop(owners)
            throw error
        }
        return stream
    }

    /// Calls `body` on the bus's executor for each signal that matches `rule`, from the moment this returns until the
    /// connection ends. That costs less than a stream and a task.
    ///
    /// `body` is called at the end of the loop's turn: after whatever runs on the loop because of a reply that arrived
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
        try add(id, Listener(receive: { [loop] message in loop.executeBeforeWaiting { body(message) } }))
        try await listen(id, rule)
    }

    private func listen(_ id: Router.ListenerID, _ rule: MatchRule) async throws(DBusError) {
        // The order matters: first the listener, then the owner, then the rule. So the owner is known when the first
        // signal arrives.
        router.listen(id, rule)
        try await subscribe(id, owner: rule.trackedName, rule: rule)
    }

    private func watchOwner(_ id: Router.ListenerID, of name: BusName) async throws(DBusError) {
        router.watchOwner(id, of: name)
        try await subscribe(id, owner: name)
    }

    private func subscribe(_ id: Router.ListenerID, owner: BusName?, rule: MatchRule? = nil) async throws(DBusError) {
        // Who listens waits for a long time afterwards.
        let result = await inChildTask { () async -> Result<Void, DBusError> in
            do throws(DBusError) {
                if let owner { try await self.track(owner, for: id) }
                if let rule { try await self.addMatch(rule, for: id) }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        if case .failure(let error) = result {
            drop(id)
            throw error
        }
    }

    /// The owner of `name`: first the current one, then every change. The stream ends with the connection.
    /// - Throws: `Disconnected` or `Timeout`.
    public func nameOwnerChanges(of name: BusName) async throws(DBusError) -> AsyncStream<NameOwnerChange> {
        let (stream, continuation) = AsyncStream.makeStream(of: NameOwnerChange.self)
        let id = nextID()
        try add(id, Listener(ownerChanged: { continuation.yield($0) }, finish: { continuation.finish() }))
        continuation.onTermination = dropping([id])
        try await watchOwner(id, of: name)
        return stream
    }

    /// The names that this connection lost to another one. Released names are included.
    /// - Throws: `Disconnected`.
    public func lostNames() throws(DBusError) -> AsyncStream<BusName> {
        let (stream, continuation) = AsyncStream.makeStream(of: BusName.self)
        let id = nextID()
        try add(
            id,
            Listener(
                receive: { message in
                    if let text = try? BusInterface.nameLost.decode(message), let name = try? BusName(text) {
                        continuation.yield(name)
                    }
                },
                finish: { continuation.finish() }
            )
        )
        continuation.onTermination = dropping([id])
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
    private nonisolated func dropping<Reason>(_ ids: [Router.ListenerID]) -> @Sendable (Reason) -> Void {
        { _ in self.loop.execute { self.assumeIsolated { bus in ids.forEach { bus.drop($0) } } } }
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
