import ClientKit
import MagicBell

/// The inputs of a session of MagicBell's own socket, one per line: `o`pened, `r<frame>` text, `b`inary, `p`ong,
/// `t`imer, `x[<code>]` closed, `h`ang up.
func checkInboxSocket(_ input: [UInt8]) throws(Fault) {
    var session = InboxSocketSession()
    var isClosed = false
    var isOpen = false
    for line in Line.all(in: input) {
        let event: SocketInput<InboxSocketSession.Timer, Never>
        switch line.letter {
        case UInt8(ascii: "o"): event = .opened
        case UInt8(ascii: "r"): event = .text(line.text)
        case UInt8(ascii: "b"): event = .binary
        case UInt8(ascii: "p"): event = .pong
        case UInt8(ascii: "t"): event = .timerFired(.liveness)
        case UInt8(ascii: "x"): event = .closed(code: UInt16(line.text))
        case UInt8(ascii: "h"): event = .hangUp
        default: continue
        }
        let before = session
        let steps = session.receive(event)
        if isClosed {
            try demand(steps.isEmpty && session == before, "\(event) after the end brings \(steps)")
            continue
        }
        for (index, step) in steps.enumerated() {
            let isLast = index == steps.count - 1
            switch step {
            case .send(let text): try demand(text == "PONG" && line.text == "PING", "\(event) is answered with \(text)")
            case .ping: try demand(line.letter == UInt8(ascii: "t"), "a ping on \(event)")
            case .startTimer: try demand(isLast, "something follows the timer: \(steps)")
            case .output(.opened):
                try demand(!isOpen, "opened twice")
                isOpen = true
            case .output(.received(let update)):
                let frame = try? JSONValue(parsing: Array(line.text.utf8), isTolerant: true)
                let expected = frame?["name"]?.string.flatMap { InboxEvent(name: $0, data: frame?["data"]) }
                try demand(isOpen && update == expected, "\(line.text) became \(update)")
            case .output: try demand(isOpen, "\(step) before the socket is open")
            case .close:
                try demand(isLast, "something follows the close: \(steps)")
                isClosed = true
            }
        }
    }
}
