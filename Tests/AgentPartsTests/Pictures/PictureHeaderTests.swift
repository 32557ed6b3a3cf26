import TestSupport
import Testing

@testable import Agent

@Suite struct PictureHeaderTests {
    private static let files: [(bytes: [UInt8], kind: PictureHeader.Kind, width: Int, height: Int)] = [
        (TestPicture.png(width: 5, height: 4), .png, 5, 4), (TestPicture.gif(), .gif, 1, 1),
        (TestPicture.jpeg, .jpeg, 3, 2), (TestPicture.webp[0], .webp, 3, 2), (TestPicture.webp[1], .webp, 3, 2),
        (webpExtended, .webp, 0x1_0203, 0x4_0506),
    ]

    private static let webpExtended: [UInt8] =
        Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 2, 2, 1, 5, 5, 4]

    @Test("Type and size of each kind of picture are in its first bytes") func sizes() {
        for file in Self.files {
            let header = PictureHeader(file.bytes)
            #expect(header?.kind == file.kind)
            #expect(header?.width == file.width && header?.height == file.height, "\(file.kind)")
        }
    }

    @Test("A header that is cut off is none") func truncated() {
        for file in Self.files {
            for count in 0..<10 { #expect(PictureHeader(Array(file.bytes.prefix(count))) == nil) }
            for count in 10..<file.bytes.count {
                // Complete or none, and no trap.
                let header = PictureHeader(Array(file.bytes.prefix(count)))
                #expect(header == nil || header?.width == file.width && header?.height == file.height)
            }
        }
    }

    @Test(
        "Other files are no pictures",
        arguments: [
            "", "<!DOCTYPE html><html><body>Sign in</body></html>", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
            "BM", "%PDF-1.7", "RIFF0000WAVEfmt ", "GIF88a000000000000", "II*\u{0}", "/* XPM */", "P6 3 2 255 ",
        ]
    )
    func otherFiles(_ text: String) { #expect(PictureHeader(Array(text.utf8)) == nil) }

    @Test("A JPEG without a frame header is none") func jpegWithoutFrame() {
        let start: [UInt8] = [0xFF, 0xD8]
        for rest: [UInt8] in [
            [0xFF, 0xDA, 0, 8, 0, 0], [0xFF, 0xE0, 0, 1, 0xFF, 0xC0], [0xFF, 0xE0, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF],
            [0xFF, 0xD9], [0, 0, 0, 0],
        ] {
            #expect(PictureHeader(start + rest) == nil)
        }
        let padded: [UInt8] = [0xFF, 0xE1, 0, 2, 0xFF, 0xFF, 0xFF, 0xC2, 0, 11, 8, 0, 7, 0, 9]
        #expect(PictureHeader(start + padded)?.width == 9)
    }

    @Test(
        "The size is limited",
        arguments: [
            (4_096, 4_096, true), (4_097, 1, false), (1, 4_097, false), (10_000, 10_000, false), (0, 1, false),
            (1, 0, false), (0x7FFF_FFFF, 0x7FFF_FFFF, false), (0xFFFF_FFFF, 1, false),
        ]
    )
    func limit(_ width: Int, _ height: Int, isAcceptable: Bool) {
        let file = TestPicture.png(width: 1, height: 1, declared: (width, height))
        #expect(PictureHeader(file)?.isAcceptable == isAcceptable)
    }
}
