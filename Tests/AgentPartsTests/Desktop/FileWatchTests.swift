import Basics
import DBus
import Foundation
import ProgramKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct FileWatchTests {
    private static let manager = FileManager.default

    /// Runs `body` with a new directory while `directory/path` is watched. `changes` has one message or more after each
    /// change.
    private static func watching(
        _ path: String,
        before prepare: (String) throws -> Void = { _ in },
        _ body: (_ directory: String, _ changes: Mailbox<Void>) async throws -> Void
    ) async throws {
        let directory = manager.temporaryDirectory.appending(path: "feedbell-\(UUID().uuidString)").path
        try manager.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? manager.removeItem(atPath: directory) }
        try prepare(directory)
        let (changes, started) = (Mailbox<Void>(), Mailbox<Void>())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let watch = FileWatch(paths: [directory + "/" + path], loop: PollLoop.shared)
                _ = await watch.run(started: { started.send() }, changed: { changes.send() })
            }
            _ = await started.messages.next()
            try await body(directory, changes)
            group.cancelAll()
        }
    }

    private static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private static func wait(for changes: Mailbox<Void>) async { _ = await changes.messages.next() }

    @Test("A file that is written, replaced, removed and created again is reported each time") func file()
        async throws
    {
        try await Self.watching("a", before: { try Self.write("1", to: $0 + "/a") }) { directory, changes in
            try Self.write("2", to: directory + "/a")
            await Self.wait(for: changes)
            for _ in 1...3 {
                try Self.write("3", to: directory + "/b")
                #expect(rename(directory + "/b", directory + "/a") == 0)
                await Self.wait(for: changes)
            }
            try Self.manager.removeItem(atPath: directory + "/a")
            await Self.wait(for: changes)
            try Self.write("4", to: directory + "/a")
            await Self.wait(for: changes)
        }
    }

    @Test("Other files in the directory are not reported") func otherFiles() async throws {
        try await Self.watching("a") { directory, changes in
            for name in ["b", "aa", ".a.swp"] { try Self.write("x", to: directory + "/" + name) }
            try Self.manager.removeItem(atPath: directory + "/b")
            // A link reports itself once.
            try Self.manager.createSymbolicLink(atPath: directory + "/a", withDestinationPath: "gone")
            await Self.wait(for: changes)
            try Self.write("x", to: directory + "/b")
            try Self.manager.removeItem(atPath: directory + "/a")
            await Self.wait(for: changes)
            changes.close()
            for await _ in changes.messages { Issue.record("a change was reported that was none") }
        }
    }

    @Test("A directory that is created later is followed, and one that is replaced") func directories() async throws {
        try await Self.watching("x/y/a") { directory, changes in
            for _ in 1...3 {
                try Self.manager.createDirectory(atPath: directory + "/x/y", withIntermediateDirectories: true)
                await Self.wait(for: changes)
                try Self.write("1", to: directory + "/x/y/a")
                await Self.wait(for: changes)
                try Self.write("2", to: directory + "/x/y/a")
                await Self.wait(for: changes)
                try Self.manager.removeItem(atPath: directory + "/x")
                await Self.wait(for: changes)
            }
        }
    }

    @Test("A symbolic link and its target are followed") func links() async throws {
        func prepare(_ directory: String) throws {
            for name in ["one", "two"] {
                try Self.manager.createDirectory(atPath: "\(directory)/\(name)", withIntermediateDirectories: true)
                try Self.write(name, to: "\(directory)/\(name)/a")
            }
            try Self.manager.createSymbolicLink(atPath: directory + "/now", withDestinationPath: "one")
        }
        try await Self.watching("now/a", before: prepare) { directory, changes in
            try Self.write("1", to: directory + "/one/a")
            await Self.wait(for: changes)
            // As ln -sfn replaces a link.
            try Self.manager.createSymbolicLink(atPath: directory + "/new", withDestinationPath: "two")
            #expect(rename(directory + "/new", directory + "/now") == 0)
            await Self.wait(for: changes)
            try Self.write("2", to: directory + "/two/a")
            await Self.wait(for: changes)
        }
    }
}
