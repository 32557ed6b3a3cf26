import ClientKit
import Foundation
import TestSupport
import Testing

/// Every file in `Transcripts/` is a conversation: `>` is an event, `<` is an effect, `#` is a comment.
///
/// ```text
/// > channel NAME                first line only; otherwise the channel is "c"
/// > opened
/// > received {"action":0}       a text frame
/// > binary                      a binary frame
/// > token NAME 3600             a new token, valid for this many seconds; unknown without a number
/// > no token
/// > timer idle
/// > closed 1001                 the WebSocket ended; without a code there was none
/// > hang up
/// > lost 10                     the connection is lost 10 seconds after the start
/// > next 20 3600                20 seconds after the start, a new session, with a token valid for 3600 seconds
/// < send {"action":7}
/// < timer idle 25.0 seconds
/// < request token
/// < attached new                or `attached continuous`
/// < deliver ID NAME CONTENT     and what is left of the encoding
/// < kept KEY SERIAL             what the next session continues with has changed; `-` for nothing
/// < resume KEY                  the key that a new session sends
/// < skipped …
/// < close …
/// ```
@Suite("Transcripts of Ably sessions")
struct AblyTranscriptTests {
    @Test("Each transcript is replayed line by line", arguments: try Transcript.ofAbly())
    func replays(transcript: Transcript) {
        #expect(transcript.replayedByAbly() == transcript.lines)
    }

    @Test("There is a transcript for each course of a session") func coverage() throws {
        let names = Set(try Transcript.ofAbly().map(\.name))
        let wanted: Set = [
            "vectors", "resumed", "resume-failed", "suspended", "update", "auth", "renewal", "renewal-fails", "idle",
            "no-heartbeats", "connect-timeout", "attach-timeout", "disconnected", "token-error", "detached",
            "detached-twice", "channel-error", "channel-not-permitted", "connection-error", "closed-by-server",
            "hang-up", "duplicates", "encodings", "ignored", "unsolicited-attached", "lost-while-connecting",
        ]
        #expect(names == wanted)
    }
}

extension Transcript {
    static func ofAbly() throws -> [Transcript] {
        try all(in: Checkout.root.appending(path: "Tests/ClientKitTests/Ably/Transcripts"))
    }

    /// The events of this transcript with the effects of the session.
    func replayedByAbly() -> [String] {
        var channel = "c"
        var session = AblySession(channel: channel)
        return replayed { word, rest in
            let numbers = rest.split(separator: " ").compactMap { Int($0) }.map { Duration.seconds($0) }
            switch word {
            case "channel":
                channel = rest
                session = AblySession(channel: channel)
                return []
            case "lost":
                var resumption = session.resumption
                resumption.lost(at: numbers[0])
                session = AblySession(channel: channel, resumption: resumption)
                return []
            case "next":
                let key = session.resumption.resumeKey(at: numbers[0])
                session = AblySession(
                    channel: channel,
                    resumption: session.resumption,
                    tokenLifetime: numbers.count > 1 ? numbers[1] : nil
                )
                return ["resume \(key ?? "-")"]
            default:
                guard let event = Self.event(word, rest) else { return nil }
                let before = Self.line(session.resumption)
                let effects = session.receive(event).map(Self.line)
                let after = Self.line(session.resumption)
                return after == before ? effects : effects + ["kept \(after)"]
            }
        }
    }

    private static func event(_ word: String, _ rest: String) -> AblySession.Event? {
        switch word {
        case "opened": .opened
        case "received": .received(rest)
        case "binary": .receivedBinary
        case "token":
            .token(
                rest.prefix { $0 != " " }.description,
                lifetime: Int(rest.drop { $0 != " " }.dropFirst()).map { .seconds($0) }
            )
        case "no": .tokenUnavailable
        case "timer": AblySession.Timer.allCases.first { "\($0)" == rest }.map(AblySession.Event.timerFired)
        case "closed": .closed(code: UInt16(rest))
        case "hang": .hangUp
        default: nil
        }
    }

    private static func line(_ effect: AblySession.Effect) -> String {
        switch effect {
        case .send(let message): "send \(message.text)"
        case .startTimer(let timer, let delay): "timer \(timer) \(delay)"
        case .requestToken: "request token"
        case .attached(let isContinuous): isContinuous ? "attached continuous" : "attached new"
        case .deliver(let message): "deliver \(line(message))"
        case .skipped(let error): "skipped \(error == .badShape ? "badShape" : "badJSON")"
        case .close(let end): "close \(line(end))"
        }
    }

    private static func line(_ message: AblyMessage) -> String {
        let content =
            switch message.content?.value {
            case .json(let value): value.text
            case .bytes(let bytes): "\(bytes)"
            case nil: "-"
            }
        let words = [message.id ?? "-", message.name ?? "-", content, message.content?.encoding]
        return words.compactMap { $0 }.joined(separator: " ")
    }

    private static func line(_ end: AblySession.End) -> String {
        func code(_ error: ErrorInfo?) -> String { error.map { "\($0.code) \($0.message)" } ?? "-" }
        return switch end {
        case .connectTimeout: "connect timeout"
        case .attachTimeout: "attach timeout"
        case .silence: "silence"
        case .disconnected(let error): "disconnected \(code(error))"
        case .failed(let error): "failed \(code(error))"
        case .channelFailed(let error): "channel failed \(code(error))"
        case .detached(let error): "detached \(code(error))"
        case .closedByServer: "closed by server"
        case .closed(let code): "closed \(code.map(String.init) ?? "-")"
        case .protocolViolation(let rule): "violation: \(rule)"
        case .hungUp: "hung up"
        }
    }

    private static func line(_ resumption: Resumption) -> String {
        "\(resumption.connectionKey ?? "-") \(resumption.channelSerial ?? "-")"
    }
}
