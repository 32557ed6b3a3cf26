import Basics
import CLinux
package import DBus
import Glibc
import Synchronization

/// Reports when the files at some paths may have changed: written, replaced, created or removed, also by a change of a
/// symbolic link on the way or after their directory is created. The kernel wakes the process only then (inotify(7)).
package struct FileWatch: Sendable {
    /// The system's time zone (localtime(5)): a symbolic link, which another one replaces.
    package static let timeZoneFile = "/etc/localtime"

    private let paths: [String]
    private let directories: [String]
    private let loop: any BusLoop

    /// - Parameters:
    ///   - paths: The paths of files.
    ///   - directories: The paths of directories of which all files are watched.
    ///   - loop: Watches the descriptor of inotify(7).
    package init(paths: [String], directories: [String] = [], loop: any BusLoop) {
        self.paths = paths.map(Self.absolute)
        self.directories = directories.map(Self.absolute)
        self.loop = loop
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : currentDirectory + "/" + path
    }

    private static var currentDirectory: String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }

    /// Runs until the task is cancelled. Several changes may be reported as one.
    ///
    /// - Parameters:
    ///   - started: Called once, when all further changes are reported.
    ///   - changed: Called after each change.
    /// - Returns: `false` at once if the system allows no further watch.
    package func run(started: () async -> Void = {}, changed: () async -> Void) async -> Bool {
        guard let watches = DirectoryWatches() else { return false }
        let changes = Mailbox<Void>(.bufferingNewest(1))
        // Read before more is watched: what is missed then is in the next report.
        guard let watch = try? loop.watch(watches.descriptor, { if watches.hasChanged() { changes.send() } }) else {
            return false
        }
        defer { watch.cancel() }
        await follow(watches)
        guard watches.isWatching else { return false }
        await started()
        for await _ in changes.messages {
            await follow(watches)
            await changed()
        }
        return true
    }

    /// The files and directories to watch now.
    private var needed: WatchedPath {
        let parts = paths.map { WatchedPath($0) } + directories.map { WatchedPath($0, isDirectory: true) }
        return parts.reduce(into: WatchedPath()) { $0.formUnion($1) }
    }

    /// Watches what the paths need now. Once more if that has changed meanwhile. On a thread of its own: a file system
    /// that does not answer is waited for, and then the file is read.
    private func follow(_ watches: DirectoryWatches) async {
        _ = await runBlocking {
            for _ in 0..<8 {
                let needed = needed
                watches.follow(needed)
                if self.needed == needed { return }
            }
        }
    }
}

/// The watched directories of an inotify(7) instance.
private final class DirectoryWatches: Sendable {
    private struct State {
        var path: WatchedPath?
        /// The watched directories, by the numbers of their watches.
        var directories: [Int32: String] = [:]
    }

    let descriptor: Int32
    private let state = Mutex(State())

    private static let changes = UInt32(
        IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF
            | IN_MOVE_SELF
    )
    /// Events that concern the directory itself: it was removed, moved or unmounted, or events were lost.
    private static let changesOfDirectories = UInt32(
        IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED | IN_Q_OVERFLOW
    )

    init?() {
        descriptor = feedbell_inotify()
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Whether the system has allowed a watch.
    var isWatching: Bool { state.withLock { !$0.directories.isEmpty } }

    /// Watches the directories of a path, and no others. A directory that was replaced gets a new watch.
    func follow(_ path: WatchedPath) {
        var directories: [Int32: String] = [:]
        // Without the lock, which the loop takes: this may wait for a file system.
        for directory in path.names.keys {
            let watch = inotify_add_watch(descriptor, directory, Self.changes | UInt32(IN_ONLYDIR))
            if watch >= 0 { directories[watch] = directory }
        }
        state.withLock { state in
            for watch in state.directories.keys where directories[watch] == nil {
                inotify_rm_watch(descriptor, watch)
            }
            state = State(path: path, directories: directories)
        }
    }

    /// Reads all events. Whether one of them concerns the path.
    func hasChanged() -> Bool {
        var isConcerned = false
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return isConcerned }
            state.withLock { state in
                for event in InotifyEvent.all(in: buffer[..<count]) where Self.isConcerned(event, &state) {
                    isConcerned = true
                }
            }
        }
    }

    private static func isConcerned(_ event: InotifyEvent, _ state: inout State) -> Bool {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        guard let directory = state.directories[event.watch] else { return false }
        if event.mask & changesOfDirectories != 0 { return true }
        return state.path?.concerns(event.name, in: directory) ?? false
    }
}

/// One `struct inotify_event`.
private struct InotifyEvent {
    var watch: Int32
    var mask: UInt32
    /// Empty: the watched directory itself.
    var name: String

    /// The events in what read(2) returned.
    static func all(in bytes: ArraySlice<UInt8>) -> [InotifyEvent] {
        bytes.withUnsafeBytes { bytes in
            var events: [InotifyEvent] = []
            var offset = 0
            // Watch, mask, cookie, length of the name; then the name, filled up with zeros.
            while offset + 16 <= bytes.count {
                let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                guard offset + 16 + length <= bytes.count else { break }
                let name = bytes[(offset + 16)..<(offset + 16 + length)].prefix { $0 != 0 }
                events.append(
                    InotifyEvent(
                        watch: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self),
                        mask: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self),
                        name: String(decoding: name, as: UTF8.self)
                    )
                )
                offset += 16 + length
            }
            return events
        }
    }
}
