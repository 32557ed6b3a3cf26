import ClientKit

/// The events of a session, one per line: `p<pid>[ <offset>]` (first line only: the recovery data of the previous
/// session), `o`pened, `r<frame>` received, `b`inary frame, `c<json>` credentials (an object or null), `t`imer or
/// `t<generation>`, `x[<code>]` closed, `h`ang up.
func checkSession(_ input: [UInt8]) throws(Fault) {
    var lines = Line.all(in: input)[...]
    var recovery: Recovery?
    if let line = lines.first, line.letter == UInt8(ascii: "p") {
        lines.removeFirst()
        let words = line.text.split(separator: " ", maxSplits: 1).map(String.init)
        recovery = words.first.map { Recovery(pid: $0, offset: words.count > 1 ? words[1] : nil) }
    }
    var session = CheckedSession(recovery: recovery)
    for line in lines {
        switch line.letter {
        case UInt8(ascii: "o"): try session.receive(.opened)
        case UInt8(ascii: "r"): try session.receive(.received(line.text))
        case UInt8(ascii: "b"): try session.receive(.receivedBinary)
        case UInt8(ascii: "c"):
            guard let value = try? JSONValue(parsing: Array(line.rest)), value.object != nil || value == .null else {
                break
            }
            try session.receive(.credentials(value))
        case UInt8(ascii: "t"): try session.fire(Int(line.text))
        case UInt8(ascii: "x"): try session.receive(.closed(code: UInt16(line.text)))
        case UInt8(ascii: "h"): try session.receive(.hangUp)
        default: break
        }
    }
}

/// A session with checks of its events and effects.
private struct CheckedSession {
    private var session: Session
    private var timer: Session.Timer?
    private var isClosed = false
    private var isJoined = false
    private var hasAsked = false
    private var hasConnected = false
    /// Events that came before the session was joined.
    private var held: [SocketPacket] = []

    init(recovery: Recovery?) {
        session = Session(recovery: recovery)
    }

    /// Fires the timer of this generation, or the current one.
    mutating func fire(_ generation: Int?) throws(Fault) {
        guard let timer else { return }
        let fired = generation.map { Session.Timer(generation: $0) } ?? timer
        let isDue = fired == timer && !isClosed
        let isHandshake = !isJoined
        let effects = try receive(.timerFired(fired))
        let wanted: [Session.Effect] = isDue ? [.close(isHandshake ? .handshakeTimeout : .silence)] : []
        try demand(effects == wanted, "timer \(fired.generation) brings \(effects)")
    }

    @discardableResult
    mutating func receive(_ event: Session.Event) throws(Fault) -> [Session.Effect] {
        let before = session.recovery
        let effects = session.receive(event)
        if isClosed {
            try demand(effects.isEmpty && session.recovery == before, "\(event) after the end brings \(effects)")
            return effects
        }
        let packet = Self.packet(in: event)
        if !isJoined, let packet, packet.kind == .event, packet.namespace == "/" { held.append(packet) }
        var recovery = before
        for (index, effect) in effects.enumerated() {
            let isLast = index == effects.count - 1
            switch effect {
            case .send(let text):
                try checkSent(text, on: event)
            case .startTimer(let next, let delay):
                try demand(isLast, "something follows the timer: \(effects)")
                try demand(next.generation > timer?.generation ?? 0, "timer \(next.generation) is not a new one")
                try demand(
                    isJoined ? Session.silenceTimeoutRange.contains(delay) : delay == Session.handshakeTimeout,
                    "a timer of \(delay)"
                )
                timer = next
            case .requestCredentials:
                try demand(!hasAsked, "the credentials are asked for twice")
                hasAsked = true
            case .joined(let isRecovered):
                let pid = packet?.payload?["pid"]?.string
                try demand(!isJoined && hasConnected && packet?.kind == .connect, "joined out of turn")
                try demand(
                    isRecovered == (pid != nil && pid == before?.pid),
                    "recovered: \(isRecovered), pid \(pid ?? "-")"
                )
                isJoined = true
                if !isRecovered { recovery = pid.flatMap { Self.isKept($0) ? Recovery(pid: $0) : nil } }
                try checkHeld(delivered: effects)
            case .deliver(_, let arguments):
                try demand(isJoined, "an event is delivered before the session is joined")
                let isAcknowledged = index + 1 < effects.count && Self.isAcknowledgement(effects[index + 1])
                if !isAcknowledged, arguments.count >= 2, let offset = arguments.last?.string, Self.isKept(offset) {
                    recovery?.offset = offset
                }
            case .skipped:
                break
            case .close(let reason):
                try demand(isLast, "something follows the close: \(effects)")
                isClosed = true
                if case .refused(let message, _) = reason {
                    let length = message.unicodeScalars.count
                    try demand(length <= Session.maximumRefusalSize, "a refusal of \(length) characters")
                }
                switch reason {
                case .refused, .protocolViolation: recovery = nil
                default: break
                }
            }
        }
        try demand(session.recovery == recovery, "recovery is \(session.recovery as Any), not \(recovery as Any)")
        return effects
    }

    /// Events from before the join are delivered right after it, all of them and in order, and at most as many as may
    /// be held.
    private func checkHeld(delivered effects: [Session.Effect]) throws(Fault) {
        var delivered: [[JSONValue]] = []
        for case .deliver(let name, let arguments) in effects { delivered.append([.string(name)] + arguments) }
        try demand(delivered == held.map { $0.payload?.array ?? [] }, "held \(held), delivered \(delivered)")
        try demand(held.count <= Session.maximumHeldEvents, "\(held.count) events were held")
    }

    /// The session sends only CONNECT, pongs, acknowledgements and DISCONNECT.
    private mutating func checkSent(_ text: String, on event: Session.Event) throws(Fault) {
        let frame = try? EnginePacket(parsing: text)
        if case .pong(let payload) = frame {
            guard case .received(let received) = event else { throw Fault(description: "a pong without a ping") }
            try demand((try? EnginePacket(parsing: received)) == .ping(payload: payload), "\(text) answers \(received)")
            return
        }
        guard case .message(let message) = frame, let packet = try? SocketPacket(parsing: message) else {
            throw Fault(description: "sends \(text), which is no packet")
        }
        switch (packet.kind, event) {
        case (.connect, .credentials):
            try demand(hasAsked && !hasConnected, "CONNECT out of turn")
            hasConnected = true
            if let recovery = session.recovery, let offset = recovery.offset, packet.payload != nil {
                try demand(packet.payload?["pid"]?.string == recovery.pid, "\(text) does not say the pid")
                try demand(packet.payload?["offset"]?.string == offset, "\(text) does not say the offset")
            }
        case (.acknowledgement, .received): try demand(isJoined && packet.payload == [], "\(text) out of turn")
        case (.disconnect, .hangUp): try demand(hasConnected, "DISCONNECT before CONNECT")
        default: throw Fault(description: "sends \(text) on \(event)")
        }
    }

    private static func packet(in event: Session.Event) -> SocketPacket? {
        guard case .received(let frame) = event, case .message(let text)? = try? EnginePacket(parsing: frame) else {
            return nil
        }
        return try? SocketPacket(parsing: text)
    }

    private static func isKept(_ position: String) -> Bool { position.utf8.count <= Session.maximumPositionSize }

    private static func isAcknowledgement(_ effect: Session.Effect) -> Bool {
        if case .send(let text) = effect { text.hasPrefix("43") } else { false }
    }
}
