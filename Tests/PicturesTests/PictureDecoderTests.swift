import TestSupport
import Testing

@testable import Pictures

/// The decoder of this computer.
@Suite(
    .timeLimit(.minutes(1)),
    .enabled(if: PictureDecoder.isInstalled, "gdk-pixbuf-thumbnailer is not installed")
) struct PictureDecoderTests {
    private static func decoder() async throws -> PictureDecoder {
        try #require(await PictureDecoder.find(clock: ContinuousClock()))
    }

    private static func size(_ file: PictureFile) -> [Int] {
        PictureHeader(file.bytes).map { [$0.width, $0.height] } ?? []
    }

    @Test("PNG, JPEG and the first frame of a GIF become a PNG of the same size") func kinds() async throws {
        let decoder = try await Self.decoder()
        #expect(Self.size(try await decoder.decode(TestPicture.png(width: 5, height: 4), host: "h")) == [5, 4])
        #expect(Self.size(try await decoder.decode(TestPicture.jpeg, host: "h")) == [3, 2])
        #expect(Self.size(try await decoder.decode(TestPicture.gif(), host: "h")) == [1, 1])
    }

    @Test("A large picture is scaled down to 256 pixels") func large() async throws {
        let decoder = try await Self.decoder()
        let wide = try await decoder.decode(TestPicture.png(width: 600, height: 400), host: "h")
        #expect(Self.size(wide) == [256, 171])
        let tall = try await decoder.decode(TestPicture.png(width: 1, height: 4_096), host: "h")
        #expect(Self.size(tall).last == 256)
    }

    @Test("A small PNG is decoded, too: other chunks are not kept") func small() async throws {
        let decoder = try await Self.decoder()
        let picture = TestPicture.png(width: 9, height: 9, chunks: [("tEXt", Array("Comment\0secret".utf8))])
        let file = try await decoder.decode(picture, host: "h")
        #expect(!file.bytes.contains(Array("secret".utf8)))
        #expect(file.bytes != picture)
    }

    @Test("What is no picture, too large, damaged or lies about its size is refused") func refused() async throws {
        let decoder = try await Self.decoder()
        let png = TestPicture.png(width: 64, height: 64)
        let files: [(String, [UInt8])] = [
            ("HTML", Array("<html>".utf8)), ("SVG", Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)),
            ("10,000 pixels", TestPicture.png(width: 1, height: 1, declared: (10_000, 10_000))),
            ("truncated", Array(png.prefix(png.count / 2))),
            ("truncated in its header", Array(png.prefix(30))),
            ("a JPEG's head", Array(TestPicture.jpeg.prefix(200))), ("empty", []),
        ]
        for (name, bytes) in files {
            await #expect(throws: PictureFailure.self, "\(name)") { try await decoder.decode(bytes, host: "h") }
        }
    }

    @Test("A header that does not say the truth leads to a small picture or none") func wrongSize() async throws {
        let decoder = try await Self.decoder()
        let missing = TestPicture.png(width: 1, height: 1, declared: (4_000, 4_000))
        for bytes in [TestPicture.gif(frame: (65_535, 65_535)), missing] {
            let file = try? await decoder.decode(bytes, host: "h")
            if let file { #expect(Self.size(file).allSatisfy { $0 <= 256 }) }
        }
        #expect(Self.size(try await decoder.decode(TestPicture.gif(), host: "h")) == [1, 1])
    }

    @Test("A decoder that does not end is ended") func timeout() async throws {
        let clock = ManualClock()
        let decoder = PictureDecoder(isolation: ["sh", "-c", "exec sleep 1000"], clock: clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: PictureFailure.self) { try await decoder.decode(TestPicture.gif(), host: "h") }
            }
            await clock.sleepers(1)
            clock.advance(by: PictureDecoder.timeout)
            try await group.waitForAll()
        }
    }

    @Test(
        "The decoder has limits, and not the environment of the session",
        arguments: [
            ("[ $(ulimit -t) = 4 ] && [ $(ulimit -v) = 524288 ] && [ $(ulimit -f) = 0 ] && [ $(ulimit -c) = 0 ]", true),
            ("[ -z \"$HOME$DBUS_SESSION_BUS_ADDRESS$XDG_RUNTIME_DIR\" ] && [ $GIO_USE_VFS = local ]", true),
            ("[ $(ulimit -t) = unlimited ]", false),
        ]
    )
    func limits(condition: String, isMet: Bool) async throws {
        let words = ["sh", "-c", "\(condition) && exec \"$0\" \"$@\""]
        let decoder = PictureDecoder(isolation: words, clock: ContinuousClock())
        let file = try? await decoder.decode(TestPicture.gif(), host: "h")
        #expect((file != nil) == isMet)
    }

    @Test("In namespaces of its own, the decoder has no network and sees no files of the user") func namespaces()
        async throws
    {
        let decoder = try await Self.decoder()
        guard decoder.isInNamespaces else { return }
        let condition = "[ ! -e /home ] && [ ! -e /etc/passwd ] && ! grep -q -v -e lo: -e face -e Inter /proc/net/dev"
        let words = decoder.isolation + ["sh", "-c", "\(condition) && exec \"$0\" \"$@\""]
        let checked = PictureDecoder(isolation: words, clock: ContinuousClock())
        #expect(Self.size(try await checked.decode(TestPicture.gif(), host: "h")) == [1, 1])
    }
}

extension [UInt8] {
    fileprivate func contains(_ other: [UInt8]) -> Bool { firstRange(of: other) != nil }
}
