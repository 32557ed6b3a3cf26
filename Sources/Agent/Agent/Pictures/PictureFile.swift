package import Inbox

/// A decoded picture as a file for notification servers: a PNG that is not compressed, so that its pixels can be read
/// where they are.
///
/// Portable Network Graphics (PNG) Specification, third edition; RFC 1950; RFC 1951 §3.2.4.
package struct PictureFile: Equatable, Sendable {
    /// The maximum width and height in pixels.
    package static let side = 256
    /// The maximum size in bytes: a picture of ``side`` with four bytes for each pixel, and what surrounds them.
    package static let limit = 4 * side * side + (1 << 10)

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let blockLimit = 65_535
    /// Where the first block begins: after the signature, the header and the beginning of the data.
    private static let start = 8 + 25 + 8 + 2

    /// The content of the file.
    package let bytes: [UInt8]
    package let pixels: PicturePixels

    package init(_ pixels: PicturePixels) {
        self.pixels = pixels
        let width = 4 * pixels.side
        var rows: [UInt8] = []
        rows.reserveCapacity(pixels.side * (width + 1))
        for row in 0..<pixels.side {
            // No filter.
            rows.append(0)
            rows += pixels.bytes[row * width..<(row + 1) * width]
        }
        // Eight bits for each sample, colours with opacity, not interlaced.
        let header = Self.big(pixels.side) + Self.big(pixels.side) + [8, 6, 0, 0, 0]
        bytes =
            Self.signature + Self.chunk("IHDR", header) + Self.chunk("IDAT", Self.stored(rows))
            + Self.chunk("IEND", [])
    }

    /// Reads a file; nil: this program did not write it, or it is damaged.
    package init?(_ bytes: [UInt8]) {
        let reader = PictureBytes(bytes)
        guard bytes.count <= Self.limit, let side = reader.big(4, at: 16), (1...Self.side).contains(side) else {
            return nil
        }
        let width = 4 * side
        var rows: [UInt8] = []
        var position = Self.start
        while rows.count < side * (width + 1) {
            let count = min(Self.blockLimit, side * (width + 1) - rows.count)
            guard let block = reader.slice(count, at: position + 5) else { return nil }
            rows += block
            position += 5 + count
        }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(side * width)
        for row in 0..<side {
            let start = row * (width + 1) + 1
            pixels += rows[start..<start + width]
        }
        self.init(PicturePixels(side: side, bytes: pixels))
        guard self.bytes == bytes else { return nil }
    }

    private static func big(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let checked = type.utf8 + content
        return big(content.count) + checked + big(CyclicRedundancyCheck.sum(of: checked))
    }

    /// Data in blocks that are not compressed.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        result.reserveCapacity(bytes.count + bytes.count / blockLimit * 5 + 11)
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(blockLimit)
            rest = rest.dropFirst(block.count)
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            result += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high]
            result += block
        } while !rest.isEmpty
        // Adler-32.
        var (low, high) = (1, 0)
        for byte in bytes {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return result + big(high << 16 | low)
    }
}

/// The check sum of a chunk (PNG, "CRC algorithm").
private enum CyclicRedundancyCheck {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    static func sum(of bytes: [UInt8]) -> Int {
        var sum = ~UInt32(0)
        for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8) }
        return Int(~sum)
    }
}
