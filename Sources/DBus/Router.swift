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
    }

    private struct Ownership {
        var listeners = 0
        var isKnown = false
        var owner: BusName?
        /// The number of changes that the bus has signalled.
        var changes = 0
    }

    /// The maximum number of incoming calls that are waiting or running; a further one is refused with
    /// `LimitsExceeded`.
    let maximumInvocations: Int
    /// The maximum number of running calls of one caller. Its further calls wait; calls of other callers do not.
    static let maximumPerCaller = 32
    let machineID: String?

    private var calls: [UInt32: CallID] = [:]
    /// In the order of registration, which is the order of delivery.
    private var listeners: [(id: ListenerID, listener: Listener)] = []
    private var owners: [BusName: Ownership] = [:]
    private(set) var invocations = 0
    private var callers: [BusName?: Caller] = [:]
    /// The exported objects.
    var tree = ObjectTree()

    init(machineID: String? = nil, maximumInvocations: Int = 1024) {
        self.machineID = machineID
        self.maximumInvocations = maximumInvocations
    }

    // MARK: Outgoing calls

    /// A call was sent with this serial.
    mutating func called(_ serial: UInt32, _ call: CallID) { calls[serial] = call }

    /// The call is no longer awaited; a late reply is ignored.
    mutating func discard(_ serial: UInt32) { calls[serial] = nil }

    // MARK: Incoming messages

    /// Handles an incoming message. `unreadable` is the error if its body could not be decoded.
    mutating func receive(_ message: Message, unreadable: DBusError? = nil) -> [Effect] {
        switch message.kind {
        case .methodReturn, .error:
            guard let serial = message.replySerial, let call = calls.removeValue(forKey: serial) else { return [] }
            if let error = unreadable ?? message.error { return [.complete(call, .failure(error))] }
            return [.complete(call, .success(message))]
        case .signal:
            return unreadable == nil ? receiveSignal(message) : []
        case .methodCall:
            if let unreadable { return refuse(message, unreadable) }
            return receiveCall(message)
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

    private mutating func receiveSignal(_ message: Message) -> [Effect] {
        var effects: [Effect] = []
        if message.member == BusInterface.nameOwnerChanged.name, message.sender == .bus,
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
        guard invocations < maximumInvocations else {
            return refuse(
                message,
                DBusError(.limitsExceeded, "Too many calls are waiting for a reply; retry later.")
            )
        }
        invocations += 1
        let invocation = Invocation(path: path, target: target, message: message)
        guard callers[message.sender, default: Caller()].running < Self.maximumPerCaller else {
            callers[message.sender]?.waiting.append(invocation)
            return []
        }
        callers[message.sender, default: Caller()].running += 1
        return [.invoke(invocation)]
    }

    /// A handler has ended.
    mutating func finished(_ message: Message, _ result: Result<EncodedBody, DBusError>) -> [Effect] {
        invocations -= 1
        let answer: [Effect] =
            switch result {
            case .success(let body): message.noReplyExpected ? [] : [.send(.methodReturn(to: message).with(body))]
            case .failure(let error): refuse(message, error)
            }
        return answer + next(of: message.sender)
    }

    /// Starts the next waiting call of a caller after one of its handlers has ended.
    private mutating func next(of caller: BusName?) -> [Effect] {
        guard let calls = callers[caller] else { return [] }
        guard let next = calls.waiting.first else {
            callers[caller] = calls.running == 1 ? nil : Caller(running: calls.running - 1)
            return []
        }
        callers[caller]?.waiting.removeFirst()
        return [.invoke(next)]
    }

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
