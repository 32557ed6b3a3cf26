package import SeededRandom
import Testing

/// The frames that were received in transcripts, whole or with seeded damage.
package struct DamagedFrames: Sendable {
    private static let alphabet = Array(#"0123456789{}[]",:-+.eE\u/ntf_ é😀"#.utf8) + [0, 0x1F, 0x7F, 0xC3, 0xED, 0xFF]

    private let frames: [String]

    package init(of transcripts: [Transcript]) { frames = Array(Set(transcripts.flatMap(\.receivedFrames))).sorted() }

    /// Any frame, as it was.
    package func whole(_ chance: inout SeededGenerator) -> String { frames.randomElement(using: &chance)! }

    /// Any frame, with damage.
    package func damaged(_ chance: inout SeededGenerator) -> String { Self.damaged(whole(&chance), &chance) }

    /// Reads 5,000 damaged frames, of each as many.
    ///
    /// - Returns: How many of them `read` rejected with an error.
    package func rejections(seed: UInt64, _ read: (String) throws -> Void) throws -> Int {
        try #require(frames.count > 40)
        var chance = SeededGenerator(seed: seed)
        return (0..<5_000).count { round in
            let frame = Self.damaged(frames[round % frames.count], &chance)
            do { try read(frame) } catch { return true }
            return false
        }
    }

    private static func damaged(_ frame: String, _ chance: inout SeededGenerator) -> String {
        var bytes = Array(frame.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &chance) {
            let index = Int.random(in: 0...bytes.count, using: &chance)
            switch Int.random(in: 0..<5, using: &chance) {
            case 0: bytes.insert(alphabet.randomElement(using: &chance)!, at: index)
            case 1 where index < bytes.count: bytes.remove(at: index)
            case 2 where index < bytes.count: bytes[index] = alphabet.randomElement(using: &chance)!
            case 3: bytes = Array(bytes.prefix(index))
            case 4: bytes.insert(contentsOf: bytes.suffix(Int.random(in: 0...20, using: &chance)), at: index)
            default: break
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
