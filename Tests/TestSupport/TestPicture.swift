/// Pictures for tests, made without the code under test.
package enum TestPicture {
    /// A PNG with a colour of its own for each pixel, uncompressed.
    ///
    /// - Parameters:
    ///   - declared: The size in the header, if it is not the true one.
    ///   - chunks: Further chunks before the pixels: their types and contents.
    ///   - color: The colour of all pixels; nil: each has its own.
    package static func png(
        width: Int,
        height: Int,
        declared: (width: Int, height: Int)? = nil,
        chunks: [(String, [UInt8])] = [],
        color: [UInt8]? = nil
    ) -> [UInt8] {
        let (named, tall) = declared ?? (width, height)
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width { rows += color ?? [x, y, x + y].map { UInt8($0 & 255) } }
        }
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += chunk("IHDR", big(named) + big(tall) + [8, 2, 0, 0, 0])
        for (type, content) in chunks { file += chunk(type, content) }
        file += chunk("IDAT", stored(rows))
        return file + chunk("IEND", [])
    }

    /// A GIF of one pixel. Its first frame may have another size than its header says.
    package static func gif(frame: (width: UInt16, height: UInt16) = (1, 1)) -> [UInt8] {
        var file = Array("GIF89a".utf8)
        file += [1, 0, 1, 0, 0x80, 0, 0, 255, 255, 255, 0, 0, 0]
        file += [0x2C, 0, 0, 0, 0]
        for side in [frame.width, frame.height] { file += little(side) }
        return file + [0, 2, 2, 0x44, 1, 0, 0x3B]
    }

    /// A JPEG of 3 × 2 pixels with the greys 0, 50, 100, 150, 200 and 250.
    package static let jpeg = bytes(
        """
        ffd8ffe000104a46494600010100000100010000ffdb004300010101010101010101010101010101010101010101010101010101010101\
        01010101010101010101010101010101010101010101010101010101010101010101ffc0000b080002000301011100ffc4001400010000\
        000000000000000000000000000affc4001d100001020700000000000000000000000008040700182836475466ffda0008010100003f00\
        5481c85e1dcb0b2f49e34d9a9b04b5db6b3968ffd9
        """
    )

    /// The same with Exif data that states an orientation.
    package static func jpeg(orientation: UInt8) -> [UInt8] {
        let directory: [UInt8] = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
        let data = Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8] + directory
        return jpeg[..<2] + [0xFF, 0xE1, 0, UInt8(data.count + 2)] + data + jpeg[2...]
    }

    /// WebP files of 3 × 2 pixels: lossless and lossy.
    package static let webp = [
        bytes("524946461c000000574542505650384c0f0000002f024000000710fd8ffe0722a2ff0100"),
        bytes(
            """
            524946463c000000574542505650382030000000d001009d012a0300020002003425a00274ba01f80003b000fef0c40bff20b96175\
            c8d7ff203fe407fc80fff8f2000000
            """
        ),
    ]

    // MARK: Parts

    private static func big(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8((number >> $0) & 255) } }

    private static func little(_ number: UInt16) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8)] }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + content
        return big(content.count) + checked + big(Int(crc(checked)))
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
        }
        return ~sum
    }

    /// zlib data (RFC 1950) in blocks that are not compressed (RFC 1951 §3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            result += little(length)
            result += little(~length)
            result += block
        } while !rest.isEmpty
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return result + big(Int(high << 16 | low))
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }
}
