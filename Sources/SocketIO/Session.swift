package import ClientKit

/// One Socket.IO session over one WebSocket, as a value: what happened goes in, what to do comes out.
///
/// ```text
/// idle ─opened─► opening ─0─► asking ─credentials─► joining ─40─► joined          any of them ─► ended
/// ```
///
/// Effects are to be performed in order, one after the other; a delivery counts as performed when its receiver is done with it.
/// After a `close` nothing more comes out. Engine.IO 4 and Socket.IO 5, default namespace; suprsend.md §3.
package struct Session: Sendable, Equatable {
    /// What may happen.
    package enum Event: Sendable, Equatable {
        /// The WebSocket is open.
        case opened
        case received(String)
        /// A binary frame. SuprSend sends none; it proves that the server lives, and is skipped.
        case receivedBinary
        /// The answer to ``Effect/requestCredentials``: an object.
        case credentials(JSONValue)
        case timerFired(Timer)
        /// The WebSocket ended in an orderly way; the close code, when there was one.
        case closed(code: UInt16?)
        /// We want to end it.
        case hangUp
    }

    /// What to do about it.
    package enum Effect: Sendable, Equatable {
        case send(String)
        /// Start this timer. It replaces the one before, which may be forgotten or may fire: a late one is ignored.
        case startTimer(Timer, after: Duration)
        /// Read the credentials now, and bring them as ``Event/credentials(_:)``.
        case requestCredentials
        /// The server let us in. Not recovered: events may have been missed, look again.
        case joined(recovered: Bool)
        case deliver(name: String, arguments: [JSONValue])
        /// A frame that is no packet was skipped.
        case skipped(PacketError)
        /// Close the WebSocket; the session is over.
        case close(Reason)
    }

    /// Numbered, never cancelled.
    package struct Timer: Sendable, Hashable {
        package var generation: Int

        package init(generation: Int) {
            self.generation = generation
        }
    }

    /// Why a session is over.
    package enum Reason: Sendable, Equatable {
        /// `44`: the server does not want us. The message is the server's, empty when it gave none.
        case refused(message: String, data: JSONValue?)
        /// `41`: the server put us out on purpose.
        case disconnectedByServer
        /// Engine.IO `1`, or the WebSocket was closed.
        case closed(code: UInt16?)
        /// Not joined within ``Session/handshakePatience``.
        case handshakeTimeout
        /// Nothing heard for the server's ping interval and ping timeout.
        case silence
        /// What was wrong, as a phrase.
        case protocolViolation(String)
        case hungUp
    }

    /// How long everything up to the answered CONNECT may take.
    package static let handshakePatience = Duration.seconds(20)
    /// Bounds for the server's ping interval plus ping timeout.
    package static let patienceBounds = Duration.milliseconds(200)...Duration.seconds(600)
    /// No frame may be longer, in UTF-8 bytes.
    package static let maximumFrameSize = 4 << 20
    /// How many events, and how many bytes of them, may wait for the answered CONNECT.
    package static let maximumHeldEvents = 4096
    package static let maximumHeldSize = 8 << 20

    /// No pid and no offset may be longer, in UTF-8 bytes: both are kept and sent back.
    package static let maximumPositionSize = 256
    /// So much of what a server says against us is kept: scalars of its message, bytes of its data.
    package static let maximumRefusalSize = 500

    /// What to bring to the next session: kept up to date with the events that were delivered. Nil when the server does not recover.
    package private(set) var recovery: Recovery?

    private var state = State.idle
    private var timer = Timer(generation: 0)
    private var patience = Duration.seconds(45)
    private var held: [SocketPacket] = []
    private var heldSize = 0

    private enum State: Sendable, Equatable {
        case idle, opening, asking, joining, joined, ended
    }

    /// `recovery` is what the session before this one has left.
    package init(recovery: Recovery? = nil) {
        self.recovery = recovery
    }

    /// Takes in what happened and says what to do.
    package mutating func receive(_ event: Event) -> [Effect] {
        switch (state, event) {
        case (.ended, _):
            return []
        case (.idle, .opened):
            state = .opening
            return [startTimer(after: Self.handshakePatience)]
        case (_, .received(let frame)):
            return received(frame)
        case (_, .receivedBinary):
            return heard
        case (.asking, .credentials(let credentials)):
            state = .joining
            return [.send(EnginePacket.message(connect(with: credentials).text).text)]
        case (_, .timerFired(let fired)) where fired == timer:
            return end(state == .joined ? .silence : .handshakeTimeout)
        case (_, .closed(let code)):
            return end(.closed(code: code))
        case (.joining, .hangUp), (.joined, .hangUp):
            return [.send(EnginePacket.message(SocketPacket(.disconnect).text).text)] + end(.hungUp)
        case (_, .hangUp):
            return end(.hungUp)
        case (_, .opened), (_, .credentials), (_, .timerFired):
            return []
        }
    }

    // MARK: Frames

    private mutating func received(_ frame: String) -> [Effect] {
        guard frame.utf8.count <= Self.maximumFrameSize else { return violated("a frame is too long") }
        let packet: EnginePacket
        do { packet = try EnginePacket(parsing: frame) } catch {
            if state == .opening, frame.first == "0" { return violated("the handshake cannot be read") }
            return [.skipped(error)] + heard
        }
        switch packet {
        case .open(let handshake) where state == .opening:
            state = .asking
            patience = Self.patience(of: handshake)
            return [.requestCredentials]
        case .close:
            return end(.closed(code: nil))
        case .ping(let payload):
            return [.send(EnginePacket.pong(payload: payload).text)] + heard
        case .message(let text):
            do { return received(try SocketPacket(parsing: text), size: text.utf8.count) } catch {
                return [.skipped(error)] + heard
            }
        case .open, .pong, .upgrade, .noop:
            return heard
        }
    }

    private mutating func received(_ packet: SocketPacket, size: Int) -> [Effect] {
        guard packet.namespace == "/" else { return heard }
        switch (packet.kind, state) {
        case (.connect, .joining):
            return join(packet.payload)
        case (.event, .joined):
            return deliver(packet) + heard
        case (.event, _):
            return hold(packet, size: size)
        case (.disconnect, _):
            return end(.disconnectedByServer)
        case (.connectError, _):
            return refused(packet.payload)
        case (.connect, _), (.acknowledgement, _), (.binaryEvent, _), (.binaryAcknowledgement, _):
            return heard
        }
    }

    /// Any frame proves that the server lives. Last among the effects, so that the time a receiver takes is not the server's silence.
    private var heard: [Effect] {
        mutating get { state == .joined ? [startTimer(after: patience)] : [] }
    }

    // MARK: Joining

    private mutating func connect(with credentials: JSONValue) -> SocketPacket {
        guard case .object(var members) = credentials, let recovery, let offset = recovery.offset else {
            return SocketPacket(.connect, payload: credentials == .null ? nil : credentials)
        }
        members["pid"] = .string(recovery.pid)
        members["offset"] = .string(offset)
        return SocketPacket(.connect, payload: .object(members))
    }

    /// Missed events come before the answer, so they were held; they follow the `joined`. They do so even when the server says
    /// that nothing was recovered: an event known already is told by its id, a lost one is lost.
    private mutating func join(_ payload: JSONValue?) -> [Effect] {
        let pid = payload?["pid"]?.string.flatMap(Self.position)
        let recovered = pid != nil && pid == recovery?.pid
        if !recovered { recovery = pid.map { Recovery(pid: $0) } }
        state = .joined
        var effects: [Effect] = [.joined(recovered: recovered)]
        for packet in held { effects += deliver(packet) }
        held = []
        return effects + heard
    }

    private mutating func hold(_ packet: SocketPacket, size: Int) -> [Effect] {
        guard held.count < Self.maximumHeldEvents, heldSize + size <= Self.maximumHeldSize else {
            return violated("too many events before the session was joined")
        }
        held.append(packet)
        heldSize += size
        return []
    }

    // MARK: Events

    private mutating func deliver(_ packet: SocketPacket) -> [Effect] {
        guard let (name, arguments) = packet.event else { return [] }
        if let id = packet.acknowledgementID {
            let answer = SocketPacket(.acknowledgement, acknowledgementID: id, payload: [])
            return [.deliver(name: name, arguments: arguments), .send(EnginePacket.message(answer.text).text)]
        }
        // The offset is the last element, never the only argument: a lone string is what the event says (suprsend.md §3.9).
        if arguments.count >= 2, let offset = arguments.last?.string.flatMap(Self.position) {
            recovery?.offset = offset
        }
        return [.deliver(name: name, arguments: arguments)]
    }

    private static func position(_ text: String) -> String? { text.utf8.count > maximumPositionSize ? nil : text }

    // MARK: Ends

    private mutating func refused(_ payload: JSONValue?) -> [Effect] {
        recovery = nil
        let message = payload?["message"]?.string ?? payload?.string ?? ""
        let data = payload?["data"].flatMap { $0.text.utf8.count > Self.maximumRefusalSize ? nil : $0 }
        return end(.refused(message: String(message.unicodeScalars.prefix(Self.maximumRefusalSize)), data: data))
    }

    /// Forgets the recovery: if it is a replayed event that breaks the rules, it would do so again.
    private mutating func violated(_ rule: String) -> [Effect] {
        recovery = nil
        return end(.protocolViolation(rule))
    }

    private mutating func end(_ reason: Reason) -> [Effect] {
        state = .ended
        held = []
        return [.close(reason)]
    }

    // MARK: Timers

    private mutating func startTimer(after delay: Duration) -> Effect {
        timer.generation += 1
        return .startTimer(timer, after: delay)
    }

    private static func patience(of handshake: EnginePacket.Handshake) -> Duration {
        let ceiling = 600_000.0  // before converting: a Duration cannot hold every Double
        let sum = min(handshake.pingIntervalMilliseconds, ceiling) + min(handshake.pingTimeoutMilliseconds, ceiling)
        return min(max(.milliseconds(sum), patienceBounds.lowerBound), patienceBounds.upperBound)
    }
}
