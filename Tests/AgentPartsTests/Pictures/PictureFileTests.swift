import Inbox
import TestSupport
import Testing

@testable import Agent

@Suite struct PictureFileTests {
    /// A square with a colour of its own for each pixel.
    private static func square(_ side: Int) -> PicturePixels {
        PicturePixels(
            side: side,
            bytes: (0..<side).flatMap { y in (0..<side).flatMap { x in [x, y, x + y, 255].map { UInt8($0 & 255) } } }
        )
    }

    @Test("The file is a PNG of these pixels", arguments: [1, 2, 9, 127, 128, 256]) func written(side: Int) throws {
        let file = PictureFile(Self.square(side))
        #expect(file.bytes.count <= PictureFile.limit)
        let header = try #require(PictureHeader(file.bytes))
        #expect(header.kind == .png && header.width == side && header.height == side)
        #expect(PictureFile(file.bytes)?.pixels == Self.square(side))
    }

    @Test("A decoder of another author reads the same pixels") func decoded() async throws {
        let picture = Self.square(200)
        let decoder = try await PictureDecoder.find(clock: ContinuousClock())
        #expect(try await decoder.decode(PictureFile(picture).bytes, host: "h") == picture)
    }

    @Test("Other files are rejected") func rejected() {
        let file = PictureFile(Self.square(4)).bytes
        #expect(PictureFile(TestPicture.png(width: 4, height: 4)) == nil)
        #expect(PictureFile(TestPicture.jpeg) == nil)
        #expect(PictureFile(file + [0]) == nil)
        #expect(PictureFile([UInt8](repeating: 0, count: PictureFile.limit + 1)) == nil)
    }

    @Test("A damaged file is rejected, whichever byte is damaged") func damaged() {
        let bytes = PictureFile(Self.square(4)).bytes
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x10
            #expect(PictureFile(damaged) == nil, "byte \(index)")
            #expect(PictureFile(Array(bytes.prefix(index))) == nil)
        }
    }
}
