import Basics
import ClientKit
import Foundation
import Inbox
import Logging
import TestSupport
import Testing

@testable import Agent

/// From the URL to the file, with the decoder.
@Suite(.timeLimit(.minutes(5))) struct PictureLoaderTests {
    private struct Fixture: Sendable {
        let loader: PictureLoader
        let cache: PictureCache
        let loaded: Mailbox<Loaded>

        func load(_ url: PictureURL) async -> String? {
            loader.request(url)
            guard let picture = await loaded.messages.next() else { return nil }
            return picture.url == url ? picture.file : "another picture"
        }
    }

    private struct Loaded: Sendable, Equatable {
        var url: PictureURL
        var file: String?
    }

    private static func withLoader(_ body: (Fixture) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "feedbell-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        // No download and no decoder is ended because the computer is busy.
        let clock = ManualClock()
        let cache = PictureCache(directory: directory.path + "/pictures")
        let loaded = Mailbox<Loaded>()
        try await NIOTransport.withTransport(logger: logger) { transport in
            let loader = PictureLoader(
                cache: cache,
                download: PictureDownload(transport, clock: clock, requestTimeout: .seconds(300)),
                clock: clock,
                logger: logger
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await loader.run { url, file in loaded.send(Loaded(url: url, file: file)) } }
                try await body(Fixture(loader: loader, cache: cache, loaded: loaded))
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }

    private static func url(_ host: PictureHost, _ path: String) throws -> PictureURL {
        try #require(PictureURL(host.url(path), privateHosts: ["127.0.0.1"]))
    }

    @Test("A picture is downloaded, decoded and kept; the second time it comes from the cache") func cached()
        async throws
    {
        let picture = TestPicture.png(width: 300, height: 150)
        try await PictureHost.with {
            try await $0.respond(picture)
        } _: { (host) async throws in
            try await Self.withLoader { (fixture) async throws in
                let url = try Self.url(host, "/a.png")
                let path = try #require(await fixture.load(url))
                let header = try #require(PictureHeader(Array(try Data(contentsOf: URL(filePath: path)))))
                #expect(header.kind == .png && header.width == 256 && header.height == 256)
                #expect(path.hasPrefix(fixture.cache.directory + "/"))
                #expect(await fixture.load(url) == path)
                #expect(host.requests == ["/a.png"])
            }
        }
    }

    @Test("A page, a damaged picture and a missing one are none, and are not requested again") func failures()
        async throws
    {
        try await PictureHost.with { connection in
            switch connection.path {
            case "/page": try await connection.respond(Array("<!DOCTYPE html><title>Sign in</title>".utf8))
            case "/damaged": try await connection.respond(Array(TestPicture.png(width: 9, height: 9).dropLast(30)))
            case "/bomb":
                try await connection.respond(TestPicture.png(width: 1, height: 1, declared: (10_000, 10_000)))
            default: try await connection.respond([], status: "404 Not Found")
            }
        } _: { (host) async throws in
            try await Self.withLoader { (fixture) async throws in
                let paths = ["/page", "/damaged", "/bomb", "/missing"]
                for path in paths + paths { #expect(await fixture.load(try Self.url(host, path)) == nil, "\(path)") }
                #expect(host.requests == paths)
                let files = try? FileManager.default.contentsOfDirectory(atPath: fixture.cache.directory)
                #expect((files ?? []).isEmpty)
            }
        }
    }

    @Test("A picture is loaded again after a day; the old one is used if that fails") func stale() async throws {
        let answers = Mailbox<[UInt8]>()
        try await PictureHost.with { connection in
            for await answer in answers.messages {
                return try await connection.respond(answer, status: answer.isEmpty ? "500 Error" : "200 OK")
            }
        } _: { (host) async throws in
            try await Self.withLoader { (fixture) async throws in
                let url = try Self.url(host, "/a.png")
                for (width, expected) in [(1, 1), (2, 2), (0, 2)] {
                    answers.send(width == 0 ? [] : TestPicture.png(width: width, height: 1))
                    let path = try #require(await fixture.load(url))
                    #expect(PictureHeader(Array(try Data(contentsOf: URL(filePath: path))))?.width == expected)
                    let times = [timespec](repeating: timespec(tv_sec: time(nil) - 100_000, tv_nsec: 0), count: 2)
                    utimensat(AT_FDCWD, path, times, 0)
                }
                #expect(host.requests.count == 3)
            }
        }
    }

    @Test("Not more than two pictures are loaded at once") func twoAtOnce() async throws {
        let arrived = Mailbox<String>()
        let released = Mailbox<Void>()
        try await PictureHost.with { connection in
            arrived.send(connection.path)
            for await _ in released.messages { break }
            try await connection.respond(TestPicture.gif())
        } _: { (host) async throws in
            try await Self.withLoader { (fixture) async throws in
                for number in 1...4 { fixture.loader.request(try Self.url(host, "/\(number)")) }
                var paths = arrived.messages.makeAsyncIterator()
                var loaded = fixture.loaded.messages.makeAsyncIterator()
                #expect(Set([await paths.next(), await paths.next()]) == ["/1", "/2"])
                for _ in 1...4 {
                    #expect(host.requests.count <= 4)
                    released.send()
                    #expect(await loaded.next()?.file != nil)
                }
                #expect(host.requests.count == 4)
            }
        }
    }

    @Test("Loading ends with its task") func cancellation() async throws {
        let arrived = Mailbox<Void>()
        try await PictureHost.with { connection in
            arrived.send()
            try await connection.waitForEnd()
        } _: { (host) async throws in
            try await Self.withLoader { (fixture) async throws in
                fixture.loader.request(try Self.url(host, "/a.png"))
                _ = await arrived.messages.next()
            }
        }
    }
}
