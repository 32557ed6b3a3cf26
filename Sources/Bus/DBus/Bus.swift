import Basics

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
/// Calls, signals and names work after ``connect(to:clock:loop:)``. Only exported objects need ``run()``: their
/// handlers are its child tasks.
///
/// Everything runs on one loop, which never blocks. Memory is limited: a listener keeps as many signals as its
/// buffering policy allows, and a reply without a waiting call is discarded. The arguments of a message are decoded
/// only if the message has a receiver; those of a call may take 4 MiB. At most 4,096 incoming calls of 32 MiB wait for
/// their handlers, 1,024 of 8 MiB from one caller, fewer if others wait for many, so that there is room for a caller
/// with few; waiting calls of a caller that leaves the bus are dropped. While more than 1 MiB of outgoing data is
/// queued, no further incoming call is handled. Up to 64 MiB are queued; beyond that, sending fails with
/// `LimitsExceeded`.
public actor Bus {
    /// The default timeout of a call: 25 s, as in other D-Bus libraries.
    public static let defaultTimeout: Duration = .seconds(25)

    /// The unique name of this connection.
    public private(set) var uniqueName: BusName = .bus

    /// The loop, as the actor's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// The loop on which this connection runs. Actors that use it as their executor, too, call the connection without a
    /// change of threads.
    public nonisolated let loop: any BusLoop
    let clock: any Clock<Duration>
    /// The time since the connection was made, on ``clock``.
    let elapsed: @Sendable () -> Duration

    private var raw: RawConnection?
    private var watch: (any DescriptorWatch)?

    var router: Router
    var exported: [ObjectPath: ExportedObject] = [:]
    var listeners: [Router.ListenerID: Listener] = [:]
    var waiting: [Router.CallID: WaitingCall] = [:]
    var isRunning = false
    var sleepingUntil: Duration?
    private var lastID: UInt64 = 0
    /// `nil` while the connection is open. `.some(nil)`: closed by ``close()``; otherwise the error that ended it.
    private var ending: DBusError??

    let jobs = Mailbox<Job>()

    /// A child task of `run()`.
    enum Job: Sendable {
        case invoke(Router.Invocation)
        case sleep(until: Duration)
        case followCaller(BusName)
    }

    private static let maximumOutgoing = 64 << 20
    private static let congestion = 1 << 20
    /// Signals wait for the end of the loop's turn until this many bytes are queued.
    private static let batchSize = 64 << 10
    private var isWriteScheduled = false

    /// Incoming calls that wait until the outgoing queue is below ``congestion``.
    private var held: [Router.Invocation] = []

    private init(clock: some Clock<Duration>, loop: any BusLoop) {
        self.clock = clock
        self.loop = loop
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        router = Router(machineID: RawConnection.machineID())
    }

    /// Connects and registers with the bus. Of the environment, only the variables of ``BusAddress`` are read.
    /// - Parameter loop: The loop on which the connection runs.
    /// - Throws: For example `NoServer`; `Timeout` if the bus does not answer.
    public static func connect(
        to address: BusAddress,
        clock: any Clock<Duration> = ContinuousClock(),
        loop: any BusLoop = PollLoop.shared
    ) async throws(DBusError) -> Bus {
        let bus = make(clock: clock, loop: loop)
        do {
            try await bus.open(try address.resolved())
        } catch {
            await bus.close()
            throw error
        }
        return bus
    }

    private static func make(clock: some Clock<Duration>, loop: any BusLoop) -> Bus { Bus(clock: clock, loop: loop) }

    private func open(_ address: String) async throws(DBusError) {
        let raw = try RawConnection.open(address)
        self.raw = raw
        watch = try loop.watch(raw.descriptor, pumping)
        // Starts the authentication, which libdbus does while it reads and writes, after Hello is queued.
        loop.execute(pumping)
        uniqueName = try BusName(try await busCall(BusInterface.hello))
    }

    /// Serves the exported objects until the connection ends. Call it once.
    ///
    /// Returns after ``close()`` or cancellation of the task. Then the connection is closed, every pending call has
    /// failed and every stream has finished.
    /// - Throws: `Disconnected` if the connection to the bus was lost.
    public func run() async throws(DBusError) {
        precondition(!isRunning, "Bus.run() may be called only once")
        isRunning = true
        await withDiscardingTaskGroup { group in
            for await job in jobs.messages {
                switch job {
                case .invoke(let invocation): group.addImmediateTask { await self.execute(invocation) }
                case .sleep(let deadline): group.addTask { await self.sleep(until: deadline) }
                case .followCaller(let caller): group.addTask { await self.follow(caller: caller) }
                }
            }
            close()
            group.cancelAll()
        }
        if case .some(.some(let error)) = ending { throw error }
    }

    /// Ends the connection. Pending calls fail with `Disconnected`, streams finish, ``run()`` returns.
    public func close() { end(nil) }

    /// Whether the connection has ended.
    public var isClosed: Bool { ending != nil }

    private func end(_ reason: DBusError?) {
        guard ending == nil else { return }
        ending = .some(reason)
        watch?.cancel()
        watch = nil
        raw?.write()
        raw = nil
        jobs.close()
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
        raw.exchange()
        while let message = raw.pop() {
            let effects = router.receive(message.header()) { (header) throws(DBusError) in
                try message.decode(into: &header)
            }
            perform(effects)
        }
        if raw.isConnected {
            watchWritable()
            releaseHeld(Router.maximumPerCaller)
            // The watch reports only what arrives later.
            if raw.hasInput { loop.execute(pumping) }
        } else {
            end(DBusError(.disconnected, "The connection to the bus was lost."))
        }
    }

    private nonisolated var pumping: @Sendable () -> Void {
        { [weak self] in self?.assumeIsolated { $0.pump() } }
    }

    /// A socket becomes writable with each message that the bus reads, so that is watched only while data is queued.
    private func watchWritable() {
        guard let raw else { return }
        watch?.setWritable(raw.isAuthenticated && raw.hasMessagesToSend)
    }

    /// Sends a message without a reply: a signal, or a call with ``Message/noReplyExpected``.
    ///
    /// Returns when the message is queued; messages are sent in order.
    /// - Throws: `Disconnected`, `LimitsExceeded`, or `InvalidArgs` for a body whose elements contradict its types.
    @discardableResult
    public func send(_ message: Message) throws(DBusError) -> UInt32 {
        guard let raw else { throw (ending ?? nil) ?? .closed }
        // Error replies may exceed the limit, so that a caller learns why it gets no result.
        let limit = Self.maximumOutgoing + (message.kind == .error ? 1 << 20 : 0)
        guard raw.outgoingSize <= limit else {
            throw DBusError(.limitsExceeded, "The queue of outgoing messages is full; the bus reads too slowly.")
        }
        let serial = try raw.queue(message)
        if message.kind == .signal, raw.outgoingSize < Self.batchSize {
            writeSoon()
        } else {
            raw.write()
            watchWritable()
        }
        return serial
    }

    /// Writes queued signals at the end of the loop's turn: one change often emits several. A message of another kind
    /// is written at once, with the signals before it.
    private func writeSoon() {
        guard !isWriteScheduled else { return }
        isWriteScheduled = true
        loop.executeBeforeWaiting { [weak self] in self?.assumeIsolated { $0.writeQueued() } }
    }

    private func writeQueued() {
        isWriteScheduled = false
        raw?.write()
        watchWritable()
    }

    func perform(_ effects: [Router.Effect]) {
        for effect in effects {
            switch effect {
            case .complete(let call, let result):
                waiting.removeValue(forKey: call)?.continuation.resume(returning: result)
            case .deliver(let listener, let message): listeners[listener]?.receive(message)
            case .owner(let listener, let change): listeners[listener]?.ownerChanged(change)
            case .send(let message): answer(message)
            case .invoke(let invocation):
                held.append(invocation)
                releaseHeld(1)
            case .followCaller(let caller): jobs.send(.followCaller(caller))
            }
        }
    }

    /// Starts the handlers of at most `count` held calls, unless the outgoing queue is congested.
    func releaseHeld(_ count: Int) {
        guard !held.isEmpty, let raw, raw.outgoingSize <= Self.congestion else { return }
        for invocation in held.prefix(count) { jobs.send(.invoke(invocation)) }
        held.removeFirst(min(count, held.count))
    }

    /// Sends a message of the router. If a reply cannot be encoded, an error is sent instead: every call is answered.
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
