import Basics
import FoundationEssentials
import Inbox
import Logging

/// Stores which notifications arrived and were shown, and the open popups.
struct PopupMemory: Sendable {
    private let store: StateStore
    private let logger: Logger
    /// The notifications whose arrival is recorded, above the watermark: times of creation by owner and id.
    private var arrivals: [String: [NotificationID: Timestamp]] = [:]

    init(store: StateStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// The state of the previous run: delivery marks by account, and open popups by server and id.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func load() async -> ([String: DeliveryMarks], [String: [UInt32: SavedPopup]]) {
        do throws(StoreError) {
            let marks = try await store.deliveries()
            return (marks, await Self.withoutMissingPictures(try await store.popups()))
        } catch {
            logger.error("cannot read the list of shown notifications", metadata: ["reason": "\(error)"])
            return ([:], [:])
        }
    }

    /// The cache of pictures is bounded, and the user may delete it.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    private static func withoutMissingPictures(
        _ popups: [String: [UInt32: SavedPopup]]
    ) async -> [String: [UInt32: SavedPopup]] {
        guard popups.values.contains(where: { $0.values.contains { !$0.popup.picture.isEmpty } }) else { return popups }
        return await runBlocking {
            popups.mapValues { popups in
                popups.mapValues { saved in
                    var saved = saved
                    if !FileManager.default.isReadableFile(atPath: saved.popup.picture) { saved.popup.picture = "" }
                    return saved
                }
            }
        } ?? popups
    }

    /// The shown notifications of one owner.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func marks(of owner: String) async -> DeliveryMarks {
        do throws(StoreError) {
            return try await store.deliveries(of: owner)
        } catch {
            logger.error("cannot read the list of shown notifications", metadata: ["reason": "\(error)"])
            return DeliveryMarks()
        }
    }

    /// The notifications of one owner whose arrival is recorded, with their times of creation; nil: they cannot be
    /// read.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func arrivals(of owner: String) async -> [NotificationID: Timestamp]? {
        do throws(StoreError) {
            return try await store.arrivals(of: owner)
        } catch {
            logger.error("cannot read which notifications arrived", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    /// Records arrivals at once.
    ///
    /// - Returns: The ids of those that no run has recorded before.
    mutating func record(arrivals arrived: [NotificationID: Timestamp], of owner: String) -> Set<NotificationID> {
        let new = add(arrivals: arrived, of: owner)
        if !new.isEmpty { store.record(arrivals: new, of: owner) }
        return Set(new.keys)
    }

    /// Adds arrivals that are recorded. Returns those that were not known.
    @discardableResult
    mutating func add(
        arrivals arrived: [NotificationID: Timestamp],
        of owner: String
    ) -> [NotificationID: Timestamp] {
        let new = arrived.filter { arrivals[owner]?[$0.key] == nil }
        if !new.isEmpty { arrivals[owner, default: [:]].merge(new) { $1 } }
        return new
    }

    /// Records at once those effects that are to be stored.
    mutating func record(_ effects: [Popups.Effect]) {
        for case .delivered(let owner, _, let watermark?) in effects {
            arrivals[owner] = arrivals[owner]?.filter { $0.value >= watermark }
        }
        store.record(effects)
    }

    /// Writes the records to the database.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func save() async { await store.save() }
}
