import Basics
import FoundationEssentials
import Inbox
import Logging
import Store

/// Stores the notifications that were shown and the open popups.
struct PopupMemory: Sendable {
    private let store: StateStore
    private let logger: Logger

    init(store: StateStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// The state of the previous run: delivery marks by account, and open popups by server and id.
    func load() async -> ([String: DeliveryMarks], [String: [UInt32: KeptPopup]]) {
        do throws(StoreError) {
            let marks = try await store.deliveries().mapValues(DeliveryMarks.init)
            var popups: [String: [UInt32: KeptPopup]] = [:]
            for row in try await store.popups() {
                // A later version of Feedbell may have written it.
                guard let popup = try? JSONDecoder().decode(KeptPopup.self, from: Data(row.record.utf8)) else {
                    continue
                }
                popups[row.server, default: [:]][row.id] = popup
            }
            return (marks, popups)
        } catch {
            logger.error("cannot read the list of shown notifications", metadata: ["reason": "\(error)"])
            return ([:], [:])
        }
    }

    /// Stores the changes of all effects in one transaction.
    func keep(_ effects: [Popups.Effect]) async {
        let changes = effects.compactMap(StateStore.PopupChange.init)
        guard !changes.isEmpty else { return }
        do throws(StoreError) {
            try await store.keep(changes)
        } catch {
            logger.error("cannot write the list of shown notifications", metadata: ["reason": "\(error)"])
        }
    }
}

extension DeliveryMarks {
    init(_ deliveries: StateStore.Deliveries) {
        self.init(
            watermark: deliveries.watermark.map(Timestamp.init(milliseconds:)),
            shown: Dictionary(
                deliveries.shown.map { (NotificationID($0.key), Timestamp(milliseconds: $0.value)) },
                uniquingKeysWith: { $1 }
            )
        )
    }
}

extension StateStore.PopupChange {
    /// nil: the effect stores nothing.
    fileprivate init?(_ effect: Popups.Effect) {
        switch effect {
        case .delivered(let account, let created, let watermark):
            let shown = Dictionary(
                created.map { ($0.key.rawValue, $0.value.milliseconds) },
                uniquingKeysWith: { $1 }
            )
            self = .delivered(owner: account, .init(watermark: watermark?.milliseconds, shown: shown))
        case .keep(let server, let id, let popup):
            guard let record = try? JSONEncoder().encode(popup) else { return nil }
            self = .kept(.init(server: server, id: id, record: String(decoding: record, as: UTF8.self)))
        case .forget(let server, let ids): self = .forgotten(server: server, ids: ids)
        case .forgetServers(let server): self = .onlyServer(server)
        case .notify, .close, .serverIsFull, .needServer, .wait, .activated, .seen, .revalidate: return nil
        }
    }
}
