import ClientKit
import Foundation
import TestSupport
import Testing

/// Every file in `Transcripts/` is a conversation: `>` is what happened, `<` is what we did about it, `#` is a remark.
///
/// ```text
/// > recovery p-77 1754-0        first line only: the recovery data of the previous session
/// > opened
/// > received 40{"sid":"a"}      a text frame; `received` alone is an empty one
/// > binary                      a binary frame
/// > credentials {"a":"b"}       they were read
/// > timer                       the current timer fires; `timer 1` fires the first one, which may be late
/// > closed 1001                 the WebSocket ended; without a code there was none
/// > hang up
/// < send 3
/// < timer 45.0 seconds
/// < read credentials
/// < joined new                  or `joined recovered`
/// < deliver name [arguments]
/// < recovery p-77 1754-0        the recovery data for the next session changed; `none`, and `-` for no offset
/// < skipped …
/// < close …
/// ```
struct SocketIOTranscriptTests {
    @Test("Each transcript is replayed line by line", arguments: try Transcript.ofSocketIO())
    func replays(transcript: Transcript) {
        #expect(transcript.replayedBySocketIO() == transcript.lines)
    }

    @Test("There is a transcript for each course of a session") func coverage() throws {
        let names = Set(try Transcript.ofSocketIO().map(\.name))
        let wanted: Set = [
            "normal-life", "recovered", "not-recovered", "refused", "disconnected-by-server", "engine-close",
            "restart-1001",
            "lost", "namespaces-and-binary",
        ]
        #expect(names.isSuperset(of: wanted))
    }
}

extension Transcript {
    static func ofSocketIO() throws -> [Transcript] {
        try all(in: Checkout.root.appending(path: "Tests/ClientKitTests/SocketIO/Transcripts"))
    }

    /// The events of this transcript with the effects of the session.
    func replayedBySocketIO() -> [String] {
        var session = Session()
        var current = Session.Timer(generation: 0)
        return replayed { word, rest in
            if word == "recovery" {
                session = Session(recovery: Self.recovery(from: rest))
                return []
            }
            guard let event = Self.event(word, rest, current) else { return nil }
            let before = session.recovery
            let effects = session.receive(event)
            for case .startTimer(let timer, _) in effects { current = timer }
            let change = session.recovery == before ? [] : ["recovery " + Self.line(session.recovery)]
            return effects.map(Self.line) + change
        }
    }

    private static func event(_ word: String, _ rest: String, _ current: Session.Timer) -> Session.Event? {
        switch word {
        case "opened": .opened
        case "received": .received(rest)
        case "binary": .receivedBinary
        case "credentials": (try? JSONValue(parsing: rest)).map(Session.Event.credentials)
        case "timer": .timerFired(Int(rest).map { Session.Timer(generation: $0) } ?? current)
        case "closed": .closed(code: UInt16(rest))
        case "hang": .hangUp
        default: nil
        }
    }

    private static func line(_ effect: Session.Effect) -> String {
        switch effect {
        case .send(let text): "send \(text)"
        case .startTimer(_, let delay): "timer \(delay)"
        case .requestCredentials: "read credentials"
        case .joined(let recovered): recovered ? "joined recovered" : "joined new"
        case .deliver(let name, let arguments): "deliver \(name) \(JSONValue.array(arguments).text)"
        case .skipped(.badJSON(let error)): "skipped \(error.problem)"
        case .skipped(let error): "skipped \(error)"
        case .close(let reason): "close \(line(reason))"
        }
    }

    private static func line(_ reason: Session.Reason) -> String {
        switch reason {
        case .refused(let message, let data): "refused “\(message)” \(data?.text ?? "-")"
        case .disconnectedByServer: "disconnected by server"
        case .closed(let code): "closed \(code.map(String.init) ?? "-")"
        case .handshakeTimeout: "handshake timeout"
        case .silence: "silence"
        case .protocolViolation(let rule): "violation: \(rule)"
        case .hungUp: "hung up"
        }
    }

    private static func line(_ recovery: Recovery?) -> String {
        recovery.map { "\($0.pid) \($0.offset ?? "-")" } ?? "none"
    }

    private static func recovery(from text: String) -> Recovery? {
        let words = text.split(separator: " ").map(String.init)
        guard let pid = words.first else { return nil }
        return Recovery(pid: pid, offset: words.count > 1 ? words[1] : nil)
    }
}
