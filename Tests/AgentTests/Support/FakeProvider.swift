import Agent
import Inbox

/// An inbox service that does what the test says.
actor FakeProvider: InboxProvider {
    nonisolated let capabilities: Capabilities = [.seen, .archive, .serverBadge, .stores, .preferences]
    nonisolated let fakePreferences: FakePreferences
    nonisolated var preferences: (any PreferencesProvider)? { fakePreferences }
    private let events: AsyncStream<ProviderEvent>
    private let input: AsyncStream<ProviderEvent>.Continuation
    private let applications: AsyncStream<Change>.Continuation
    /// Every change that was asked for, in order.
    nonisolated let applied: AsyncStream<Change>
    private var failures: [ProviderFailure]
    private var stored: [ItemID: Item] = [:]
    private(set) var reconnects = 0
    /// What was shown already, as the agent said when it began.
    private(set) var marks = DeliveryMarks()
    private var held = InboxContents()

    init(failures: [ProviderFailure] = []) {
        self.failures = failures
        fakePreferences = FakePreferences(failures: failures)
        (events, input) = AsyncStream.makeStream()
        (applied, applications) = AsyncStream.makeStream()
    }

    func run(after marks: DeliveryMarks, _ emit: @escaping @Sendable (ProviderEvent) async -> Void) async {
        self.marks = marks
        for await event in events { await emit(event) }
    }

    func apply(_ change: Change) async throws(ProviderFailure) {
        applications.yield(change)
        if !failures.isEmpty { throw failures.removeFirst() }
    }

    func item(_ id: ItemID) async throws(ProviderFailure) -> Item {
        guard let item = stored[id] else { throw ProviderFailure(.notFound, "There is no notification \"\(id)\".") }
        return item
    }

    func reconnect() async { reconnects += 1 }

    /// What happened to the machine, as it was told.
    private(set) var machine: [String] = []

    func suspend() async { machine.append("suspend") }

    func connectAnew() async { machine.append("connectAnew") }

    func clockWasSet(by change: Duration) async { machine.append("clockWasSet by \(change)") }

    func networkIsAway(_ isAway: Bool) async { machine.append("networkIsAway \(isAway)") }

    func contents() async -> InboxContents { held }

    func fetchMore() async throws(ProviderFailure) -> Int {
        if !failures.isEmpty { throw failures.removeFirst() }
        return 7
    }

    func refresh() async throws(ProviderFailure) { if !failures.isEmpty { throw failures.removeFirst() } }

    func setActiveStore(_ id: String) async throws(ProviderFailure) {
        guard held.stores.contains(where: { $0.id == id }) else {
            throw ProviderFailure(.notFound, "There is no store \"\(id)\".")
        }
        held.activeStore = id
        send(.contents(held))
    }

    // MARK: What the test says

    /// The next changes fail in this order.
    func fail(_ failures: ProviderFailure...) { self.failures += failures }

    /// A notification the service has but the agent has not loaded.
    func store(_ item: Item) { stored[item.id] = item }

    nonisolated func send(_ event: ProviderEvent) { input.yield(event) }

    /// A new notification: announced, then listed first.
    func arrive(_ item: Item) {
        held = InboxContents(items: [item] + held.items)
        send(.arrived([item]))
        send(.contents(held))
    }

    /// Puts another notification in the place of the one with its id.
    func change(_ item: Item) {
        held = InboxContents(items: held.items.map { $0.id == item.id ? item : $0 })
        send(.contents(held))
    }

    /// What the service says now, all of it.
    func say(_ new: InboxContents) {
        held = new
        send(.contents(held))
    }

    func remove(_ id: ItemID) {
        held = InboxContents(items: held.items.filter { $0.id != id })
        send(.contents(held))
    }
}

extension Item {
    /// A notification with all there is to it.
    static func sample(_ id: String, title: String = "Sale", url: String = "https://example.com/sale") -> Item {
        Item(
            id: ItemID(id),
            title: title,
            body: "Ends **soon** & <i>now</i>",
            subtext: "Shop",
            url: url,
            category: "promo",
            tags: ["tab1", "tab2"],
            created: Timestamp(milliseconds: 1_754_346_745_613),
            expires: Timestamp(milliseconds: 32_503_680_000_000),
            isPinned: true,
            avatar: "https://example.com/a.png",
            actions: [.init(name: "Buy", url: "https://example.com/buy")],
            extra: "{\"sku\":42}"
        )
    }
}
