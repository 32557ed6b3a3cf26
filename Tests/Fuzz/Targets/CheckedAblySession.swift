import ClientKit

/// The events of a session with the channel `c`, one per line: `o`pened, `r<frame>` received, `b`inary frame,
/// `k[<seconds>]` a token with its lifetime, `n`o token, `t<name>` a timer fires, `x[<code>]` closed, `h`ang up,
/// `l<seconds>` lost at this time, and the next session.
func checkAblySession(_ input: [UInt8]) throws(Fault) {
    var session = CheckedAblySession()
    for line in Line.all(in: input) {
        switch line.letter {
        case UInt8(ascii: "o"): try session.receive(.opened)
        case UInt8(ascii: "r"): try session.receive(.received(line.text))
        case UInt8(ascii: "b"): try session.receive(.receivedBinary)
        case UInt8(ascii: "k"): try session.receive(.token("t", lifetime: Int64(line.text).map { .seconds($0) }))
        case UInt8(ascii: "n"): try session.receive(.tokenUnavailable)
        case UInt8(ascii: "t"):
            guard let timer = AblySession.Timer.allCases.first(where: { "\($0)" == line.text }) else { break }
            try session.receive(.timerFired(timer))
        case UInt8(ascii: "x"): try session.receive(.closed(code: UInt16(line.text)))
        case UInt8(ascii: "h"): try session.receive(.hangUp)
        case UInt8(ascii: "l"): session.next(lostAt: .seconds(Int64(UInt32(line.text) ?? 0)))
        default: break
        }
    }
}

/// Sessions one after the other, with checks of their events and effects.
private struct CheckedAblySession {
    private var session = AblySession(channel: "c")
    private var isClosed = false
    private var isAttached = false
    private var isTokenRequested = false
    /// The ids of the latest messages, fewer than a session remembers.
    private var delivered: [String] = []

    mutating func next(lostAt time: Duration) {
        var resumption = session.resumption
        resumption.lost(at: time)
        session = AblySession(channel: "c", resumption: resumption)
        (isClosed, isAttached, isTokenRequested) = (false, false, false)
    }

    mutating func receive(_ event: AblySession.Event) throws(Fault) {
        let before = session.resumption
        let effects = session.receive(event)
        if isClosed {
            try demand(effects.isEmpty && session.resumption == before, "\(event) after the end brings \(effects)")
            return
        }
        let frame: ProtocolMessage? =
            if case .received(let text) = event { try? ProtocolMessage(parsing: text) } else { nil }
        for (index, effect) in effects.enumerated() {
            switch effect {
            case .send(let message): try checkSent(message, on: event, frame)
            case .startTimer(let timer, let delay):
                try demand(delay > .zero && delay <= .seconds(86_400), "a timer \(timer) of \(delay)")
            case .requestToken:
                try demand(!isTokenRequested, "two token requests at the same time")
                isTokenRequested = true
            case .attached(let isContinuous):
                try demand(frame?.action == .attached && frame?.channel == "c", "attached by \(event)")
                let isResumed = frame?.flags?.contains(.resumed) == true && before.hasAttached
                try demand(isContinuous == isResumed, "continuous: \(isContinuous), after \(event)")
                isAttached = true
            case .deliver(let message):
                try demand(isAttached && frame?.action == .message, "\(message) is delivered before ATTACHED")
                guard let id = message.id else { break }
                try demand(!delivered.contains(id), "\(id) is delivered twice")
                delivered = delivered.suffix(99) + [id]
            case .skipped:
                try demand(frame == nil, "\(event) was skipped")
            case .close:
                try demand(index == effects.count - 1, "something follows the close: \(effects)")
                isClosed = true
            }
        }
        switch event {
        case .token, .tokenUnavailable: isTokenRequested = false
        default: break
        }
    }

    /// A session sends only ATTACH, AUTH and CLOSE.
    private mutating func checkSent(
        _ message: ProtocolMessage,
        on event: AblySession.Event,
        _ frame: ProtocolMessage?
    ) throws(Fault) {
        switch message.action {
        case .attach:
            try demand(frame?.action == .connected || frame?.action == .detached, "ATTACH on \(event)")
            try demand(message.channelSerial == session.resumption.channelSerial, "ATTACH of another position")
            isAttached = false
        case .auth:
            guard case .token("t", _) = event else { throw Fault(description: "AUTH on \(event)") }
            try demand(isTokenRequested && message.accessToken == "t", "AUTH out of turn")
        case .close: try demand(event == .hangUp, "CLOSE on \(event)")
        default: throw Fault(description: "sends \(message.text)")
        }
    }
}
