/// A Socket.IO session over one WebSocket, as a state machine: events in, effects out.
///
/// ```text
/// idle ─opened─► opening ─0─► awaitingCredentials ─credentials─► joining ─40─► joined
/// any of them ─► ended
/// ```
///
/// Perform effects in order, one after the other; a delivery is performed when its receiver returns. No effect follows
/// a `close`. Engine.IO 4 and Socket.IO 5, default namespace.
package struct Session: Sendable, Equatable {
    /// The input.
    package enum Event: Sendable, Equatable {
        /// The WebSocket is open.
        case opened
        case received(String)
        /// A binary frame. SuprSend sends none; it shows that the server is alive and is ignored.
        case receivedBinary
        /// The credentials for ``Effect/requestCredentials``: an object.
        case credentials(JSONValue)
        case timerFired(Timer)
        /// The WebSocket closed in an orderly way, with this close code, if any.
        case closed(code: UInt16?)
        /// The client ends the session.
        case hangUp
    }

    /// The output.
    package enum Effect: Sendable, Equatable {
        case send(String)
        /// Start this timer. It replaces the previous one, which may still fire: a superseded timer is ignored.
        case startTimer(Timer, after: Duration)
        /// Read the credentials now and return them as ``Event/credentials(_:)``.
        case requestCredentials
        /// The server accepted the connection. Not recovered: events may be missing, load again.
        case joined(recovered: Bool)
        case deliver(name: String, arguments: [JSONValue])
        /// An invalid frame was ignored.
        case skipped(PacketError)
        /// Close the WebSocket; the session is over.
        case close(Reason)
    }

    /// Timers are numbered and never cancelled.
    package struct Timer: Sendable, Hashable {
        package var generation: Int

        package init(generation: Int) {
            self.generation = generation
        }
    }

    /// Why a session ended.
    package enum Reason: Sendable, Equatable {
        /// `44`, CONNECT_ERROR: the server refused the connection. The message is the server's, empty when it sent
        /// none.
        case refused(message: String, data: JSONValue?)
        /// `41`, DISCONNECT: the server ended the session.
        case disconnectedByServer
        /// Engine.IO `1`, or the WebSocket closed.
        case closed(code: UInt16?)
        /// Not joined within ``Session/handshakeTimeout``.
        case handshakeTimeout
        /// No frame for the server's ping interval plus ping timeout.
        case silence
        /// The violation, as a phrase.
        case protocolViolation(String)
        case hungUp
    }

    /// The timeout from the open WebSocket to the answered CONNECT.
    package static let handshakeTimeout = Duration.seconds(20)
    /// The limits of the server's ping interval plus ping timeout.
    package static let silenceTimeoutRange = Duration.milliseconds(200)...Duration.seconds(600)
    /// The maximum length of a frame, in UTF-8 bytes.
    package static let maximumFrameSize = 4 << 20
    /// The maximum count and total size, in bytes, of events that wait for the answered CONNECT.
    package static let maximumHeldEvents = 4096
    package static let maximumHeldSize = 8 << 20

    /// The maximum length of pid and offset, in UTF-8 bytes: both are kept and sent back.
    package static let maximumPositionSize = 256
    /// The maximum length of a refusal: scalars of its message, bytes of its data. The rest is discarded.
    package static let maximumRefusalSize = 500

    /// The position for the next session, updated with every delivered event. Nil when the server does not support
    /// recovery.
    package private(set) var recovery: Recovery?

    private var state = State.idle
    private var timer = Timer(generation: 0)
    private var silenceTimeout = Duration.seconds(45)
    private var held: [SocketPacket] = []
    private var heldSize = 0

    private enum State: Sendable, Equatable {
        case idle, opening, awaitingCredentials, joining, joined, ended
    }

    /// `recovery`: from the previous session.
    package init(recovery: Recovery? = nil) {
        self.recovery = recovery
    }

    /// Handles an event and returns the effects to perform.
    package mutating func receive(_ event: Event) -> [Effect] {
        switch (state, event) {
        case (.ended, _):
            return []
        case (.idle, .opened):
            state = .opening
            return [startTimer(after: Self.handshakeTimeout)]
        case (_, .received(let frame)):
            return received(frame)
        case (_, .receivedBinary):
            return livenessEffects
        case (.awaitingCredentials, .credentials(let credentials)):
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
            return [.skipped(error)] + livenessEffects
        }
        switch packet {
        case .open(let handshake) where state == .opening:
            state = .awaitingCredentials
            silenceTimeout = Self.silenceTimeout(of: handshake)
            return [.requestCredentials]
        case .close:
            return end(.closed(code: nil))
        case .ping(let payload):
            return [.send(EnginePacket.pong(payload: payload).text)] + livenessEffects
        case .message(let text):
            do { return received(try SocketPacket(parsing: text), size: text.utf8.count) } catch {
                return [.skipped(error)] + livenessEffects
            }
        case .open, .pong, .upgrade, .noop:
            return livenessEffects
        }
    }

    private mutating func received(_ packet: SocketPacket, size: Int) -> [Effect] {
        guard packet.namespace == "/" else { return livenessEffects }
        switch (packet.kind, state) {
        case (.connect, .joining):
            return join(packet.payload)
        case (.event, .joined):
            return deliver(packet) + livenessEffects
        case (.event, _):
            return hold(packet, size: size)
        case (.disconnect, _):
            return end(.disconnectedByServer)
        case (.connectError, _):
            return refused(packet.payload)
        case (.connect, _), (.acknowledgement, _), (.binaryEvent, _), (.binaryAcknowledgement, _):
            return livenessEffects
        }
    }

    /// Any frame shows that the server is alive. Last among the effects, so that the time of a slow receiver does not
    /// count as the server's silence.
    private var livenessEffects: [Effect] {
        mutating get { state == .joined ? [startTimer(after: silenceTimeout)] : [] }
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

    /// The server replays missed events before it answers CONNECT, so they are held and follow `joined`, even when the
    /// server reports that nothing was recovered: the reader ignores an event that it knows by its id.
    private mutating func join(_ payload: JSONValue?) -> [Effect] {
        let pid = payload?["pid"]?.string.flatMap(Self.position)
        let recovered = pid != nil && pid == recovery?.pid
        if !recovered { recovery = pid.map { Recovery(pid: $0) } }
        state = .joined
        var effects: [Effect] = [.joined(recovered: recovered)]
        for packet in held { effects += deliver(packet) }
        held = []
        return effects + livenessEffects
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
        // The offset is the last element and never the only argument: a lone string is the event's own.
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

    /// Discards the recovery: a replayed event that violates the protocol would do so again.
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

    private static func silenceTimeout(of handshake: EnginePacket.Handshake) -> Duration {
        let ceiling = 600_000.0  // before the conversion: a Duration cannot hold every Double
        let sum = min(handshake.pingIntervalMilliseconds, ceiling) + min(handshake.pingTimeoutMilliseconds, ceiling)
        return min(max(.milliseconds(sum), silenceTimeoutRange.lowerBound), silenceTimeoutRange.upperBound)
    }
}
