import ClientKit
import Testing

/// Limits whose input is too long for a transcript.
struct SessionLimitTests {
    private func joining(_ recovery: Recovery? = nil) -> Session {
        var session = Session(recovery: recovery)
        _ = session.receive(.opened)
        _ = session.receive(.received(#"0{"sid":"a","pingInterval":25000,"pingTimeout":20000}"#))
        _ = session.receive(.credentials([:]))
        return session
    }

    @Test("A frame that is too long ends the session and its recovery") func longFrame() {
        let longest = #"42["a",""# + String(repeating: "x", count: Session.maximumFrameSize - 10) + #""]"#
        #expect(longest.utf8.count == Session.maximumFrameSize)
        var session = joining()
        _ = session.receive(.received(#"40{"sid":"b","pid":"p"}"#))
        #expect(session.receive(.received(longest)).count == 2)
        #expect(session.recovery != nil)
        #expect(session.receive(.received(longest + " ")) == [.close(.protocolViolation("a frame is too long"))])
        #expect(session.recovery == nil)
    }

    /// The server would replay them again, so the recovery is given up.
    @Test("Too many events before the join end the session and its recovery") func tooManyHeldEvents() {
        var session = joining(Recovery(pid: "p", offset: "1"))
        for _ in 0..<Session.maximumHeldEvents { #expect(session.receive(.received(#"42["a"]"#)) == []) }
        let rule = "too many events before the session was joined"
        #expect(session.receive(.received(#"42["a"]"#)) == [.close(.protocolViolation(rule))])
        #expect(session.recovery == nil)
    }

    @Test("Too large events before the join end the session") func tooLargeHeldEvents() {
        var session = joining()
        let event = #"42["a",""# + String(repeating: "x", count: Session.maximumHeldSize / 4) + #""]"#
        for _ in 0..<3 { #expect(session.receive(.received(event)) == []) }
        let rule = "too many events before the session was joined"
        #expect(session.receive(.received(event)) == [.close(.protocolViolation(rule))])
    }

    @Test("A refusal keeps 500 characters of the server's message")
    func longRefusal() {
        var session = joining()
        let long = String(repeating: "x", count: 100_000)
        let effects = session.receive(.received(#"44{"message":"\#(long)","data":{"content":"\#(long)"}}"#))
        #expect(effects == [.close(.refused(message: String(long.prefix(500)), data: nil))])
    }

    @Test("A position of more than 256 bytes is not kept", arguments: [256, 257])
    func longPositions(length: Int) {
        let position = String(repeating: "x", count: length)
        var session = joining()
        _ = session.receive(.received(#"40{"sid":"b","pid":"\#(position)"}"#))
        #expect(session.recovery == (length <= 256 ? Recovery(pid: position) : nil))
        session = joining()
        _ = session.receive(.received(#"40{"sid":"b","pid":"p"}"#))
        _ = session.receive(.received(#"42["a",{},"\#(position)"]"#))
        #expect(session.recovery?.offset == (length <= 256 ? position : nil))
    }

    @Test("As many held events as are allowed are delivered in order after the join") func fullBuffer() {
        var session = joining()
        for number in 0..<Session.maximumHeldEvents { _ = session.receive(.received(#"42["a",\#(number)]"#)) }
        let effects = session.receive(.received(#"40{"sid":"b"}"#))
        let numbers = effects.compactMap { effect -> Int64? in
            if case .deliver("a", let arguments) = effect { arguments.first?.integer } else { nil }
        }
        #expect(numbers == (0..<Int64(Session.maximumHeldEvents)).map { $0 })
    }
}
