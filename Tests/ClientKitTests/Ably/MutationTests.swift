import ClientKit
import TestSupport
import Testing

/// Frames with seeded damage: an error or an ignored frame, never a trap; what can still be read survives a round trip.
@Suite("Damaged frames of Ably")
struct MutationTests {
    static let frames = (try? Transcript.receivedFrames()) ?? []

    private static let alphabet = Array(#"0123456789{}[]",:-+.eE\u/ntf_ é😀"#.utf8) + [0, 0x1F, 0x7F, 0xC3, 0xED, 0xFF]

    private func mutated(_ frame: String, _ generator: inout SeededGenerator) -> String {
        var bytes = Array(frame.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let index = Int.random(in: 0...bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes.insert(Self.alphabet.randomElement(using: &generator)!, at: index)
            case 1 where index < bytes.count: bytes.remove(at: index)
            case 2 where index < bytes.count: bytes[index] = Self.alphabet.randomElement(using: &generator)!
            case 3: bytes = Array(bytes.prefix(index))
            case 4: bytes.insert(contentsOf: bytes.suffix(Int.random(in: 0...20, using: &generator)), at: index)
            default: break
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static let seeds: [UInt64] = [1, 2, 3, 4]

    @Test("A damaged frame is rejected, or encodes to the same message", arguments: seeds) func codecs(seed: UInt64)
        throws
    {
        try #require(Self.frames.count > 40)
        var generator = SeededGenerator(seed: seed)
        var rejected = 0
        for round in 0..<5_000 {
            let frame = mutated(Self.frames[round % Self.frames.count], &generator)
            do {
                let message = try ProtocolMessage(parsing: frame)
                #expect(try ProtocolMessage(parsing: message.text) == message)
                for element in message.messages ?? [] { _ = element.content }
            } catch {
                rejected += 1
            }
        }
        #expect(rejected > 500 && rejected < 4_900)
    }

    /// Any events in any order.
    static let sessionSeeds: [UInt64] = [5, 6, 7, 8]

    @Test("A session does nothing after its end, and delivers only what is attached", arguments: sessionSeeds)
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
        case 21..<32: .received(Self.frames.randomElement(using: &generator)!)
        default: .received(mutated(Self.frames.randomElement(using: &generator)!, &generator))
        }
    }
}
