import Basics
import ClientKit

/// All stores of a user: actions, events and answers in; requests and timers out. No clock, no network.
///
/// One reducer changes every store: an action of one store, an event and a loaded notification have the same effect on
/// all of them. Data that an event leaves unknown is requested: a notification that no store has loaded, once for all
/// stores; counts, or a list, a short time later and together with what follows.
///
/// ```
/// event ──► known row ───────────► every store ──► report
///        └► item request ──► row ──┘    │
/// unknown count, all, lost continuity ──┴► need ──► timer ──► counts or list
/// ```
struct StoresState: Sendable {
    /// A request or a timer for the owner.
    enum Effect: Sendable, Equatable {
        case load(PageLoad)
        case count(CountLoad)
        case item(ItemRequest)
        case startTimer(StoreTimer, after: Duration)
    }

    /// How long what changed is collected before it is requested. Doubled while it changes faster than the answers
    /// arrive, up to ``longestWindow``.
    static let window = Duration.milliseconds(250)
    static let longestWindow = Duration.seconds(8)

    /// The maximum number of notifications that are requested singly. With more, one list request per store is cheaper.
    static let itemCapacity = 14

    typealias ItemRequest = RowRequests<InboxNotification>.Ticket

    /// How late an event may be after an answer that contains its change. Doubled while that is the case again and
    /// again, up to ``longestSettlingTime``.
    static let settlingTime = Duration.seconds(2)
    static let longestSettlingTime = Duration.seconds(64)

    let pageSize: Int
    private(set) var stores: [StoreNumber: StoreState] = [:]
    private(set) var numbers: [StorePredicate: StoreNumber] = [:]
    /// The stores that changed since the last ``takeReports()``.
    private var changed: Set<StoreNumber> = []
    private var effects: [Effect] = []
    var journal = Journal()
    /// The requests for notifications that events named and that no store has loaded, once for all stores.
    var items = RowRequests<InboxNotification>(capacity: StoresState.itemCapacity)
    /// The requested notifications that have changed since their request began: its answer may be older.
    var outdatedItems: Set<String> = []
    var actions = ActionsInFlight()
    /// The actions of this client that will come back as events.
    var echoes = Echoes()
    /// How many of them concern all notifications.
    var echoesOfAll: [StateChange: Int] = [:]
    var reloads = ReloadSchedule()
    private var lastNumber: UInt64 = 0

    init(pageSize: Int, waitScale: Double = 1) {
        self.pageSize = pageSize
        reloads.policy = ReconnectPolicy(scale: waitScale)
    }

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    mutating func add(_ effect: Effect) { effects.append(effect) }

    /// Returns the effects since the last call.
    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    // MARK: Stores

    /// The store of a predicate, created if there is none.
    mutating func build(_ predicate: StorePredicate) -> StoreNumber {
        if let number = numbers[predicate] { return number }
        let number = nextNumber()
        numbers[predicate] = number
        stores[number] = StoreState(predicate, pageSize: pageSize)
        return number
    }

    /// The contents of a store are followed from now on.
    mutating func follow(_ number: StoreNumber) {
        change(number) { $0.isFollowed = true }
        scheduleReload()
    }

    mutating func dispose(_ number: StoreNumber) {
        guard let store = stores.removeValue(forKey: number) else { return }
        numbers[store.predicate] = nil
        changed.remove(number)
        scheduleReload()
    }

    mutating func change(_ number: StoreNumber, _ body: (inout StoreState) -> Void) {
        guard stores[number] != nil else { return }
        body(&stores[number]!)
        changed.insert(number)
    }

    mutating func changeAll(_ body: (inout StoreState) -> Void) {
        for number in stores.keys { change(number, body) }
    }

    /// Returns the changes since the last call, by store.
    mutating func takeReports() -> [StoreNumber: StoreReport] {
        var reports: [StoreNumber: StoreReport] = [:]
        for number in changed {
            let report = stores[number]?.takeReport()
            if let report, !report.isEmpty { reports[number] = report }
        }
        changed = []
        return reports
    }

    private var isLoading: Bool { stores.values.contains { $0.load != nil } }

    // MARK: The reducer

    /// The state of a notification as far as any store has loaded it, first of all one that need not be loaded again.
    func known(_ id: String) -> InboxNotification? {
        if let row = certain(id) { return row }
        for store in stores.values {
            if let row = store.rows[id] { return row }
        }
        return nil
    }

    /// The state of a notification in a store that need not be loaded again.
    func certain(_ id: String) -> InboxNotification? {
        for store in stores.values where store.need != .list && store.load?.need != .list {
            if let row = store.rows[id] { return row }
        }
        return nil
    }

    /// Changes a notification in every store.
    ///
    /// - Parameters:
    ///   - old: The state before; nil: there was none, or it is unknown.
    ///   - new: The present state; nil: it was deleted.
    mutating func update(_ id: String, from old: InboxNotification?, to new: InboxNotification?) {
        confirm(id, new)
        changeAll { $0.update(id, from: old, to: new) }
        scheduleReload()
    }

    /// The state of a notification in every store is the present one, but answers that are on their way may be older.
    mutating func confirm(_ id: String, _ present: InboxNotification?) {
        journal.add(.update(id, present), isNeeded: isLoading)
        if present == nil {
            items.remove(id)
            outdatedItems.remove(id)
        } else if items.hasBegun(id) {
            outdatedItems.insert(id)
        }
    }

    /// Changes all notifications of `scope` in every store; nil: all of the user's.
    mutating func updateAll(_ change: StateChange, of scope: StorePredicate?, at time: Timestamp) {
        journal.add(.all(change, scope: scope, at: time), isNeeded: isLoading)
        outdatedItems.formUnion(items.begunIDs)
        changeAll { $0.updateAll(change, of: scope, at: time) }
        scheduleReload()
    }

    /// Loads every fetched store again, soon.
    mutating func requireLists() {
        changeAll { $0.require(.list) }
        scheduleReload()
    }
}

/// A timer of the stores. A timer that does not count any more has an old number.
enum StoreTimer: Sendable, Equatable {
    case reload(UInt64)
    case settled(StoreNumber, UInt64)
    case item(StoresState.ItemRequest)
}

/// When what the stores need is requested.
struct ReloadSchedule: Sendable {
    enum Phase: Sendable, Equatable {
        /// The user's realtime feed does not run: nothing is requested by itself.
        case stopped
        case idle
        /// The timer with this number runs.
        case waiting(UInt64)
    }

    var phase = Phase.stopped
    /// How often in a row something changed faster than it was loaded.
    var repetitions = 0
    var policy = ReconnectPolicy()
    /// The last failure among the requests in flight.
    var failure: MagicBellError?

    var window: Duration {
        min(StoresState.window * (1 << min(repetitions, 10)), StoresState.longestWindow)
    }
}
