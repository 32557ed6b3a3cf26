/// Type and size of a picture, from its first bytes. Nothing is decoded.
package struct PictureHeader: Equatable, Sendable {
    package enum Kind: Equatable, Sendable, CaseIterable {
        case png, jpeg, gif, webp
    }

    package var kind: Kind
    /// In pixels.
    package var width: Int
    package var height: Int

    /// The maximum width and height in pixels. A small file can have a large picture.
    static let limit = 4096

    /// nil: another type of file, or its size is not in its header.
    package init?(_ bytes: [UInt8]) {
        let reader = PictureBytes(bytes)
        guard let found = Self.png(reader) ?? Self.gif(reader) ?? Self.webp(reader) ?? Self.jpeg(reader) else {
            return nil
        }
        self = found
    }

    private init(_ kind: Kind, _ width: Int, _ height: Int) {
        (self.kind, self.width, self.height) = (kind, width, height)
    }

    /// Whether the picture may be decoded.
    var isAcceptable: Bool { (1...Self.limit).contains(width) && (1...Self.limit).contains(height) }

    /// PNG, "Datastream structure" and "IHDR image header".
    private static func png(_ bytes: PictureBytes) -> PictureHeader? {
        guard bytes.has(PictureFile.signature, at: 0), bytes.has("IHDR", at: 12), let width = bytes.big(4, at: 16),
            let height = bytes.big(4, at: 20)
        else { return nil }
        return PictureHeader(.png, width, height)
    }

    /// GIF89a, "Logical Screen Descriptor".
    private static func gif(_ bytes: PictureBytes) -> PictureHeader? {
        guard bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0), let width = bytes.little(2, at: 6),
            let height = bytes.little(2, at: 8)
        else { return nil }
        return PictureHeader(.gif, width, height)
    }

    /// RFC 9649 §2: the chunk for lossy (RFC 6386 §9.1), lossless or extended files.
    private static func webp(_ bytes: PictureBytes) -> PictureHeader? {
        guard bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) else { return nil }
        if bytes.has("VP8 ", at: 12), bytes.has([0x9D, 0x01, 0x2A], at: 23), let width = bytes.little(2, at: 26),
            let height = bytes.little(2, at: 28)
        {
            return PictureHeader(.webp, width & 0x3FFF, height & 0x3FFF)
        }
        if bytes.has("VP8L", at: 12), bytes.has([0x2F], at: 20), let bits = bytes.little(4, at: 21) {
            return PictureHeader(.webp, bits & 0x3FFF + 1, (bits >> 14) & 0x3FFF + 1)
        }
        if bytes.has("VP8X", at: 12), let width = bytes.little(3, at: 24), let height = bytes.little(3, at: 27) {
            return PictureHeader(.webp, width + 1, height + 1)
        }
        return nil
    }

    /// ITU-T T.81, Annex B: the first frame header, after any number of other segments.
    private static func jpeg(_ bytes: PictureBytes) -> PictureHeader? {
        guard bytes.has([0xFF, 0xD8, 0xFF], at: 0) else { return nil }
        var position = 2
        while bytes.has([0xFF], at: position), let marker = bytes.big(1, at: position + 1) {
            switch marker {
            // Padding.
            case 0xFF: position += 1
            // Without a length.
            case 0x01, 0xD0...0xD7: position += 2
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard let height = bytes.big(2, at: position + 5), let width = bytes.big(2, at: position + 7) else {
                    return nil
                }
                return PictureHeader(.jpeg, width, height)
            // The end, or picture data.
            case 0xD8...0xDA: return nil
            default:
                guard let length = bytes.big(2, at: position + 2), length >= 2 else { return nil }
                position += 2 + length
            }
        }
        return nil
    }
}

/// Numbers in a file, without reading beyond its end.
struct PictureBytes {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// At most four bytes, the most significant first; nil: beyond the end.
    func big(_ count: Int, at position: Int) -> Int? {
        slice(count, at: position)?.reduce(0) { $0 << 8 | Int($1) }
    }

    /// At most four bytes, the least significant first; nil: beyond the end.
    func little(_ count: Int, at position: Int) -> Int? {
        slice(count, at: position)?.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    func has(_ other: [UInt8], at position: Int) -> Bool {
        slice(other.count, at: position).map { $0.elementsEqual(other) } ?? false
    }

    func has(_ text: StaticString, at position: Int) -> Bool {
        has(text.withUTF8Buffer(Array.init), at: position)
    }

    func slice(_ count: Int, at position: Int) -> ArraySlice<UInt8>? {
        guard position <= bytes.count - count else { return nil }
        return bytes[position..<position + count]
    }
}
