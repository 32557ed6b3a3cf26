import Basics

/// Routes every message of a connection: to the waiting call, to listeners, or to an exported object.
///
/// A value without I/O: messages in, effects out. It holds the exported objects as data and answers the standard
/// interfaces. ``Bus`` runs the handlers.
struct Router: Sendable {
    typealias CallID = UInt64
    typealias ListenerID = UInt64

    enum Effect: Equatable {
        /// A call has its reply or failed.
        case complete(CallID, Result<Message, DBusError>)
        /// Deliver a signal to a listener.
        case deliver(ListenerID, Message)
        /// Report the owner of a watched name: at first, and after a change.
        case owner(ListenerID, NameOwnerChange)
        /// Send a message.
        case send(Message)
        /// Run a handler and then call `finished`.
        case invoke(Invocation)
        /// Call `vanished` when this caller leaves the bus.
        case followCaller(BusName)
    }

    /// An incoming call for a handler.
    struct Invocation: Sendable, Equatable {
        enum Target: Sendable, Equatable {
            case method(InterfaceName, MemberName)
            case setter(InterfaceName, MemberName, Value)
        }
        let path: ObjectPath
        let target: Target
        let message: Message
    }

    private enum Listener {
        case signals(Shared<MatchRule>)
        /// `wasReported`: the current owner, the first element, was delivered.
        case owner(of: BusName, wasReported: Bool)
    }

    /// The calls of one caller. Exists only while there are any.
    private struct Caller {
        var running = 0
        /// In the order of arrival.
        var waiting: [Invocation] = []
        var load = Load()
    }

    /// Incoming calls that are waiting or running.
    private struct Load {
        var calls = 0
        /// The size of their arguments in memory, in bytes.
        var size = 0

        static func + (load: Load, message: Message) -> Load {
            Load(calls: load.calls + 1, size: load.size + message.size)
        }

        static func - (load: Load, message: Message) -> Load {
            Load(calls: load.calls - 1, size: load.size - message.size)
        }

        static func - (load: Load, other: Load) -> Load {
            Load(calls: load.calls - other.calls, size: load.size - other.size)
        }

        /// A part of it.
        func times(_ numerator: Int, over denominator: Int) -> Load {
            Load(calls: calls * numerator / denominator, size: size * numerator / denominator)
        }

        func isWithin(_ limit: Load) -> Bool { calls <= limit.calls && size <= limit.size }
    }

    private struct Ownership {
        var listeners = 0
        var isKnown = false
        var owner: BusName?
        /// The number of changes that the bus has signalled.
        var changes = 0
    }

    /// The limit of all incoming calls that are waiting or running; a further one is refused with `LimitsExceeded`.
    private let limit: Load
    /// The same limit for the calls of one caller, see ``hasRoom(for:of:)``.
    private static let callerLimit = Load(calls: 1024, size: 8 << 20)
    /// What a caller may have as long as there is any room: that of a program with one question at a time.
    private static let smallLoad = Load(calls: 4, size: 32 << 10)
    /// The maximum number of running calls of one caller. Its further calls wait; calls of other callers do not.
    static let maximumPerCaller = 32
    let machineID: String?

    private var calls: [UInt32: CallID] = [:]
    /// In the order of registration, which is the order of delivery.
    private var listeners: [(id: ListenerID, listener: Listener)] = []
    private var owners: [BusName: Ownership] = [:]
    private var load = Load()
    /// The number of incoming calls that are waiting or running.
    var invocations: Int { load.calls }
    private var callers: [BusName?: Caller] = [:]
    /// The callers whose end is awaited.
    private var followedCallers: Set<BusName> = []
    /// The exported objects.
    var tree = ObjectTree()

    init(machineID: String? = nil, maximumInvocations: Int = 4096) {
        self.machineID = machineID
        limit = Load(calls: maximumInvocations, size: 32 << 20)
    }

    // MARK: Outgoing calls

    /// A call was sent with this serial.
    mutating func called(_ serial: UInt32, _ call: CallID) { calls[serial] = call }

    /// The call is no longer awaited; a late reply is ignored.
    mutating func discard(_ serial: UInt32) { calls[serial] = nil }

    // MARK: Incoming messages

    /// Handles an incoming message.
    ///
    /// - Parameters:
    ///   - header: The message, with or without its arguments.
    ///   - decode: Decodes the arguments. It is called only if they are needed: the message has a receiver, and a call
    ///     has the types that its method takes.
    mutating func receive(
        _ header: Message,
        decode: (inout Message) throws(DBusError) -> Void = { _ in }
    ) -> [Effect] {
        var message = header
        switch header.kind {
        case .methodReturn, .error:
            guard let serial = header.replySerial, let call = calls.removeValue(forKey: serial) else { return [] }
            do { try decode(&message) } catch { return [.complete(call, .failure(error))] }
            if let error = message.error { return [.complete(call, .failure(error))] }
            return [.complete(call, .success(message))]
        case .signal:
            guard isExpected(header), (try? decode(&message)) != nil else { return [] }
            return receiveSignal(message)
        case .methodCall:
            guard let path = header.path, let member = header.member else { return [] }
            do {
                let target = try target(of: header, path, member)
                try decode(&message)
                return dispatch(message, to: target, at: path)
            } catch {
                return refuse(message, error)
            }
        }
    }

    // MARK: Listeners

    mutating func listen(_ id: ListenerID, _ rule: MatchRule) {
        listeners.append((id, .signals(Shared(rule))))
        if let name = rule.trackedName { owners[name, default: Ownership()].listeners += 1 }
    }

    mutating func watchOwner(_ id: ListenerID, of name: BusName) {
        listeners.append((id, .owner(of: name, wasReported: false)))
        owners[name, default: Ownership()].listeners += 1
    }

    mutating func removeListener(_ id: ListenerID) {
        guard let index = listeners.firstIndex(where: { $0.id == id }) else { return }
        let name: BusName? =
            switch listeners.remove(at: index).listener {
            case .signals(let rule): rule.value.trackedName
            case .owner(let name, _): name
            }
        guard let name, var ownership = owners[name] else { return }
        ownership.listeners -= 1
        owners[name] = ownership.listeners == 0 ? nil : ownership
    }

    /// The number of owner changes of `name` that the bus has signalled.
    func ownerChanges(of name: BusName) -> Int { owners[name]?.changes ?? 0 }

    /// Handles the reply to GetNameOwner, which was called after `changes` changes. If there were more changes since,
    /// they are at least as new as the reply, so the last change counts.
    mutating func ownerWas(_ owner: BusName?, of name: BusName, after changes: Int) -> [Effect] {
        guard let ownership = owners[name] else { return [] }
        return ownerIs(ownership.changes == changes ? owner : ownership.owner, of: name)
    }

    /// Updates the owner of `name` and reports it to its listeners.
    private mutating func ownerIs(_ owner: BusName?, of name: BusName) -> [Effect] {
        guard var ownership = owners[name] else { return [] }
        let old = ownership.isKnown ? ownership.owner : nil
        let changed = !ownership.isKnown || ownership.owner != owner
        ownership.isKnown = true
        ownership.owner = owner
        owners[name] = ownership
        var effects: [Effect] = []
        for index in listeners.indices {
            guard case .owner(of: name, let wasReported) = listeners[index].listener, changed || !wasReported else {
                continue
            }
            listeners[index].listener = .owner(of: name, wasReported: true)
            effects.append(
                .owner(listeners[index].id, NameOwnerChange(name: name, old: wasReported ? old : nil, new: owner))
            )
        }
        return effects
    }

    private static func isOwnerChange(_ message: Message) -> Bool {
        message.member == BusInterface.nameOwnerChanged.name && message.sender == .bus
    }

    /// Whether a signal with this header may matter to a listener.
    private func isExpected(_ header: Message) -> Bool {
        Self.isOwnerChange(header)
            || listeners.contains { _, listener in
                guard case .signals(let rule) = listener else { return false }
                return rule.value.matchesHeader(of: header) { owners[$0]?.owner }
            }
    }

    private mutating func receiveSignal(_ message: Message) -> [Effect] {
        var effects: [Effect] = []
        if Self.isOwnerChange(message),
            case .string(let name) = message.body.first, case .string(let owner) = message.body.last,
            let name = try? BusName(name), owners[name] != nil
        {
            owners[name]?.changes += 1
            effects += ownerIs(try? BusName(owner), of: name)
        }
        for (id, listener) in listeners {
            guard case .signals(let rule) = listener else { continue }
            if rule.value.matches(message, owner: { owners[$0]?.owner }) { effects.append(.deliver(id, message)) }
        }
        return effects
    }

    // MARK: Handlers

    /// Starts a handler, within the limits.
    mutating func invoke(_ target: Invocation.Target, at path: ObjectPath, for message: Message) -> [Effect] {
        var caller = callers[message.sender] ?? Caller()
        guard (load + message).isWithin(limit) else {
            return refuse(message, DBusError(.limitsExceeded, "Too many calls are waiting for a reply; retry later."))
        }
        guard hasRoom(for: caller.load + message, of: caller) else {
            let sentence = "Too many calls of this connection are waiting for a reply; wait for some of the replies."
            return refuse(message, DBusError(.limitsExceeded, sentence))
        }
        load = load + message
        caller.load = caller.load + message
        defer { callers[message.sender] = caller }
        let invocation = Invocation(path: path, target: target, message: message)
        guard caller.running == Self.maximumPerCaller else {
            caller.running += 1
            return [.invoke(invocation)]
        }
        caller.waiting.append(invocation)
        guard let name = message.sender, followedCallers.insert(name).inserted else { return [] }
        return [.followCaller(name)]
    }

    /// Whether a caller may have this load. One that waits for much gets half of what others leave of three quarters of
    /// the limit: several together leave room for a caller with few calls.
    private func hasRoom(for new: Load, of caller: Caller) -> Bool {
        if new.isWithin(Self.smallLoad) { return true }
        let shared = limit.times(3, over: 4) - (load - caller.load)
        return new.isWithin(Self.callerLimit) && new.isWithin(shared.times(1, over: 2))
    }

    /// A handler has ended.
    mutating func finished(_ message: Message, _ result: Result<EncodedBody, DBusError>) -> [Effect] {
        let answer: [Effect] =
            switch result {
            case .success(let body): message.noReplyExpected ? [] : [.send(.methodReturn(to: message).with(body))]
            case .failure(let error): refuse(message, error)
            }
        return answer + next(after: message)
    }

    /// Starts the next waiting call of a caller after one of its handlers has ended.
    private mutating func next(after message: Message) -> [Effect] {
        load = load - message
        guard var caller = callers[message.sender] else { return [] }
        caller.load = caller.load - message
        let next = caller.waiting.isEmpty ? nil : caller.waiting.removeFirst()
        if next == nil { caller.running -= 1 }
        callers[message.sender] = caller.running == 0 ? nil : caller
        return next.map { [.invoke($0)] } ?? []
    }

    /// A caller has left the bus: drops its waiting calls, except those whose caller does not wait for a reply. Calls
    /// that have begun are performed to their end.
    mutating func vanished(_ name: BusName) {
        followedCallers.remove(name)
        guard var caller = callers[name] else { return }
        for dropped in caller.waiting where !dropped.message.noReplyExpected {
            load = load - dropped.message
            caller.load = caller.load - dropped.message
        }
        caller.waiting.removeAll { !$0.message.noReplyExpected }
        callers[name] = caller
    }

    /// The end of this caller is not reported.
    mutating func stopFollowing(_ name: BusName) { followedCallers.remove(name) }

    func answer(_ call: Message, _ body: [Value]) -> [Effect] {
        call.noReplyExpected ? [] : [.send(.methodReturn(to: call, body))]
    }

    func refuse(_ call: Message, _ error: DBusError) -> [Effect] {
        call.noReplyExpected ? [] : [.send(.error(to: call, error))]
    }
}

/// A change of the owner of a name.
public struct NameOwnerChange: Sendable, Hashable {
    /// The well-known name.
    public var name: BusName
    /// The old owner; `nil` for none.
    public var old: BusName?
    /// The new owner; `nil` for none.
    public var new: BusName?

    /// A change of `name` from `old` to `new`.
    public init(name: BusName, old: BusName?, new: BusName?) {
        self.name = name
        self.old = old
        self.new = new
    }
}
