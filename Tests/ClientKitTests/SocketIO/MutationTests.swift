import ClientKit
import TestSupport
import Testing

/// Frames with seeded damage: an error or an ignored frame, never a trap; and what still parses survives a round trip.
struct MutationTests {
    static let frames: [String] = {
        let transcripts = (try? Transcript.all()) ?? []
        let received = transcripts.flatMap(\.lines).filter { $0.hasPrefix("> received ") }.map {
            String($0.dropFirst(11))
        }
        return Array(Set(received)).sorted()
    }()

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

    @Test("A mutated packet is rejected, or encodes to the same packet", arguments: seeds) func codecs(seed: UInt64)
        throws
    {
        try #require(Self.frames.count > 40)
        var generator = SeededGenerator(seed: seed)
        var refused = 0
        for round in 0..<5_000 {
            let frame = mutated(Self.frames[round % Self.frames.count], &generator)
            do {
                let packet = try EnginePacket(parsing: frame)
                if case .open = packet {} else { #expect(try EnginePacket(parsing: packet.text) == packet) }
                guard case .message(let text) = packet else { continue }
                let inner = try SocketPacket(parsing: text)
                #expect(try SocketPacket(parsing: inner.text) == inner)
            } catch {
                refused += 1
            }
        }
        #expect(refused > 500)
    }

    /// Any events in any order: no trap, nothing after a close, and no more than one timer per event.
    static let sessionSeeds: [UInt64] = [5, 6, 7, 8]

    @Test("A session has one timer and does nothing after its end, for any frames", arguments: sessionSeeds)
    func sessions(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var session = Session(recovery: Bool.random(using: &generator) ? Recovery(pid: "p-77", offset: "1") : nil)
            var isClosed = false
            for _ in 0..<40 {
                let effects = session.receive(event(&generator))
                if isClosed { #expect(effects.isEmpty) }
                let timers = effects.filter { if case .startTimer = $0 { true } else { false } }
                #expect(timers.count <= 1)
                if let close = effects.firstIndex(where: { if case .close = $0 { true } else { false } }) {
                    #expect(close == effects.count - 1)
                    isClosed = true
                }
            }
        }
    }

    private func event(_ generator: inout SeededGenerator) -> Session.Event {
        switch Int.random(in: 0..<40, using: &generator) {
        case 0..<6: .opened
        case 6..<10: .credentials(["t": "k"])
        case 10: .credentials(.null)
        case 11: .receivedBinary
        case 12: .timerFired(Session.Timer(generation: Int.random(in: 0...40, using: &generator)))
        case 13: Bool.random(using: &generator) ? .closed(code: 1001) : .hangUp
        case 14..<30: .received(Self.frames.randomElement(using: &generator)!)
        default: .received(mutated(Self.frames.randomElement(using: &generator)!, &generator))
        }
    }
}
