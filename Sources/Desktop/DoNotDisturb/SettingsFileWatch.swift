import Basics
import DBus
import Glibc

/// Reports changes of a small file of another program, also when it is created or replaced, by inotify(7).
struct SettingsFileWatch: Sendable {
    let path: String
    let loop: any BusLoop

    /// The interval of reports where inotify(7) cannot be used.
    private static let interval = Duration.seconds(5)

    /// Reports until the task is cancelled. Once at first, because the file may have changed before. Several changes
    /// may be reported as one. If the file's directory does not exist, or the user has no inotify instance left, it
    /// reports regularly.
    func run(_ report: () -> Void) async {
        guard let slash = path.lastIndex(of: "/") else { return }
        let name = String(path[path.index(after: slash)...])
        let changes = Mailbox<Void>(.bufferingNewest(1))
        let watch = WatchedDirectory(String(path[..<slash])).flatMap { directory in
            try? loop.watch(directory.descriptor) { if directory.changedNames().contains(name) { changes.send() } }
        }
        report()
        if let watch {
            defer { watch.cancel() }
            for await _ in changes.messages { report() }
        } else {
            while (try? await Task.sleep(for: Self.interval)) != nil { report() }
        }
    }
}

/// A directory that inotify(7) watches: a file that a program replaces is another one with the same name.
private final class WatchedDirectory: Sendable {
    let descriptor: Int32

    init?(_ path: String) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR)
        guard inotify_add_watch(descriptor, path, events) >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The names of the entries that changed since the last call.
    func changedNames() -> Set<String> {
        var names: Set<String> = []
        let header = MemoryLayout<inotify_event>.size
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
                var start = 0
                while start + header <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
                    let end = min(count, start + header + Int(event.len))
                    let bytes = buffer[(start + header)..<end].prefix { $0 != 0 }
                    names.insert(String(decoding: bytes, as: UTF8.self))
                    start = end
                }
            }
        }
        return names
    }
}
