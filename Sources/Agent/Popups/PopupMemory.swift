import FoundationEssentials
import Inbox
import Logging
import Store

/// Keeps on disk what was shown and what is on the screen.
struct PopupMemory: Sendable {
    private let store: StateStore
    private let logger: Logger

    init(store: StateStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// What an earlier life has left: what was shown, by account, and the popups, by server and id.
    func recall() async -> ([String: DeliveryMarks], [String: [UInt32: KeptPopup]]) {
        do throws(StoreError) {
            let marks = try await store.deliveries().mapValues(DeliveryMarks.init)
            var popups: [String: [UInt32: KeptPopup]] = [:]
            for row in try await store.popups() {
                // One that a later version has written means nothing to us.
                guard let popup = try? JSONDecoder().decode(KeptPopup.self, from: Data(row.record.utf8)) else {
                    continue
                }
                popups[row.server, default: [:]][row.id] = popup
            }
            return (marks, popups)
        } catch {
            logger.error("what was shown cannot be read", metadata: ["reason": "\(error)"])
            return ([:], [:])
        }
    }

    /// Keeps what effects ask to be kept, all of it together.
    func keep(_ effects: [Popups.Effect]) async {
        let changes = effects.compactMap(StateStore.PopupChange.init)
        guard !changes.isEmpty else { return }
        do throws(StoreError) {
            try await store.keep(changes)
        } catch {
            logger.error("what was shown is not kept on disk", metadata: ["reason": "\(error)"])
        }
    }
}

extension DeliveryMarks {
    init(_ deliveries: StateStore.Deliveries) {
        self.init(
            floor: deliveries.floor.map(Timestamp.init),
            shown: Dictionary(
                deliveries.shown.map { (ItemID($0.key), Timestamp(milliseconds: $0.value)) },
                uniquingKeysWith: { $1 }
            )
        )
    }
}

extension StateStore.PopupChange {
    /// Nil: nothing to be kept.
    fileprivate init?(_ effect: Popups.Effect) {
        switch effect {
        case .delivered(let account, let created, let floor):
            let shown = Dictionary(
                created.map { ($0.key.rawValue, $0.value.milliseconds) },
                uniquingKeysWith: { $1 }
            )
            self = .delivered(owner: account, .init(floor: floor?.milliseconds, shown: shown))
        case .keep(let server, let id, let popup):
            guard let record = try? JSONEncoder().encode(popup) else { return nil }
            self = .kept(.init(server: server, id: id, record: String(decoding: record, as: UTF8.self)))
        case .forget(let server, let ids): self = .forgotten(server: server, ids: ids)
        case .forgetServers(let server): self = .onlyServer(server)
        case .notify, .close, .serverIsFull, .needServer, .wait, .activated, .seen, .revalidate: return nil
        }
    }
}
