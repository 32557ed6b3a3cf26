import Dispatch

/// A connection to a message bus.
///
/// ```swift
/// let bus = try await Bus.connect(to: .session)
/// try await withThrowingDiscardingTaskGroup { group in
///     group.addTask { try await bus.run() }
///     …
/// }
/// ```
///
/// Calls, signals and names work from ``connect(to:clock:)`` on. ``run()`` is the lifetime of what the connection does for others: the
/// handlers of exported objects are its child tasks. A program that only asks a question needs no `run()`.
///
/// Everything happens on one queue, which never waits. What is read is limited by the reader: a listener keeps as many signals as its
/// buffering policy says, at most 1,024 calls of others wait for their handlers, and a reply belongs to whoever waits for it. While more
/// than 1 MiB waits for the bus to take it, no further call is handled. Up to 64 MiB are queued; beyond that, sending fails with
/// `LimitsExceeded`.
public actor Bus {
    /// How long a call waits for its reply unless told otherwise: 25 s, as with other D-Bus libraries.
    public static let defaultTimeout: Duration = .seconds(25)

    /// The name the bus gave this connection.
    public private(set) var uniqueName: BusName = .bus

    /// The queue, as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    nonisolated let executor = QueueExecutor()
    let clock: any Clock<Duration>
    /// The clock's time since the connection was made.
    let elapsed: @Sendable () -> Duration

    private var raw: RawConnection?
    private var readable: Watch?
    private var writable: Watch?

    var router: Router
    var exported: [ObjectPath: ExportedObject] = [:]
    var listeners: [Router.ListenerID: Listener] = [:]
    var waiting: [Router.CallID: WaitingCall] = [:]
    var isRunning = false
    var sleepingUntil: Duration?
    private var lastID: UInt64 = 0
    /// Why the connection is no more; `nil` while it is there. A reason of `nil` inside: it was closed here.
    private var ending: DBusError??

    let work: AsyncStream<Work>
    let works: AsyncStream<Work>.Continuation

    /// What `run()` starts child tasks for.
    enum Work: Sendable {
        case invoke(Router.Invocation)
        case sleep(until: Duration)
    }

    private static let maximumOutgoing = 64 << 20
    private static let congestion = 1 << 20

    /// Calls that are to be handled when the bus has taken what waits for it.
    private var held: [Router.Invocation] = []

    private init(clock: some Clock<Duration>) {
        self.clock = clock
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        router = Router(machineID: RawConnection.machineID())
        (work, works) = AsyncStream.makeStream()
    }

    /// Connects and registers with the bus. Nothing is read from the environment but what ``BusAddress`` says.
    /// - Throws: what went wrong, such as `NoServer`; `Timeout` when the bus does not answer.
    public static func connect(
        to address: BusAddress,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws(DBusError) -> Bus {
        let bus = make(clock: clock)
        do {
            try await bus.open(try address.resolved())
        } catch {
            await bus.close()
            throw error
        }
        return bus
    }

    private static func make(clock: some Clock<Duration>) -> Bus { Bus(clock: clock) }

    private func open(_ address: String) async throws(DBusError) {
        let raw = try RawConnection.open(address)
        self.raw = raw
        readable = try watch(.read)
        // The turn after Hello is queued begins the authentication, which libdbus does while it reads and writes.
        executor.queue.async { [weak self] in self?.assumeIsolated { $0.pump() } }
        uniqueName = try BusName(try await busCall(BusInterface.hello))
    }

    /// Serves the exported objects until the connection ends. Enter it once.
    ///
    /// Returns when ``close()`` was called or the task was cancelled; the connection is closed then, every pending call failed and every
    /// stream finished.
    /// - Throws: `Disconnected` when the bus went away.
    public func run() async throws(DBusError) {
        precondition(!isRunning, "Bus.run() is entered once")
        isRunning = true
        await withDiscardingTaskGroup { group in
            for await item in work {
                switch item {
                case .invoke(let invocation): group.addImmediateTask { await self.execute(invocation) }
                case .sleep(let deadline): group.addTask { await self.sleep(until: deadline) }
                }
            }
            close()
            group.cancelAll()
        }
        if case .some(.some(let error)) = ending { throw error }
    }

    /// Ends the connection. Pending calls fail with `Disconnected`, streams finish, ``run()`` returns.
    public func close() { end(nil) }

    /// Whether the connection is no more.
    public var isClosed: Bool { ending != nil }

    private func end(_ reason: DBusError?) {
        guard ending == nil else { return }
        ending = .some(reason)
        readable = nil
        writable = nil
        raw = nil
        works.finish()
        for call in waiting.values { call.continuation.resume(returning: .failure(reason ?? .closed)) }
        waiting = [:]
        let finished = listeners.values
        listeners = [:]
        for listener in finished { listener.finish() }
        exported = [:]
    }

    // MARK: Reading and writing

    private func pump() {
        guard let raw else { return }
        // Authentication takes turns: what is read has to be answered before anything can be read again.
        for _ in 0..<(raw.isAuthenticated ? 1 : 4) { raw.exchange() }
        if !raw.isAuthenticated { pumpSoon() }
        while let message = raw.pop() {
            let (message, unreadable) = message.decoded()
            perform(router.receive(message, unreadable: unreadable))
        }
        if raw.isConnected {
            watchWritable()
            releaseHeld(Router.maximumPerCaller)
        } else {
            end(DBusError(.disconnected, "The connection to the bus was lost."))
        }
    }

    /// What the last turn of the authentication has read may still have to be answered. libdbus does not tell, and then the bus, which
    /// waits for the answer, sends nothing that would wake us.
    private func pumpSoon() {
        executor.queue.asyncAfter(deadline: .now() + .milliseconds(1)) { [weak self] in
            self?.assumeIsolated { $0.pump() }
        }
    }

    /// A socket is nearly always writable, so it is watched only while something waits to be written.
    private func watchWritable() {
        guard let raw else { return }
        if raw.isAuthenticated && raw.hasMessagesToSend {
            if writable == nil { writable = try? watch(.write) }
        } else {
            writable = nil
        }
    }

    private func watch(_ direction: Watch.Direction) throws(DBusError) -> Watch {
        try Watch(direction, of: raw?.descriptor ?? -1, on: executor.queue) { [weak self] in
            self?.assumeIsolated { $0.pump() }
        }
    }

    /// Sends a message that nobody answers: a signal, or a call with ``Message/noReplyExpected``.
    ///
    /// Returns when the message is queued; messages leave in order.
    /// - Throws: `Disconnected`, `LimitsExceeded`, or `InvalidArgs` for a body whose parts do not fit each other.
    @discardableResult
    public func send(_ message: Message) throws(DBusError) -> UInt32 {
        guard let raw else { throw (ending ?? nil) ?? .closed }
        // A caller that cannot be answered has to be told so.
        let limit = Self.maximumOutgoing + (message.kind == .error ? 1 << 20 : 0)
        guard raw.outgoingSize <= limit else {
            throw DBusError(.limitsExceeded, "The bus does not take messages; too many are queued.")
        }
        let serial = try raw.send(try RawMessage.encoding(message))
        watchWritable()
        return serial
    }

    func perform(_ effects: [Router.Effect]) {
        for effect in effects {
            switch effect {
            case .complete(let call, let result):
                waiting.removeValue(forKey: call)?.continuation.resume(returning: result)
            case .deliver(let listener, let message): listeners[listener]?.deliver(message)
            case .owner(let listener, let change): listeners[listener]?.deliver(change)
            case .send(let message): answer(message)
            case .invoke(let invocation):
                held.append(invocation)
                releaseHeld(1)
            }
        }
    }

    /// Has so many calls handled, unless the bus is slow to take the answers.
    func releaseHeld(_ count: Int) {
        guard !held.isEmpty, let raw, raw.outgoingSize <= Self.congestion else { return }
        for invocation in held.prefix(count) { works.yield(.invoke(invocation)) }
        held.removeFirst(min(count, held.count))
    }

    /// Sends what the router wants sent. A reply that cannot be written becomes an error that can: every call gets an answer.
    private func answer(_ message: Message) {
        do {
            try send(message)
        } catch {
            guard message.kind == .methodReturn else { return }
            var refusal = Message(.error, body: [.string(error.message)])
            refusal.errorName = error.name
            refusal.replySerial = message.replySerial
            refusal.destination = message.destination
            _ = try? send(refusal)
        }
    }

    func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }
}

extension DBusError {
    static var closed: DBusError { DBusError(.disconnected, "The connection to the bus is closed.") }
    static var cancelled: DBusError { DBusError(.cancelled, "The call was cancelled.") }
}
