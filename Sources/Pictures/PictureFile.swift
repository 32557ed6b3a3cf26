/// A decoded picture as it is passed to notification servers: a PNG with the chunks that the pixels need, and no other.
///
/// Portable Network Graphics (PNG) Specification, third edition.
package struct PictureFile: Equatable, Sendable {
    /// The maximum width and height in pixels.
    static let side = 256
    /// The maximum size in bytes: a picture of ``side`` with four bytes for each pixel, and what cannot be compressed.
    package static let limit = 4 * side * side + (16 << 10)

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The content of the file.
    package let bytes: [UInt8]

    /// Takes the chunks that the pixels need; nil: it is not such a picture, or it is damaged.
    ///
    /// Only the structure is checked, with the check sums of all chunks.
    package init?(_ bytes: [UInt8]) {
        let reader = PictureBytes(bytes)
        guard bytes.count <= Self.limit, reader.has(Self.signature, at: 0) else { return nil }
        var kept = Self.signature
        var position = 8
        var phase = Phase.start
        while phase != .end {
            guard let length = reader.big(4, at: position), let type = reader.slice(4, at: position + 4),
                let content = reader.slice(length + 4, at: position + 4),
                let sum = reader.big(4, at: position + 8 + length), CyclicRedundancyCheck.sum(of: content) == sum,
                let next = phase.next(String(decoding: type, as: UTF8.self))
            else { return nil }
            if case .header = next, !Self.isAcceptable(header: Array(content.dropFirst(4))) { return nil }
            if next.isKept { kept += bytes[position..<position + length + 12] }
            phase = next.settled(after: phase)
            position += length + 12
        }
        guard position == bytes.count else { return nil }
        self.bytes = kept
    }

    /// Width, height, eight bits for each sample, colours with or without transparency, not interlaced.
    private static func isAcceptable(header: [UInt8]) -> Bool {
        let reader = PictureBytes(header)
        guard header.count == 13, let width = reader.big(4, at: 0), let height = reader.big(4, at: 4) else {
            return false
        }
        return (1...side).contains(width) && (1...side).contains(height) && header[8] == 8
            && (header[9] == 2 || header[9] == 6) && header[10...] == [0, 0, 0]
    }

    /// What was read.
    private enum Phase: Equatable {
        case start, header, data, end
        /// A chunk that the pixels do not need.
        case other

        /// The phase of a chunk; nil: it must not follow.
        func next(_ type: String) -> Phase? {
            switch (self, type) {
            case (.start, "IHDR"): .header
            case (.header, "IDAT"), (.data, "IDAT"): .data
            case (.data, "IEND"): .end
            case (.start, _), (_, "IHDR"), (_, "IEND"), (_, "IDAT"): nil
            // A lower-case letter: the picture can be decoded without it.
            default: type.utf8.first.map { $0 & 0x20 != 0 } ?? false ? .other : nil
            }
        }

        var isKept: Bool { self != .other }

        func settled(after phase: Phase) -> Phase { self == .other ? phase : self }
    }
}

/// The check sum of a chunk (PNG, "CRC algorithm").
enum CyclicRedundancyCheck {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    static func sum(of bytes: some Sequence<UInt8>) -> Int {
        Int(~bytes.reduce(~UInt32(0)) { sum, byte in table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8) })
    }
}
