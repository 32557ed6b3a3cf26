import Foundation
import Inbox
import TestSupport
import Testing

@testable import Agent

/// The decoder, confined as it is everywhere.
@Suite(.timeLimit(.minutes(5))) struct PictureDecoderTests {
    private static func decode(_ bytes: [UInt8]) async throws -> PicturePixels {
        try await PictureDecoder.find(clock: ContinuousClock()).decode(bytes, host: "h")
    }

    /// The opaque part of a square: left, top, width, height.
    private static func frame(_ picture: PicturePixels) -> [Int] {
        let opaque = (0..<picture.side * picture.side).filter { picture.bytes[4 * $0 + 3] == 255 }
        let (columns, rows) = (opaque.map { $0 % picture.side }, opaque.map { $0 / picture.side })
        guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max() else {
            return []
        }
        return [left, top, right - left + 1, bottom - top + 1]
    }

    @Test("The decoder can open no file, connect to nothing and start nothing") func isolation() async throws {
        let decoder = try await PictureDecoder.find(clock: ContinuousClock())
        #expect(decoder.mechanisms.hasPrefix("seccomp"))
    }

    @Test("The decoder is built with a stack protector") func stackProtector() throws {
        let bytes = try Data(contentsOf: URL(filePath: try #require(PictureDecoder.path)))
        #expect(bytes.range(of: Data("__stack_chk_fail".utf8)) != nil)
    }

    @Test("Before it reads, the decoder has given up privileges, memory, time, files, processes and its environment")
    func limits() async throws {
        let process = Process()
        process.executableURL = URL(filePath: try #require(PictureDecoder.path))
        process.arguments = ["1"]
        process.environment = ["SECRET": "secret"]
        process.standardInput = Pipe()
        try process.run()
        defer { process.terminate() }
        func file(_ name: String) throws -> String {
            try String(contentsOfFile: "/proc/\(process.processIdentifier)/\(name)", encoding: .utf8)
        }
        try await waiting(for: "seccomp", seeing: { try file("status") }) { $0.contains("Seccomp:\t2") }
        #expect(try file("status").contains("NoNewPrivs:\t1"))
        #expect(try !file("environ").contains("secret"))
        let limits = try file("limits").split(separator: "\n")
        for (name, value) in [
            ("Max cpu time", "4"), ("Max address space", "536870912"), ("Max core file size", "0"),
            ("Max open files", "0"), ("Max processes", "0"),
        ] {
            let line = try #require(limits.first { $0.hasPrefix(name) })
            #expect(line.dropFirst(name.count).split(separator: " ").prefix(2) == [value[...], value[...]], "\(name)")
        }
    }

    @Test("PNG, JPEG, WebP and the first frame of a GIF become a square of the same size") func kinds() async throws {
        let files = [
            (TestPicture.png(width: 5, height: 4), 5), (TestPicture.jpeg, 3), (TestPicture.webp[0], 3),
            (TestPicture.webp[1], 3), (TestPicture.gif(), 1),
        ]
        for (bytes, side) in files { #expect(try await Self.decode(bytes).side == side) }
    }

    @Test("The pixels are those that the picture was made of, in the middle of a transparent square") func pixels()
        async throws
    {
        let picture = try await Self.decode(TestPicture.png(width: 7, height: 4))
        var expected = [UInt8](repeating: 0, count: 4 * 7 * 7)
        for y in 0..<4 {
            for x in 0..<7 {
                let start = 4 * (7 * (y + 1) + x)
                expected.replaceSubrange(start..<start + 4, with: [UInt8(x), UInt8(y), UInt8(x + y), 255])
            }
        }
        #expect(picture == PicturePixels(side: 7, bytes: expected))
    }

    @Test("A large picture is scaled down to 256 pixels") func large() async throws {
        #expect(Self.frame(try await Self.decode(TestPicture.png(width: 600, height: 400))) == [0, 42, 256, 171])
        #expect(Self.frame(try await Self.decode(TestPicture.png(width: 1, height: 4_096))) == [127, 0, 1, 256])
        let half = try await Self.decode(TestPicture.png(width: 512, height: 512))
        #expect(Array(half.bytes[..<4]) == [0, 0, 1, 255], "the average of four pixels")
    }

    @Test("A photograph is turned upright", arguments: 1...8) func orientation(_ value: UInt8) async throws {
        let turned = try await Self.decode(TestPicture.jpeg(orientation: value))
        #expect(Self.frame(turned) == (value >= 5 ? [0, 0, 2, 3] : [0, 0, 3, 2]))
        func greys(_ picture: PicturePixels) -> [[UInt8]] {
            let frame = Self.frame(picture)
            return (0..<frame[3]).map { y in (0..<frame[2]).map { x in picture.bytes[4 * (y * 3 + x)] } }
        }
        let rows: [[UInt8]] = [[0, 50, 100], [150, 200, 250]]
        let mirrored = rows.map { Array($0.reversed()) }
        func transposed(_ rows: [[UInt8]]) -> [[UInt8]] { rows[0].indices.map { x in rows.map { $0[x] } } }
        let all: [[[UInt8]]] = [
            rows, mirrored, mirrored.reversed(), rows.reversed(), transposed(rows), transposed(rows.reversed()),
            transposed(mirrored.reversed()), transposed(mirrored),
        ]
        #expect(greys(turned) == all[Int(value) - 1])
    }

    @Test("What is no picture, too large, damaged or lies about its size is refused") func refused() async throws {
        let png = TestPicture.png(width: 64, height: 64)
        let files: [(String, [UInt8])] = [
            ("HTML", Array("<html>".utf8)), ("SVG", Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)),
            ("10,000 pixels", TestPicture.png(width: 1, height: 1, declared: (10_000, 10_000))),
            ("fewer pixels than declared", TestPicture.png(width: 1, height: 1, declared: (4_000, 4_000))),
            ("truncated", Array(png.prefix(png.count / 2))),
            ("truncated near its end", Array(png.dropLast(30))),
            ("truncated in its header", Array(png.prefix(30))),
            ("a JPEG's head", Array(TestPicture.jpeg.prefix(100))), ("empty", []),
            ("a frame of 65,535 pixels", TestPicture.gif(frame: (65_535, 65_535))),
            ("a truncated GIF", Array(TestPicture.gif().dropLast(3))),
            ("a truncated WebP file", Array(TestPicture.webp[1].prefix(40))),
        ]
        for (name, bytes) in files {
            await #expect(throws: PictureFailure.self, "\(name)") { try await Self.decode(bytes) }
        }
    }

    @Test("A picture with damaged bytes becomes a picture of its size or none, and the decoder always ends")
    func damaged() async throws {
        let decoder = try await PictureDecoder.find(clock: ContinuousClock())
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let files = [TestPicture.jpeg, TestPicture.gif(), TestPicture.png(width: 5, height: 5)] + TestPicture.webp
        for file in files {
            for _ in 0..<20 {
                var bytes = file
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = .random(in: 0...255, using: &random)
                guard let picture = try? await decoder.decode(bytes, host: "h") else { continue }
                #expect(picture.bytes.count == 4 * picture.side * picture.side, "seed \(seed)")
            }
        }
    }

    @Test("A decoder that does not end is ended") func timeout() async throws {
        let clock = ManualClock()
        let decoder = PictureDecoder(["sh", "-c", "exec sleep 1000"], clock: clock)
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
        "No picture is decoded by a program that could not give up everything, or that does not work",
        arguments: [
            ("exit 71", PictureDecoder.Problem.notConfined), ("echo open possible; exit 71", .notConfined),
            ("exit 127", .notWorking), ("echo by magic; exit 1", .notWorking), ("echo nonsense", .notWorking),
        ]
    )
    func unconfined(script: String, problem: PictureDecoder.Problem) async throws {
        let decoder = PictureDecoder(["sh", "-c", script], clock: ContinuousClock())
        await #expect(throws: problem) { try await decoder.checked() }
        await #expect(throws: PictureFailure.self) { try await decoder.decode(TestPicture.gif(), host: "h") }
    }
}
