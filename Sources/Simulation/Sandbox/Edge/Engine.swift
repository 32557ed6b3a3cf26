import Basics
import NIOCore

/// Owns the ``SandboxState`` and performs its effects on one event loop.
actor Engine {
    /// Work for the task of one connection, in order.
    enum Order: Sendable {
        case text(String)
        case binary([UInt8])
        case startTimer(SocketTimer, after: Int64)
        case hangUp(SocketEffect.HangUp)
    }

    nonisolated let options: SandboxOptions
    nonisolated let loop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    private(set) var state: SandboxState
    private let report: @Sendable (Sandbox.Report) -> Void
    private let wall: @Sendable () -> Int64
    private var sockets: [SocketID: Mailbox<Order>] = [:]
    /// Tasks that wait for a change of the state.
    private var waiters = Waiters()
    private var isEnded = false

    init(
        options: SandboxOptions,
        simulating other: (any SimulatedService)?,
        loop: any EventLoop,
        wall: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (Sandbox.Report) -> Void
    ) {
        self.options = options
        self.loop = loop
        self.wall = wall
        self.report = report
        state = SandboxState(options: options, simulating: other)
        state.incarnation = "-\(UInt32.random(in: .min ... .max))"
    }

    func listens(on port: Int) { state.port = port }

    /// The sandbox's own time in milliseconds since the Unix epoch.
    var now: Int64 { wall() + state.clockOffset }

    func execute(_ command: SandboxCommand, mayChange: Bool = true) throws(CommandMistake) -> JSON {
        let result = try state.execute(command, wall: wall(), mayChange: mayChange)
        perform(result.effects)
        return result.answer
    }

    func inject(_ fault: RequestFault) {
        state.faults.append(fault)
        perform([])
    }

    func change<Service: SimulatedService>(_ body: (inout Service, _ now: Int64) -> [SocketEffect]) {
        perform(state.change(body, wall: wall()))
    }

    // MARK: HTTP

    func handle(_ request: ServiceRequest) -> SandboxState.Outcome {
        let outcome = state.handle(request, wall: wall())
        perform(outcome.effects)
        return outcome
    }

    // MARK: Sockets

    /// A WebSocket, from the answer to its upgrade request on.
    struct Socket: Sendable {
        let id: SocketID
        let orders = Mailbox<Order>()
    }

    /// Opens a WebSocket before the client gets the answer, so that the client gets every frame from then on. nil:
    /// refused.
    func upgrade(_ request: ServiceRequest) -> Socket? {
        let (isGranted, refusal) = state.grantsUpgrade(request, wall: wall())
        perform(refusal)
        guard isGranted else { return nil }
        let (id, effects) = state.opened(request, wall: wall())
        let socket = Socket(id: id)
        sockets[id] = socket.orders
        perform(effects)
        return socket
    }

    func isSilent(_ id: SocketID) -> Bool { state.isSilent(id) }

    func received(_ text: String, on id: SocketID) {
        perform(state.received(text, on: id, wall: wall()))
    }

    func receivedBinary(on id: SocketID) {
        perform(state.receivedBinary(on: id))
    }

    func timerFired(_ timer: SocketTimer) {
        perform(state.timerFired(timer, wall: wall()))
    }

    func closed(_ id: SocketID) {
        sockets.removeValue(forKey: id)?.close()
        perform(state.closed(id, wall: wall()))
    }

    // MARK: Waiting for a state

    /// Returns the first non-nil result of `fact`, which runs now and after each change of the state.
    ///
    /// - Throws: `CancellationError` when the task is cancelled or the sandbox ends.
    func wait<Fact: Sendable>(for fact: @Sendable (SandboxState) -> Fact?) async throws -> Fact {
        while true {
            if let found = fact(state) { return found }
            guard !isEnded, !Task.isCancelled else { throw CancellationError() }
            await waiters.add().wait()
        }
    }

    /// Ends all waits and connections.
    func end() {
        isEnded = true
        waiters.wakeAll()
        for socket in sockets.values { socket.close() }
    }

    private func perform(_ effects: [SocketEffect]) {
        for effect in effects {
            switch effect {
            case .send(let id, let text): sockets[id]?.send(.text(text))
            case .sendBinary(let id, let bytes): sockets[id]?.send(.binary(bytes))
            case .startTimer(let timer, let delay): sockets[timer.connection]?.send(.startTimer(timer, after: delay))
            case .hangUp(let id, let how): sockets[id]?.send(.hangUp(how))
            case .log(let line): report(.line(line))
            case .violation(let violation): report(.violation(violation))
            }
        }
        waiters.wakeAll()
    }
}
