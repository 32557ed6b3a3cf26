import TestSupport
import Testing

@testable import Pictures

@Suite struct PictureFileTests {
    @Test("A small PNG is kept as it is") func kept() {
        for (width, height) in [(1, 1), (256, 256), (7, 256)] {
            let bytes = TestPicture.png(width: width, height: height)
            #expect(PictureFile(bytes)?.bytes == bytes)
        }
    }

    @Test("Chunks that the pixels do not need are removed") func otherChunks() {
        let bytes = TestPicture.png(
            width: 3,
            height: 3,
            chunks: [("tEXt", Array("Thumb::URI\0file:///home/anna/x".utf8)), ("iCCP", [1, 2, 3]), ("eXIf", [])]
        )
        #expect(PictureFile(bytes)?.bytes == TestPicture.png(width: 3, height: 3))
    }

    @Test("Larger pictures and chunks that are needed and unknown are rejected") func rejected() {
        #expect(PictureFile(TestPicture.png(width: 257, height: 1)) == nil)
        #expect(PictureFile(TestPicture.png(width: 1, height: 257)) == nil)
        #expect(PictureFile(TestPicture.png(width: 1, height: 1, declared: (0, 1))) == nil)
        #expect(PictureFile(TestPicture.png(width: 1, height: 1, chunks: [("PLTE", [1, 2, 3])])) == nil)
        #expect(PictureFile(TestPicture.png(width: 1, height: 1, chunks: [("IHDR", [])])) == nil)
        #expect(PictureFile(TestPicture.jpeg) == nil)
        #expect(PictureFile(TestPicture.png(width: 2, height: 2) + [0]) == nil)
        #expect(PictureFile([UInt8](repeating: 0, count: PictureFile.limit + 1)) == nil)
    }

    @Test("A damaged file is rejected, whichever byte is damaged") func damaged() {
        let bytes = TestPicture.png(width: 4, height: 4)
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x10
            #expect(PictureFile(damaged) == nil, "byte \(index)")
            #expect(PictureFile(Array(bytes.prefix(index))) == nil)
        }
    }
}
