import Foundation
import Inbox
import TestSupport
import Testing

@testable import Agent

@Suite struct PictureCacheTests {
    private static let url = PictureURL("https://example.com/a.png")!
    private static let picture = PictureFile(PicturePixels(side: 9, bytes: [UInt8](repeating: 7, count: 4 * 81)))

    @Test("A stored picture is found by its URL, in files of the user alone") func found() throws {
        try withCache { cache in
            #expect(cache.find(Self.url) == nil)
            let path = try #require(cache.store(Self.picture, of: Self.url))
            #expect(cache.find(Self.url) == PictureCache.Entry(path: path, isFresh: true))
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(Self.picture.bytes))
            #expect(cache.find(PictureURL("https://example.com/b.png")!) == nil)
            #expect(try Self.mode(path) == 0o600)
            #expect(try Self.mode(cache.directory) == 0o700)
            #expect(try Self.names(cache).count == 1, "no temporary file is left")
            #expect(path.hasSuffix(".png") && !path.contains("example"))
        }
    }

    @Test("All pictures can be removed, as with an account") func removal() throws {
        try withCache { (cache) throws in
            cache.removeAll()
            _ = cache.store(Self.picture, of: Self.url)
            _ = cache.store(Self.picture, of: PictureURL("https://example.com/b.png")!)
            #expect(try Self.names(cache).count == 2)
            cache.removeAll()
            #expect(try Self.names(cache).isEmpty)
        }
    }

    @Test("A picture is fresh for a day") func freshness() throws {
        try withCache { cache in
            _ = cache.store(Self.picture, of: Self.url)
            let now = time(nil)
            #expect(cache.find(Self.url, now: now + PictureCache.freshness - 60)?.isFresh == true)
            #expect(cache.find(Self.url, now: now + PictureCache.freshness + 60)?.isFresh == false)
            #expect(cache.find(Self.url, now: now - 1)?.isFresh == true, "time(2) is behind the clock of files")
            #expect(cache.find(Self.url, now: now - 3_600)?.isFresh == false, "the clock was set back")
        }
    }

    @Test("Damaged and foreign files are not used") func foreignFiles() throws {
        let other = Array(TestPicture.jpeg)
        let changes: [(String) throws -> Void] = [
            { try Data(Self.picture.bytes.dropLast()).write(to: URL(filePath: $0)) },
            { try Data(Self.picture.bytes.map { $0 ^ 1 }).write(to: URL(filePath: $0)) },
            { try Data(other).write(to: URL(filePath: $0)) },
            { try Data(TestPicture.png(width: 9, height: 9, chunks: [("tEXt", [1])])).write(to: URL(filePath: $0)) },
            { chmod($0, 0o644) },
            { path in
                try Data(Self.picture.bytes).write(to: URL(filePath: path + ".target"))
                chmod(path + ".target", 0o600)
                unlink(path)
                symlink(path + ".target", path)
            },
            { path in
                unlink(path)
                mkfifo(path, 0o600)
            },
            { path in
                unlink(path)
                mkdir(path, 0o700)
            },
        ]
        for (index, change) in changes.enumerated() {
            try withCache { cache in
                let path = try #require(cache.store(Self.picture, of: Self.url))
                try change(path)
                #expect(cache.find(Self.url) == nil, "change \(index)")
            }
        }
    }

    @Test("A directory that other users can write to, or that is a link, is not used") func foreignDirectory() throws {
        try withCache { cache in
            _ = cache.store(Self.picture, of: Self.url)
            chmod(cache.directory, 0o777)
            #expect(cache.find(Self.url) == nil)
            #expect(cache.store(Self.picture, of: Self.url) == nil)
            chmod(cache.directory, 0o700)
            #expect(cache.find(Self.url) != nil)
            rename(cache.directory, cache.directory + "2")
            symlink(cache.directory + "2", cache.directory)
            #expect(cache.find(Self.url) == nil)
            #expect(cache.store(Self.picture, of: Self.url) == nil)
        }
        #expect(PictureCache(directory: "/proc/nonexistent/x").store(Self.picture, of: Self.url) == nil)
    }

    @Test("Beyond the limits of number and size, the least recently used pictures are removed") func limits() throws {
        try withCache { cache in
            var cache = cache
            cache.countLimit = 3
            let urls = (0..<4).map { PictureURL("https://example.com/\($0)")! }
            for (index, url) in urls.prefix(3).enumerated() {
                let path = try #require(cache.store(Self.picture, of: url))
                Self.setLastUse(path, index + 1)
            }
            #expect(cache.find(urls[0]) != nil, "it is now the last used one")
            _ = cache.store(Self.picture, of: urls[3])
            #expect(urls.map { cache.find($0) != nil } == [true, false, true, true])
            cache.sizeLimit = Self.picture.bytes.count * 2
            for url in urls { _ = cache.find(url) }
            Self.setLastUse(try #require(cache.find(urls[2])?.path), 5)
            Self.setLastUse(try #require(cache.find(urls[0])?.path), 6)
            _ = cache.store(Self.picture, of: urls[3])
            #expect(urls.map { cache.find($0) != nil } == [true, false, false, true])
        }
    }

    @Test("The directory follows XDG_CACHE_HOME, else HOME") func defaultDirectory() {
        #expect(
            PictureCache.defaultDirectory(environment: ["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c/feedbell/pictures"
        )
        #expect(
            PictureCache.defaultDirectory(environment: ["XDG_CACHE_HOME": "c", "HOME": "/h"])
                == "/h/.cache/feedbell/pictures"
        )
        #expect(PictureCache.defaultDirectory(environment: [:]) == nil)
    }

    // MARK: Files

    private func withCache(_ body: (PictureCache) throws -> Void) throws {
        let base = FileManager.default.temporaryDirectory.appending(path: "feedbell-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: base) }
        try body(PictureCache(directory: base.path + "/feedbell/pictures"))
    }

    private static func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private static func names(_ cache: PictureCache) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: cache.directory)
    }

    private static func setLastUse(_ path: String, _ seconds: Int) {
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: time(nil), tv_nsec: 0)]
        utimensat(AT_FDCWD, path, times, 0)
    }
}
