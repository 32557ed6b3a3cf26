import CLinux
import ClientKit
import Foundation
import Testing

/// Texts in files.
@Suite struct TextFilesTests {
    /// What happened in a directory, as inotify(7) reports it: a letter for each event of a file.
    private final class Events {
        private let descriptor = feedbell_inotify()

        init(_ directory: String) {
            inotify_add_watch(
                descriptor,
                directory,
                UInt32(IN_CREATE | IN_MODIFY | IN_ATTRIB | IN_MOVED_TO | IN_DELETE)
            )
        }

        deinit { close(descriptor) }

        var letters: String {
            let kinds: [(Int32, String)] = [
                (IN_CREATE, "c"), (IN_MODIFY, "w"), (IN_ATTRIB, "a"), (IN_MOVED_TO, "m"), (IN_DELETE, "d"),
            ]
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(descriptor, &bytes, bytes.count)
            var (letters, place) = ("", 0)
            bytes.withUnsafeBytes { bytes in
                while place < count {
                    let mask = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                    let length = bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self)
                    letters += kinds.filter { mask & UInt32($0.0) != 0 }.map(\.1).joined()
                    place += 16 + Int(length)
                }
            }
            return letters
        }
    }

    @Test("A file is private before it has its name, and nothing happens to it afterwards") func order()
        throws
    {
        let directory = FileManager.default.temporaryDirectory.appending(path: "texts-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let files = TextFiles(in: directory, prefix: "t-")
        let events = Events(directory.path)
        try files.setValue("one", forKey: "k")
        try files.setValue("two", forKey: "k")
        #expect(events.letters == "cwmcwm")
        #expect(try files.value(forKey: "k") == "two")
        let path = directory.appending(path: "t-k").path
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        try files.setValue(nil, forKey: "k")
        try files.setValue(nil, forKey: "k")
        #expect(events.letters == "d")
        #expect(try files.value(forKey: "k") == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }
}
