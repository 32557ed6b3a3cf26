import ClientKit
import TestSupport
import Testing

/// Frames with seeded damage: an error or an ignored frame, never a trap; and what still parses survives a round trip.
struct SocketIOMutationTests {
    private static let frames = DamagedFrames(of: (try? Transcript.ofSocketIO()) ?? [])

    @Test("A mutated packet is rejected, or encodes to the same packet", arguments: [1, 2, 3, 4] as [UInt64])
    func codecs(seed: UInt64) throws {
        let refused = try Self.frames.rejections(seed: seed) { frame in
            let packet = try EnginePacket(parsing: frame)
            if case .open = packet {} else { #expect(try EnginePacket(parsing: packet.text) == packet) }
            guard case .message(let text) = packet else { return }
            let inner = try SocketPacket(parsing: text)
            #expect(try SocketPacket(parsing: inner.text) == inner)
        }
        #expect(refused > 500)
    }

    /// Any events in any order: no trap, nothing after a close, and no more than one timer per event.
    @Test(
        "A session has one timer and does nothing after its end, for any frames",
        arguments: [5, 6, 7, 8] as [UInt64]
    )
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
        case 14..<30: .received(Self.frames.whole(&generator))
        default: .received(Self.frames.damaged(&generator))
        }
    }
}
