import ClientKit
import TestSupport
import Testing

/// Frames with seeded damage: an error or an ignored frame, never a trap; what can still be read survives a round trip.
@Suite("Damaged frames of Ably")
struct AblyMutationTests {
    private static let frames = DamagedFrames(of: (try? Transcript.ofAbly()) ?? [])

    @Test("A damaged frame is rejected, or encodes to the same message", arguments: [1, 2, 3, 4] as [UInt64])
    func codecs(seed: UInt64) throws {
        let rejected = try Self.frames.rejections(seed: seed) { frame in
            let message = try ProtocolMessage(parsing: frame)
            #expect(try ProtocolMessage(parsing: message.text) == message)
            for element in message.messages ?? [] { _ = element.content }
        }
        #expect(rejected > 500 && rejected < 4_900)
    }

    /// Any events in any order.
    @Test(
        "A session does nothing after its end, and delivers only what is attached",
        arguments: [5, 6, 7, 8] as [UInt64]
    )
    func sessions(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            var session = AblySession(channel: "c", tokenLifetime: Bool.random(using: &generator) ? .seconds(60) : nil)
            var (isClosed, isAttached) = (false, false)
            for _ in 0..<40 {
                let effects = session.receive(event(&generator))
                if isClosed { #expect(effects.isEmpty) }
                for (index, effect) in effects.enumerated() {
                    switch effect {
                    case .attached: isAttached = true
                    case .send(let message) where message.action == .attach: isAttached = false
                    case .deliver: #expect(isAttached)
                    case .close:
                        #expect(index == effects.count - 1)
                        isClosed = true
                    default: break
                    }
                }
            }
        }
    }

    private func event(_ generator: inout SeededGenerator) -> AblySession.Event {
        switch Int.random(in: 0..<40, using: &generator) {
        case 0..<6: .opened
        case 6..<12: .received(#"{"action":4,"connectionDetails":{"connectionKey":"k"}}"#)
        case 12..<16: .received(#"{"action":11,"channel":"c","flags":4}"#)
        case 16: .receivedBinary
        case 17: .timerFired(AblySession.Timer.allCases.randomElement(using: &generator)!)
        case 18: Bool.random(using: &generator) ? .closed(code: 1001) : .hangUp
        case 19: .token("t", lifetime: .seconds(60))
        case 20: .tokenUnavailable
        case 21..<32: .received(Self.frames.whole(&generator))
        default: .received(Self.frames.damaged(&generator))
        }
    }
}
