/// Decides what every message means for this connection: whose reply it is, who listens to it, which object it calls.
///
/// A value: messages in, effects out. It knows no socket, no clock and no task, and holds the exported objects as data, so that the
/// standard interfaces are answered here (see `Router+Objects.swift`). Handlers are run by ``Bus``.
struct Router: Sendable {
    typealias CallID = UInt64
    typealias ListenerID = UInt64

    enum Effect: Equatable {
        /// A call is answered, or has failed.
        case complete(CallID, Result<Message, DBusError>)
        /// A listener gets a signal.
        case deliver(ListenerID, Message)
        /// A watched name has another owner, or is told for the first time.
        case owner(ListenerID, NameOwnerChange)
        /// To be written.
        case send(Message)
        /// A handler has to run; `finished` is expected when it did.
        case invoke(Invocation)
    }

    /// A call that one of our handlers has to answer.
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
        case signals(MatchRule)
        /// `told`: the first element, the owner of the moment, was delivered.
        case owner(of: BusName, told: Bool)
    }

    /// Whose calls are handled. Here only as long as there are any.
    private struct Caller {
        var running = 0
        /// In the order of arrival.
        var waiting: [Invocation] = []
    }

    private struct Ownership {
        var listeners = 0
        var isKnown = false
        var owner: BusName?
        /// How many the bus has told.
        var changes = 0
    }

    /// Calls that may be waiting for their handlers, or handled, at once; one beyond is refused with `LimitsExceeded`.
    let maximumInvocations: Int
    /// Calls of one caller that are handled at once. Its next ones wait, and those of others do not wait for them.
    static let maximumPerCaller = 32
    let machineID: String?

    private var calls: [UInt32: CallID] = [:]
    /// In the order of registration, which is the order of delivery.
    private var listeners: [(id: ListenerID, listener: Listener)] = []
    private var owners: [BusName: Ownership] = [:]
    private(set) var invocations = 0
    private var callers: [BusName?: Caller] = [:]
    var objects: [ObjectPath: ObjectRecord] = [:]
    var managers: Set<ObjectPath> = []

    init(machineID: String? = nil, maximumInvocations: Int = 1024) {
        self.machineID = machineID
        self.maximumInvocations = maximumInvocations
    }

    // MARK: Calls we make

    /// A call was sent as number `serial`.
    mutating func called(_ serial: UInt32, _ call: CallID) { calls[serial] = call }

    /// Nobody waits any more; a late reply will be dropped.
    mutating func forget(_ serial: UInt32) { calls[serial] = nil }

    // MARK: Messages we get

    /// A message arrived. `unreadable` says why its body could not be read.
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
        listeners.append((id, .signals(rule)))
        if let name = rule.trackedName { owners[name, default: Ownership()].listeners += 1 }
    }

    mutating func watchOwner(_ id: ListenerID, of name: BusName) {
        listeners.append((id, .owner(of: name, told: false)))
        owners[name, default: Ownership()].listeners += 1
    }

    mutating func removeListener(_ id: ListenerID) {
        guard let index = listeners.firstIndex(where: { $0.id == id }) else { return }
        let name: BusName? =
            switch listeners.remove(at: index).listener {
            case .signals(let rule): rule.trackedName
            case .owner(let name, _): name
            }
        guard let name, var ownership = owners[name] else { return }
        ownership.listeners -= 1
        owners[name] = ownership.listeners == 0 ? nil : ownership
    }

    /// How many changes of `name`'s owner the bus has told.
    func ownerChanges(of name: BusName) -> Int { owners[name]?.changes ?? 0 }

    /// The bus answered who owns `name`, to a question asked after so many changes. If there were more since, they came after the answer, or
    /// the answer knows them already: what they said counts.
    mutating func ownerWas(_ owner: BusName?, of name: BusName, after changes: Int) -> [Effect] {
        guard let ownership = owners[name] else { return [] }
        return ownerIs(ownership.changes == changes ? owner : ownership.owner, of: name)
    }

    /// The bus told who owns `name` now.
    private mutating func ownerIs(_ owner: BusName?, of name: BusName) -> [Effect] {
        guard var ownership = owners[name] else { return [] }
        let old = ownership.isKnown ? ownership.owner : nil
        let changed = !ownership.isKnown || ownership.owner != owner
        ownership.isKnown = true
        ownership.owner = owner
        owners[name] = ownership
        var effects: [Effect] = []
        for index in listeners.indices {
            guard case .owner(of: name, let told) = listeners[index].listener, changed || !told else { continue }
            listeners[index].listener = .owner(of: name, told: true)
            effects.append(.owner(listeners[index].id, NameOwnerChange(name: name, old: told ? old : nil, new: owner)))
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
            let owner = rule.trackedName.flatMap { owners[$0]?.owner }
            if rule.matches(message, owner: owner) { effects.append(.deliver(id, message)) }
        }
        return effects
    }

    // MARK: Handlers

    /// Starts a handler, if there is room for one more.
    mutating func invoke(_ target: Invocation.Target, at path: ObjectPath, for message: Message) -> [Effect] {
        guard invocations < maximumInvocations else {
            return refuse(
                message,
                DBusError(.limitsExceeded, "Too many calls are waiting for an answer; try again later.")
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

    /// A handler ended.
    mutating func finished(_ message: Message, _ result: Result<[Value], DBusError>) -> [Effect] {
        invocations -= 1
        let answer =
            switch result {
            case .success(let body): answer(message, body)
            case .failure(let error): refuse(message, error)
            }
        return answer + next(of: message.sender)
    }

    /// A handler of this caller has ended: its next call takes the place.
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

/// A name changed hands.
public struct NameOwnerChange: Sendable, Hashable {
    /// The well-known name.
    public var name: BusName
    /// Who owned it; `nil` for nobody.
    public var old: BusName?
    /// Who owns it; `nil` for nobody.
    public var new: BusName?

    /// `name` went from `old` to `new`.
    public init(name: BusName, old: BusName?, new: BusName?) {
        self.name = name
        self.old = old
        self.new = new
    }
}
