import Agent
import Basics
import Inbox

/// An inbox service that does what the test says.
actor FakeProvider: InboxProvider {
    nonisolated let capabilities: Capabilities = [.seen, .archive, .serverBadge, .stores, .preferences]
    nonisolated let rules = ServiceRules(
        interactedIsRead: true,
        readIsSeen: true,
        channelSwitchesCategoryOn: true,
        seenAtOnce: 100,
        preferenceDelay: .seconds(1)
    )
    nonisolated let fakePreferences: FakePreferences
    nonisolated var preferences: (any PreferencesProvider)? { fakePreferences }
    private let events: AsyncStream<ProviderEvent>
    private let input: AsyncStream<ProviderEvent>.Continuation
    private let applications: AsyncStream<Change>.Continuation
    /// Every change that was asked for, in order.
    nonisolated let applied: AsyncStream<Change>
    private var failures: [ProviderFailure]
    private var stored: [NotificationID: Notification] = [:]
    private(set) var reconnects = 0
    /// What was shown already, as the agent said when it began.
    private(set) var marks = DeliveryMarks()
    private var held = InboxContents()

    private let running: @Sendable (Bool) -> Void

    init(failures: [ProviderFailure] = [], running: @escaping @Sendable (Bool) -> Void = { _ in }) {
        self.failures = failures
        self.running = running
        fakePreferences = FakePreferences(failures: failures)
        (events, input) = AsyncStream.makeStream()
        (applied, applications) = AsyncStream.makeStream()
    }

    func run(after marks: DeliveryMarks, _ emit: @escaping @Sendable (ProviderEvent) async -> Void) async {
        self.marks = marks
        running(true)
        defer { running(false) }
        for await event in events { await emit(event) }
    }

    nonisolated let serviceTime = Timestamp(milliseconds: 0)

    /// The changes that were asked for some time after they were made.
    private(set) var delayed: [Change] = []

    func apply(_ made: TimestampedChange, isDelayed: Bool) async throws(ProviderFailure) {
        if isDelayed { delayed.append(made.change) }
        applications.yield(made.change)
        if let failure = refused[made.change] { throw failure }
        if !failures.isEmpty { throw failures.removeFirst() }
    }

    /// How often a single notification was asked for.
    private(set) var itemRequests = 0

    func notification(_ id: NotificationID) async throws(ProviderFailure) -> Notification {
        itemRequests += 1
        guard let notification = stored[id] else {
            throw ProviderFailure(.notFound, "There is no notification \"\(id)\".")
        }
        return notification
    }

    func reconnect() async { reconnects += 1 }

    /// The reported host events.
    private(set) var machine: [String] = []

    func suspend() async { machine.append("suspend") }

    func reconnectNow() async { machine.append("reconnectNow") }

    func wallClockChanged(by change: Duration) async { machine.append("wallClockChanged by \(change)") }

    func setNetworkUnavailable(_ isAway: Bool) async { machine.append("setNetworkUnavailable \(isAway)") }

    func contents() async -> InboxContents { held }

    private var newestPage: (notifications: [Notification], isAll: Bool) = ([], false)

    func newest() async throws(ProviderFailure) -> (notifications: [Notification], isAll: Bool) { newestPage }

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

    private var refused: [Change: ProviderFailure] = [:]

    /// A change fails from now on; nil: no longer.
    func refuse(_ change: Change, _ failure: ProviderFailure?) { refused[change] = failure }

    func setNewest(_ notifications: [Notification], isAll: Bool) { newestPage = (notifications, isAll) }

    /// The next changes fail in this order.
    func fail(_ failures: ProviderFailure...) { self.failures += failures }

    /// A notification the service has but the agent has not loaded.
    func store(_ notification: Notification) { stored[notification.id] = notification }

    nonisolated func send(_ event: ProviderEvent) { input.yield(event) }

    /// A new notification: announced, then listed first.
    func arrive(_ notification: Notification) {
        held = InboxContents(notifications: [notification] + held.notifications)
        send(.arrived([notification]))
        send(.contents(held))
    }

    /// Puts another notification in the place of the one with its id.
    func change(_ notification: Notification) {
        held = InboxContents(notifications: held.notifications.map { $0.id == notification.id ? notification : $0 })
        send(.contents(held))
    }

    /// What the service says now, all of it.
    func say(_ new: InboxContents) {
        held = new
        send(.contents(held))
    }

    func remove(_ id: NotificationID) {
        held = InboxContents(notifications: held.notifications.filter { $0.id != id })
        send(.contents(held))
    }
}

extension Notification {
    /// A notification with all there is to it.
    static func sample(_ id: String, title: String = "Sale", url: String = "https://example.com/sale") -> Notification {
        Notification(
            id: NotificationID(id),
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
