/// Decompresses zlib data (RFC 1950) of a known size. Wrong data ends it; it never traps and never writes more.
struct Inflation {
    private var bits: BitReader
    private var output: [UInt8] = []
    private let size: Int

    /// The decompressed data; nil: the data is wrong, or its size is another one.
    static func decompress(_ zlib: [UInt8], size: Int) -> [UInt8]? {
        // Compression method 8, no preset dictionary. The check sum at the end is not needed: PNG has its own.
        guard zlib.count > 2, zlib[0] & 0x0F == 8, zlib[1] & 0x20 == 0 else { return nil }
        var inflation = Inflation(bits: BitReader(zlib[2...]), size: size)
        inflation.output.reserveCapacity(size)
        guard inflation.readBlocks(), inflation.output.count == size else { return nil }
        return inflation.output
    }

    private init(bits: BitReader, size: Int) { (self.bits, self.size) = (bits, size) }

    /// RFC 1951 §3.2.3. Returns whether the data is valid up to its end.
    private mutating func readBlocks() -> Bool {
        while let isLast = bits.next(1), let type = bits.next(2) {
            let isValid =
                switch type {
                case 0: copyStored()
                case 1: readBlock(.fixedLiterals, .fixedDistances)
                case 2: readDynamicBlock()
                default: false
                }
            guard isValid else { return false }
            if isLast == 1 { return true }
        }
        return false
    }

    private mutating func copyStored() -> Bool {
        bits.skipToByte()
        guard let length = bits.next(16), let complement = bits.next(16), length == ~complement & 0xFFFF,
            length <= size - output.count
        else { return false }
        for _ in 0..<length {
            guard let byte = bits.next(8) else { return false }
            output.append(UInt8(byte))
        }
        return true
    }

    /// RFC 1951 §3.2.7: the order of the lengths of the code for lengths.
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private mutating func readDynamicBlock() -> Bool {
        guard let literals = bits.next(5), let distances = bits.next(5), let count = bits.next(4) else { return false }
        var lengths = [Int](repeating: 0, count: Self.order.count)
        for index in 0..<count + 4 {
            guard let length = bits.next(3) else { return false }
            lengths[Self.order[index]] = length
        }
        guard let code = HuffmanCode(lengths) else { return false }
        let total = literals + 257 + distances + 1
        lengths = []
        while lengths.count < total {
            guard let symbol = code.next(&bits) else { return false }
            switch symbol {
            case 0..<16: lengths.append(symbol)
            case 16:
                guard let last = lengths.last, let count = bits.next(2) else { return false }
                lengths += [Int](repeating: last, count: count + 3)
            default:
                guard let count = bits.next(symbol == 17 ? 3 : 7) else { return false }
                lengths += [Int](repeating: 0, count: count + (symbol == 17 ? 3 : 11))
            }
        }
        guard lengths.count == total, let first = HuffmanCode(Array(lengths.prefix(literals + 257))),
            let second = HuffmanCode(Array(lengths.dropFirst(literals + 257)))
        else { return false }
        return readBlock(first, second)
    }

    /// RFC 1951 §3.2.5: bases and numbers of extra bits of the lengths and distances.
    private static let lengths = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distances = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537, 2_049, 3_073,
        4_097, 6_145, 8_193, 12_289, 16_385, 24_577,
    ]

    private mutating func readBlock(_ literals: HuffmanCode, _ distances: HuffmanCode) -> Bool {
        while let symbol = literals.next(&bits) {
            if symbol < 256 {
                guard output.count < size else { return false }
                output.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return true }
            guard symbol - 257 < Self.lengths.count, let extra = bits.next(Self.lengthBits[symbol - 257]),
                let place = distances.next(&bits), place < Self.distances.count,
                let far = bits.next(max(0, place / 2 - 1))
            else { return false }
            let (length, distance) = (Self.lengths[symbol - 257] + extra, Self.distances[place] + far)
            guard distance <= output.count, length <= size - output.count else { return false }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
        return false
    }
}

/// The bits of a stream, the least significant bit of each byte first (RFC 1951 §3.1.1).
struct BitReader {
    private var bytes: ArraySlice<UInt8>
    private var buffer = 0
    private var count = 0

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The next bits as a number, at most 16; nil: the stream has ended.
    mutating func next(_ wanted: Int) -> Int? {
        while count < wanted {
            guard let byte = bytes.popFirst() else { return nil }
            buffer |= Int(byte) << count
            count += 8
        }
        defer {
            buffer >>= wanted
            count -= wanted
        }
        return buffer & (1 << wanted - 1)
    }

    mutating func skipToByte() {
        buffer >>= count % 8
        count -= count % 8
    }
}

/// A canonical Huffman code (RFC 1951 §3.2.2).
struct HuffmanCode {
    /// The number of codes of each length.
    private var counts = [Int](repeating: 0, count: 16)
    /// In the order of their codes.
    private var symbols: [Int]

    /// - Parameter lengths: The length of each symbol's code, at most 15; 0: it has none.
    /// - Returns: nil if there are more codes than their lengths allow.
    init?(_ lengths: [Int]) {
        for length in lengths where length > 0 { counts[length] += 1 }
        var free = 1
        for length in 1...15 {
            free = free * 2 - counts[length]
            guard free >= 0 else { return nil }
        }
        symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    }

    /// The next symbol; nil: the stream has ended, or no symbol has this code.
    func next(_ bits: inout BitReader) -> Int? {
        var (code, first, index) = (0, 0, 0)
        for length in 1...15 {
            guard let bit = bits.next(1) else { return nil }
            code |= bit
            if code - first < counts[length] { return symbols[index + code - first] }
            index += counts[length]
            first = (first + counts[length]) << 1
            code <<= 1
        }
        return nil
    }

    /// RFC 1951 §3.2.6.
    static let fixedLiterals = fixed(
        [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
            + [Int](repeating: 8, count: 8)
    )
    static let fixedDistances = fixed([Int](repeating: 5, count: 30))

    private static func fixed(_ lengths: [Int]) -> HuffmanCode {
        guard let code = HuffmanCode(lengths) else { preconditionFailure("the lengths of RFC 1951 are a code") }
        return code
    }
}
