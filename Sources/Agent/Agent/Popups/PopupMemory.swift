import Basics
import FoundationEssentials
import Inbox
import Logging
import Store

/// Stores which notifications arrived and were shown, and the open popups.
struct PopupMemory: Sendable {
    private let store: StateStore
    private let logger: Logger
    /// The notifications whose arrival is recorded, above the watermark: times of creation by owner and id.
    private var arrivals: [String: [String: Int64]] = [:]

    init(store: StateStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// The state of the previous run: delivery marks by account, and open popups by server and id.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func load() async -> ([String: DeliveryMarks], [String: [UInt32: SavedPopup]]) {
        do throws(StoreError) {
            let marks = try await store.deliveries().mapValues(DeliveryMarks.init)
            var popups: [String: [UInt32: SavedPopup]] = [:]
            for row in await Self.withoutMissingPictures(try await store.popups()) {
                popups[row.server, default: [:]][row.id] = SavedPopup(row)
            }
            return (marks, popups)
        } catch {
            logger.error("cannot read the list of shown notifications", metadata: ["reason": "\(error)"])
            return ([:], [:])
        }
    }

    /// The cache of pictures is bounded, and the user may delete it.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    private static func withoutMissingPictures(_ rows: [StateStore.PopupRow]) async -> [StateStore.PopupRow] {
        guard rows.contains(where: { !$0.picture.isEmpty }) else { return rows }
        return await runBlocking {
            rows.map { row in
                var row = row
                if !FileManager.default.isReadableFile(atPath: row.picture) { row.picture = "" }
                return row
            }
        } ?? rows
    }

    /// The shown notifications of one owner.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func marks(of owner: String) async -> DeliveryMarks {
        do throws(StoreError) {
            return DeliveryMarks(try await store.deliveries(of: owner))
        } catch {
            logger.error("cannot read the list of shown notifications", metadata: ["reason": "\(error)"])
            return DeliveryMarks()
        }
    }

    /// The notifications of one owner whose arrival is recorded; nil: they cannot be read.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func arrivals(of owner: String) async -> StateStore.Arrivals? {
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
    mutating func record(_ arrived: StateStore.Arrivals) -> Set<String> {
        let new = add(arrived)
        if !new.isEmpty { store.record([.arrived(StateStore.Arrivals(owner: arrived.owner, created: new))]) }
        return Set(new.keys)
    }

    /// Adds arrivals that are recorded. Returns those that were not known.
    @discardableResult
    mutating func add(_ arrived: StateStore.Arrivals) -> [String: Int64] {
        let new = arrived.created.filter { arrivals[arrived.owner]?[$0.key] == nil }
        if !new.isEmpty { arrivals[arrived.owner, default: [:]].merge(new) { $1 } }
        return new
    }

    /// Records at once those effects that are to be stored.
    mutating func record(_ effects: [Popups.Effect]) {
        let changes = effects.compactMap(StateStore.PopupChange.init)
        guard !changes.isEmpty else { return }
        for case .delivered(let owner, let deliveries) in changes {
            guard let watermark = deliveries.watermark else { continue }
            arrivals[owner] = arrivals[owner]?.filter { $0.value > watermark }
        }
        store.record(changes)
    }

    /// Writes the records to the database.
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func save() async { await store.save() }
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
        case .snoozesShown(let account, let ids, let now):
            self = .snoozesEnded(owner: account, ids: ids.map(\.rawValue), until: now.milliseconds)
        case .keep(let server, let id, let popup):
            self = .kept(StateStore.PopupRow(popup, server: server, id: id))
        case .forget(let server, let ids): self = .forgotten(server: server, ids: ids)
        case .forgetServers(let server): self = .onlyServer(server)
        case .notify, .close, .loadPicture, .patternExceedsLimit, .needServer, .wait, .respond:
            return nil
        }
    }
}

extension StateStore.PopupRow {
    fileprivate init(_ kept: SavedPopup, server: String, id: UInt32) {
        let (open, popup) = (kept.open, kept.popup)
        self.init(
            server: server,
            id: id,
            summary: popup.summary,
            body: popup.body,
            buttons: open.buttons.map { .init(key: $0.key, label: $0.label, url: $0.url?.text ?? "") },
            category: popup.category,
            urgency: open.urgency,
            isResident: popup.isResident,
            timeout: popup.timeout,
            notifications: open.references.map { .init(owner: $0.account, id: $0.id.rawValue) },
            count: open.count,
            titles: open.titles,
            isSummary: open.isSummary,
            expires: open.expires?.milliseconds,
            thread: open.thread ?? "",
            markSeen: open.markSeen?.rawValue ?? "",
            staysOpen: open.isResident,
            icon: popup.icon,
            picture: popup.picture
        )
    }
}

extension SavedPopup {
    /// nil if a URL in the row must not be opened.
    fileprivate init?(_ row: StateStore.PopupRow) {
        var buttons: [Popup.Button] = []
        for button in row.buttons {
            let url = OpenableURL(saved: button.url)
            guard button.url.isEmpty || url != nil else { return nil }
            buttons.append(Popup.Button(key: button.key, label: button.label, url: url))
        }
        self.init(
            open: OpenPopup(
                references: row.notifications.map { .init(account: $0.owner, id: NotificationID($0.id)) },
                count: row.count,
                buttons: buttons,
                urgency: row.urgency,
                expires: row.expires.map(Timestamp.init(milliseconds:)),
                titles: row.titles,
                isSummary: row.isSummary
            ),
            popup: Popup(
                summary: row.summary,
                body: row.body,
                buttons: buttons,
                category: row.category,
                urgency: row.urgency,
                isResident: row.isResident,
                timeout: row.timeout,
                icon: row.icon,
                picture: row.picture
            )
        )
        if !row.thread.isEmpty { open.thread = row.thread }
        open.markSeen = PopupPolicy.MarkSeen(rawValue: row.markSeen)
        open.isResident = row.staysOpen
    }
}
