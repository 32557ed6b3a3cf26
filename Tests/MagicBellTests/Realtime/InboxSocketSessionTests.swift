import ClientKit
import TestSupport
import Testing

@testable import MagicBell

@Suite("Sessions of the service's own socket")
struct InboxSocketSessionTests {
    typealias Step = SocketStep<InboxSocketSession.Timer, InboxSocketSession.Output, InboxSocketSession.End>

    private static let alive = Step.startTimer(.liveness, after: PingInterval().duration)

    @Test(
        "A frame is an event, an error, an end, or ignored",
        arguments: [
            (#"{"name":"notifications/new","data":{"id":"n1"}}"#, .output(.received(.created(id: "n1")))),
            (#"{"name":"notifications/new","data":"{\"id\":\"n1\"}"}"#, .output(.received(.created(id: "n1")))),
            (
                #"{"name":"notifications/unarchived","data":{"id":"n1","x":7}}"#,
                .output(.received(.changed(id: "n1", .unarchived)))
            ),
            (#"{"name":"notifications/new"}"#, .output(.ignored)),
            (#"{"name":"notifications/later"}"#, .output(.ignored)),
            (#"{"name":7,"data":{"id":"n1"}}"#, .output(.ignored)), (#"{"type":"hello"}"#, .output(.ignored)),
            ("", .output(.ignored)), ("[]", .output(.ignored)), ("{", .output(.ignored)), ("PING", .send("PONG")),
            ("PONG", nil), ("CLOSE", .close(.closedByServer)), (#"{"type":"close"}"#, .close(.closedByServer)),
            (#"{"type":"error"}"#, .output(.reported(ErrorInfo(code: 0)))),
            (
                #"{"type":"error","code":50000,"message":"m"}"#,
                .output(.reported(ErrorInfo(code: 50000, message: "m")))
            ),
            (#"{"type":"error","code":40149}"#, .close(.tokenRefused(ErrorInfo(code: 40149)))),
            (
                #"{"type":"error","code":1,"message":"invalid channel id"}"#,
                .close(.refused(ErrorInfo(code: 1, message: "invalid channel id")))
            ),
        ] as [(String, SocketStep<InboxSocketSession.Timer, InboxSocketSession.Output, InboxSocketSession.End>?)]
    )
    func frames(text: String, step: Step?) {
        var session = InboxSocketSession()
        let opened = session.receive(.opened)
        #expect(opened == [.output(.opened), Self.alive])
        let isEnd = if case .close = step { true } else { false }
        let steps = session.receive(.text(text))
        #expect(steps == (step.map { [$0] } ?? []) + (isEnd ? [] : [Self.alive]))
        let later = session.receive(.text("PING"))
        #expect(later.isEmpty == isEnd)
    }

    @Test("A ping follows a silence, and the end a ping without an answer") func liveness() {
        var session = InboxSocketSession()
        let early = session.receive(.timerFired(.liveness)) + session.receive(.pong)
        #expect(early.isEmpty)
        _ = session.receive(.opened)
        for input in [SocketInput<InboxSocketSession.Timer, Never>.pong, .binary, .text("PONG")] {
            let ping = session.receive(.timerFired(.liveness))
            #expect(ping == [.ping, .startTimer(.liveness, after: InboxSocketSession.pongTimeout)])
            let answered = session.receive(input)
            #expect(answered == [Self.alive])
        }
        _ = session.receive(.timerFired(.liveness))
        let end = session.receive(.timerFired(.liveness))
        #expect(end == [.close(.silence)])
        let late = session.receive(.pong) + session.receive(.hangUp)
        #expect(late.isEmpty)
    }

    @Test("Pings come closer after two silent losses") func pingInterval() {
        var pingInterval = PingInterval()
        let intervals = (0..<5).map { _ in
            defer { pingInterval.connectionWasSilent() }
            return pingInterval.duration
        }
        #expect(intervals == [40, 40, 20, 15, 15].map { .seconds($0) })
        var session = InboxSocketSession(pingInterval: pingInterval.duration)
        let opened = session.receive(.opened)
        #expect(opened == [.output(.opened), .startTimer(.liveness, after: .seconds(15))])
    }

    @Test("A frame that is too long ends the session") func longFrame() {
        var session = InboxSocketSession()
        _ = session.receive(.opened)
        let text = String(repeating: "x", count: InboxSocketSession.maximumFrameSize + 1)
        let steps = session.receive(.text(text))
        #expect(steps == [.close(.frameTooLong)])
    }

    @Test("Closing and hanging up end the session") func ends() {
        for (input, end) in [
            (
                SocketInput<InboxSocketSession.Timer, Never>.closed(code: 1001),
                InboxSocketSession.End.closed(code: 1001)
            ),
            (.hangUp, .hungUp),
        ] {
            var session = InboxSocketSession()
            _ = session.receive(.opened)
            let steps = session.receive(input)
            #expect(steps == [.close(end)])
            let late = session.receive(.text(#"{"name":"notifications/read/all"}"#))
            #expect(late.isEmpty)
        }
    }

    @Test("The token of a previous run is used until it is refused") func renewToken() {
        var token = InboxToken()
        token.restored(InboxTokenRegistration(token: "kept", apiKey: "k"))
        #expect(token.registration?.token == "kept" && token.sessionID == "kept")
        token.discard()
        #expect(token.registration == nil && token.sessionID != "kept")
    }

    @Test("A token is replaced after two failed handshakes in a row") func tokens() {
        var token = InboxToken()
        let first = token.sessionID
        token.registered(InboxTokenRegistration(token: "t", apiKey: "k"))
        token.handshakeFailed()
        token.opened()
        token.handshakeFailed()
        #expect(token.registration?.token == "t" && token.sessionID == first)
        token.handshakeFailed()
        #expect(token.registration == nil && token.sessionID != first && token.sessionID.count == InboxToken.length)
    }
}
