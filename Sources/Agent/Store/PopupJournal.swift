/// Changes of popups that the database does not have yet, in a ``JournalFile``: recording a popup costs one write,
/// without a transaction and without another thread.
///
/// A ``StateStore`` with the same path adds what it contains to the database, and then removes it.
package final class PopupJournal {
    package typealias Failure = JournalFailure

    private let file: JournalFile

    package init(path: String) { file = JournalFile(path: path) }

    /// The number of bytes in the file. It grows until ``remove()``, so that it tells whether something was added.
    package var size: Int { file.size }

    /// The path beside a state file: in `$XDG_RUNTIME_DIR`, which is in memory, so that writing never waits for a disk;
    /// without it beside the state file.
    package static func usualPath(beside statePath: String, environment: [String: String]) -> String {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else { return statePath + "-popups" }
        // FNV-1a, of 64 bits: agents with different state files have different ones.
        let hash = statePath.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\(runtime)/feedbell/popups-\(String(hash, radix: 16))"
    }

    /// Adds changes at the end, all or none.
    package func append(_ changes: [StateStore.PopupChange]) throws(Failure) { try file.append(Self.entries(changes)) }

    /// Replaces what the file contains, all or nothing.
    package func replace(with changes: [StateStore.PopupChange]) throws(Failure) {
        try file.replace(with: Self.entries(changes))
    }

    /// Removes the file: the database has everything.
    package func remove() { file.remove() }

    private static func entries(_ changes: [StateStore.PopupChange]) -> TextList {
        var list = TextList(capacity: 960)
        for change in changes { list.append(change.journalEntry) }
        return list
    }

    /// The changes in the file of an earlier process, up to the first that is not complete.
    static func changes(at path: String) -> [StateStore.PopupChange] {
        JournalFile.entries(at: path).compactMap(StateStore.PopupChange.init)
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
