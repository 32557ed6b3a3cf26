import Inbox
import TestSupport
import Testing

@testable import Pictures

@Suite struct PicturePixelsTests {
    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }

    /// What zlib 1.2.13 made of the text, with its strategies: stored, fixed and dynamic codes.
    private static let texts: [(text: String, zlib: String)] = [
        (
            text: "abcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabc",
            zlib: """
            7801013c00c3ff616263616263616263616263616263616263616263616263616263616263616263616263616263616263616263\
            616263616263616263616263616263bcbe16f9
            """
        ),
        (
            text: "hello, hello, hello: the same words again and again",
            zlib: "7801cb48cdc9c9d751c840a2ac144a3252158a13735315caf38b528a1512d31333f31412f352202c00d3e21218"
        ),
        (
            text: """
            xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\
            xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\
            xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
            """,
            zlib: "78daaba81805c40200b20a8ca1"
        ),
        (
            text: """
            baf.aa.cbb..gaba,gaabadac.ghg afaaa.bchdh,gfhbeacbeabcdaa..afahaadhhaaagec,badaaaabhdcaaeefagg ,ga,chbdh\
            c,deaheagaae ffc.aaafc debfbefcdgaaad,bcbebhaaeeb baeb cbaa,bebceafahd,c fhdhhahaba.,hba ,debadabaa,bhaa\
            .ab,dba,haaeac.afbbaabbcaa.gacbc,,ha.eaaaaaaa.aa,,.ebeafggdfcbehaaagabaf gahaf.ehh abbcahbhaaefca a,gaea\
            a.abga,aagbaeaaa.ddaa,,baaaebabbb gcfgfhag,bhbh,.agaba.., bacba,ebdhcbdac.gbbfbe.ah.b a.
            """,
            zlib: """
            78da2550890d0331085b8501103bd9bcfb4f50e71a294881f883980022c98805e10bd542c6de1a061a32afce778e8dd46596baa1\
            e101752ad84e7f301d5e25d03dd835d1791eebd2ab710dd1b7cda4443169d51cf664a98f728a9ef7d034422509b87ad94fad3c6d\
            ee299e4c861f61e27dc2df3f2103f4528c47a210186a42ca91e225d33589c6ffc8847bb422cd6e8dc4bf2c221b5b694cf49d7df0\
            fb6c4dc2de8afa135236fde67b21aa1e99c4645b08dae6686558d9e2797cb411ae5c0ae5fd76c26fcf7c2b085cd0103ff9b18c70
            """
        ),
    ]

    @Test("Each kind of block is decompressed", arguments: texts.indices) func blocks(index: Int) {
        let (text, zlib) = Self.texts[index]
        let expected = Array(text.utf8)
        #expect(Inflation.decompress(Self.bytes(zlib), size: expected.count) == expected)
        for size in [0, expected.count - 1, expected.count + 1] {
            #expect(Inflation.decompress(Self.bytes(zlib), size: size) == nil, "another size")
        }
    }

    @Test("Damaged and truncated data never traps, and never becomes longer") func damaged() {
        for (text, zlib) in Self.texts {
            let bytes = Self.bytes(zlib)
            for index in bytes.indices {
                // The check sum at the end is not needed.
                let truncated = Inflation.decompress(Array(bytes.prefix(index)), size: text.utf8.count)
                #expect(truncated == nil || index >= bytes.count - 4)
                for bit in 0..<8 {
                    var damaged = bytes
                    damaged[index] ^= 1 << bit
                    let output = Inflation.decompress(damaged, size: text.utf8.count)
                    #expect(output == nil || output?.count == text.utf8.count)
                }
            }
        }
    }

    @Test("The pixels of an uncompressed PNG are those that it was made of") func stored() throws {
        let pixels = try #require(PictureFile(TestPicture.png(width: 200, height: 120)).flatMap { PicturePixels($0) })
        #expect(pixels.width == 200 && pixels.height == 120)
        let expected = (0..<120).flatMap { y in
            (0..<200).flatMap { x in [x, y, x + y, 255].map { UInt8($0 & 255) } }
        }
        #expect(pixels.bytes == expected)
    }

    @Test("A picture that is not square is in the middle of a transparent square") func squared() {
        let wide = PicturePixels(width: 3, height: 1, bytes: (1...12).map { $0 })
        let square = PicturePixels(
            width: 3,
            height: 3,
            bytes: Array(repeating: 0, count: 12) + wide.bytes + Array(repeating: 0, count: 12)
        )
        #expect(wide.squared == square)
        #expect(square.squared == nil)
        let high = PicturePixels(width: 1, height: 3, bytes: (1...12).map { $0 })
        #expect(
            high.squared?.bytes.indices.filter { high.squared?.bytes[$0] != 0 } == [
                4, 5, 6, 7, 16, 17, 18, 19, 28, 29, 30, 31,
            ]
        )
    }

    @Test("Every filter of rows is undone, with and without opacity", arguments: filtered.indices)
    func filters(index: Int) throws {
        let (png, expected) = Self.filtered[index]
        let pixels = try #require(PictureFile(Self.bytes(png)).flatMap { PicturePixels($0) })
        #expect(pixels.width == 3 && pixels.height == 6)
        #expect(pixels.bytes == Self.bytes(expected))
    }

    /// PNG files of 3 × 6 pixels with the filters 0 to 4 and 4 in their rows, and their pixels.
    private static let filtered: [(png: String, pixels: String)] = [
        (
            png: """
            89504e470d0a1a0a0000000d49484452000000030000000608020000008987b35b0000004749444154789c013c00c3ff0025cc17\
            ef7578236f82017b6184cbfe8e3cf7050225fc54e8cc2aad317e03c2887b8c937e3e648d04b04240a9f7b9d5a95e04ca2fb6ceb9\
            a3f81c7f3fde1d093291944d0000000049454e44ae426082
            """,
            pixels: """
            25cc17ffef7578ff236f82ff7b6184ff465f12ff825617ffa05dd8ff2e2b3cff2f8795ff12b6e7ffac030fffaba9dfffc2f827ff\
            6bfac8ff40a33dff8c27ddff39e080ff31bfbcff
            """
        ),
        (
            png: """
            89504e470d0a1a0a0000000d494844520000000300000006080600000006e5240c0000005949444154789c014e00b1ff00e69787\
            36ad3afcb41e965d4c015bbde83fdc8bc1986217411f02449d3bf725800e5cef2bda2503f6e8e46f2e47d4706284fd8a04f43895\
            a9bb84d4d657a5e3ea049216cd289c3366363a1b132eb3602461192d2c0e0000000049454e44ae426082
            """,
            pixels: """
            e6978736ad3afcb41e965d4c5bbde83f3748a9d7995feaf69f5a23365cc8b733888ac41b4515f58a7eb5aacee523b4fe394d8a33\
            39395e60d5c8414acb63575b6780bd960fe3d0c4
            """
        ),
    ]

    @Test("A file with a wrong filter or too few rows has no pixels") func wrongRows() throws {
        let short = TestPicture.png(width: 2, height: 2, declared: (2, 3))
        #expect(try PicturePixels(#require(PictureFile(short))) == nil)
        let long = TestPicture.png(width: 2, height: 2, declared: (2, 1))
        #expect(try PicturePixels(#require(PictureFile(long))) == nil)
        let wide = TestPicture.png(width: 2, height: 3, declared: (1, 3))
        #expect(try PicturePixels(#require(PictureFile(wide))) == nil)
    }

    @Test("What the decoder makes has pixels", .enabled(if: PictureDecoder.isInstalled)) func decoded() async throws {
        let decoder = try #require(await PictureDecoder.find(clock: ContinuousClock()))
        let file = try await decoder.decode(TestPicture.png(width: 7, height: 5), host: "h")
        let source = try #require(PictureFile(TestPicture.png(width: 7, height: 5)))
        #expect(PicturePixels(file) == PicturePixels(source))
        let large = try await decoder.decode(TestPicture.png(width: 512, height: 512), host: "h")
        #expect(PicturePixels(large)?.bytes.count == 4 * 256 * 256)
    }
}
