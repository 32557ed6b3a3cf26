import Glibc

/// Changes that the database does not have yet, in a file that only grows: recording a popup costs one write, without
/// a transaction and without another thread. They survive the end of the process, but perhaps not a power failure.
///
/// The file has the form of ``TextList``. It is there only while the database lacks something. A ``StateStore`` with
/// the same path adds what it contains to the database, and then removes it.
package final class PopupJournal {
    /// It cannot be written.
    package struct Failure: Error, CustomStringConvertible {
        let path: String
        let number: Int32

        package var description: String { "Cannot write \"\(path)\": \(String(cString: strerror(number)))" }
    }

    private let path: String
    /// Nil while there is no file.
    private var descriptor: Int32?
    /// The number of bytes in the file. It grows until ``remove()``, so that it tells whether something was added.
    package private(set) var size = 0

    package init(path: String) { self.path = path }

    deinit { closeFile() }

    /// The path beside a state file: in `$XDG_RUNTIME_DIR`, which is in memory, so that writing never waits for a disk;
    /// without it beside the state file.
    package static func usualPath(beside statePath: String, environment: [String: String]) -> String {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else { return statePath + "-popups" }
        // FNV-1a, of 64 bits: agents with different state files have different ones.
        let hash = statePath.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\(runtime)/feedbell/popups-\(String(hash, radix: 16))"
    }

    /// Adds changes at the end, all or none.
    package func append(_ changes: [StateStore.PopupChange]) throws(Failure) {
        try write(changes, to: try openFile())
    }

    /// Replaces what the file contains, all or nothing.
    package func replace(with changes: [StateStore.PopupChange]) throws(Failure) {
        let new = PopupJournal(path: path + ".new")
        unlink(new.path)
        try new.append(changes)
        guard rename(new.path, path) == 0 else { throw Failure(path: path, number: errno) }
        closeFile()
        (descriptor, size) = (new.descriptor, new.size)
        new.descriptor = nil
    }

    private func write(_ changes: [StateStore.PopupChange], to descriptor: Int32) throws(Failure) {
        var list = TextList(capacity: 960)
        for change in changes { list.append(change.journalEntry) }
        let written = Glibc.write(descriptor, list.utf8, list.utf8.count)
        guard written == list.utf8.count else {
            let failure = Failure(path: path, number: written < 0 ? errno : ENOSPC)
            if written > 0 { ftruncate(descriptor, off_t(size)) }
            throw failure
        }
        size += written
    }

    /// Removes the file: the database has everything.
    package func remove() {
        closeFile()
        unlink(path)
    }

    private func openFile() throws(Failure) -> Int32 {
        if let descriptor { return descriptor }
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        mkdir(directory, 0o700)
        // Mode 0600: it contains what the popups do.
        let opened = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { throw Failure(path: path, number: errno) }
        descriptor = opened
        return opened
    }

    private func closeFile() {
        if let descriptor { close(descriptor) }
        (descriptor, size) = (nil, 0)
    }

    /// The changes in the file of an earlier process, up to the first that is not complete.
    static func changes(at path: String) -> [StateStore.PopupChange] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return TextList.decode(String(decoding: bytes, as: UTF8.self)).compactMap(StateStore.PopupChange.init)
    }
}

extension StateStore.PopupChange {
    /// Its kind and its values.
    fileprivate var journalEntry: TextList {
        var list = TextList(capacity: 640)
        switch self {
        case .arrived(let arrivals):
            list.append("arrived")
            list.append(arrivals.owner)
            list.append(times: arrivals.created)
        case .delivered(let owner, let deliveries):
            list.append("delivered")
            list.append(owner)
            if let watermark = deliveries.watermark { list.append(watermark) } else { list.append("") }
            list.append(times: deliveries.shown)
        case .kept(let row):
            list.append("kept")
            for value in row.values { list.append(value) }
        case .forgotten(let server, let ids):
            list.append("forgotten")
            list.append(server)
            for id in ids { list.append(Int64(id)) }
        case .onlyServer(let server):
            list.append("onlyServer")
            list.append(server)
        }
        return list
    }

    /// nil: it is not one of a journal.
    fileprivate init?(journalEntry: String) {
        let texts = TextList.decode(journalEntry)
        guard texts.count > 1 else { return nil }
        let values = texts.dropFirst(2)
        switch texts[0] {
        case "arrived": self = .arrived(.init(owner: texts[1], created: Self.times(values)))
        case "delivered":
            guard let watermark = values.first else { return nil }
            let shown = Self.times(values.dropFirst())
            self = .delivered(owner: texts[1], .init(watermark: Int64(watermark), shown: shown))
        case "kept":
            let row = texts.dropFirst().compactMap(Database.Value.init(journalText:))
            guard row.count == StateStore.PopupRow.columnCount else { return nil }
            self = .kept(StateStore.PopupRow(row))
        case "forgotten": self = .forgotten(server: texts[1], ids: values.compactMap { UInt32($0) })
        case "onlyServer": self = .onlyServer(texts[1])
        default: return nil
        }
    }

    private static func times(_ texts: ArraySlice<String>) -> [String: Int64] {
        var times: [String: Int64] = [:]
        for index in stride(from: texts.startIndex, to: texts.endIndex - 1, by: 2) {
            times[texts[index]] = Int64(texts[index + 1])
        }
        return times
    }
}

extension TextList {
    fileprivate mutating func append(times: [String: Int64]) {
        for (id, time) in times {
            append(id)
            append(time)
        }
    }

    fileprivate mutating func append(_ value: Database.Value) {
        switch value {
        case .integer(let number): append(number, after: "i")
        case .text(let text): append(text, after: "t")
        }
    }
}

extension Database.Value {
    fileprivate init?(journalText: String) {
        // Not by characters: the text may begin with a combining one.
        let rest = Substring(journalText.utf8.dropFirst())
        switch journalText.utf8.first {
        case UInt8(ascii: "i"): self = .integer(Int64(rest) ?? 0)
        case UInt8(ascii: "t"): self = .text(String(rest))
        default: return nil
        }
    }
}
