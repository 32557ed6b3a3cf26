import Inbox
import Store

/// What is recorded of notifications and popups, and not yet in the database.
struct PopupRecords {
    /// The number of changes that do not wait for more.
    private static let batchLimit = 200
    /// In bytes: a longer journal is written anew when the database has a part of it.
    private static let journalLimit = 100_000

    /// nil: what is recorded is lost if the process ends before it is in the database.
    private let journal: PopupJournal?
    private var changes: [StateStore.PopupChange] = []
    /// The recorded arrivals above the watermark, with their times of creation, by owner.
    private var arrivals: [String: [String: Int64]] = [:]
    /// Why the last record is not in the journal.
    private(set) var failure: PopupJournal.Failure?

    init(journal: PopupJournal?) { self.journal = journal }

    /// Whether the database has everything.
    var isEmpty: Bool { changes.isEmpty }

    /// Whether what is recorded survives the end of the process, and is little: then it can be saved later.
    var canWait: Bool { journal != nil && failure == nil && changes.count < Self.batchLimit }

    /// Adds the arrivals that previous runs have recorded.
    mutating func restore(_ recorded: StateStore.Arrivals) {
        arrivals[recorded.owner, default: [:]].merge(recorded.created) { $1 }
    }

    /// Records arrivals. Returns the ids of those that no run has recorded before.
    mutating func add(_ arrived: StateStore.Arrivals) -> Set<String> {
        let new = arrived.created.filter { arrivals[arrived.owner]?[$0.key] == nil }
        guard !new.isEmpty else { return [] }
        arrivals[arrived.owner, default: [:]].merge(new) { $1 }
        add([.arrived(StateStore.Arrivals(owner: arrived.owner, created: new))])
        return Set(new.keys)
    }

    /// Records changes.
    mutating func add(_ new: [StateStore.PopupChange]) {
        changes += new
        for case .delivered(let owner, let deliveries) in new {
            guard let watermark = deliveries.watermark else { continue }
            arrivals[owner] = arrivals[owner]?.filter { $0.value > watermark }
        }
        do throws(PopupJournal.Failure) {
            try journal?.append(new)
            failure = nil
        } catch {
            failure = error
        }
    }

    /// Changes to be written to the database.
    struct Batch: Sendable {
        let changes: [StateStore.PopupChange]
        fileprivate let journalSize: Int
    }

    /// Takes what the database lacks. Call ``finish(_:isInFile:)`` when it has it.
    mutating func take() -> Batch {
        defer { changes = [] }
        return Batch(changes: changes, journalSize: journal?.size ?? 0)
    }

    /// The database has what was taken: if nothing was added meanwhile, the journal is not needed any more.
    ///
    /// - Parameter isInFile: Whether the state file has it. What is only in memory stays in the journal.
    func finish(_ batch: Batch, isInFile: Bool) {
        guard isInFile, let journal, journal.size > 0 else { return }
        if journal.size == batch.journalSize {
            journal.remove()
        } else if journal.size > Self.journalLimit {
            // If that fails, the longer one can stay: its changes may be kept twice.
            try? journal.replace(with: changes)
        }
    }
}
