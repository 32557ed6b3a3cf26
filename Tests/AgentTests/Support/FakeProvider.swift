import Agent
import Basics
import Inbox

/// An inbox service that a test controls.
actor FakeProvider: InboxProvider {
    nonisolated let capabilities: Capabilities = [
        .seen, .archive, .serverBadge, .stores, .preferences, .digest, .properties,
    ]
    nonisolated let rules = ServiceRules(
        interactedIsRead: true,
        readIsSeen: true,
        channelSwitchesCategoryOn: true,
        seenAtOnce: 100,
        preferenceDelay: .seconds(1)
    )
    nonisolated let fakePreferences: FakePreferences
    nonisolated var preferences: (any PreferencesProvider)? { fakePreferences }
    private let events = Mailbox<ProviderEvent>()
    private let applications = Mailbox<Change>()
    /// Every requested change, in order.
    nonisolated var applied: AsyncStream<Change> { applications.messages }
    private var failures: [ProviderFailure]
    private var stored: [NotificationID: Notification] = [:]
    private(set) var reconnects = 0
    /// The delivery marks that the agent passed at its start.
    private(set) var marks = DeliveryMarks()
    private var held = InboxContents()

    private let running: @Sendable (Bool) -> Void

    init(failures: [ProviderFailure] = [], running: @escaping @Sendable (Bool) -> Void = { _ in }) {
        self.failures = failures
        self.running = running
        fakePreferences = FakePreferences(failures: failures)
    }

    func run(after marks: DeliveryMarks, _ emit: @escaping @Sendable (ProviderEvent) async -> Void) async {
        self.marks = marks
        running(true)
        defer { running(false) }
        for await event in events.messages { await emit(event) }
    }

    nonisolated let serviceTime = Timestamp(milliseconds: 0)

    /// The changes that were requested some time after they were made.
    private(set) var delayed: [Change] = []

    func apply(_ made: TimestampedChange, isDelayed: Bool) async throws(ProviderFailure) {
        if isDelayed { delayed.append(made.change) }
        applications.send(made.change)
        if let failure = refused[made.change] { throw failure }
        if !failures.isEmpty { throw failures.removeFirst() }
    }

    /// The number of requests for a single notification.
    private(set) var detailRequests = 0

    func notification(_ id: NotificationID) async throws(ProviderFailure) -> Notification {
        detailRequests += 1
        guard let notification = stored[id] else {
            throw ProviderFailure(.notFound, "There is no notification \"\(id)\".")
        }
        return notification
    }

    func reconnect() async { reconnects += 1 }

    /// The reported host events.
    private(set) var hostEvents: [String] = []

    func suspend() async { hostEvents.append("suspend") }

    func reconnectNow() async { hostEvents.append("reconnectNow") }

    func wallClockChanged(by change: Duration) async { hostEvents.append("wallClockChanged by \(change)") }

    func setNetworkUnavailable(_ isAway: Bool) async { hostEvents.append("setNetworkUnavailable \(isAway)") }

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

    // MARK: Control

    private var refused: [Change: ProviderFailure] = [:]

    /// From now on the change fails; nil: it succeeds again.
    func refuse(_ change: Change, _ failure: ProviderFailure?) { refused[change] = failure }

    func setNewest(_ notifications: [Notification], isAll: Bool) { newestPage = (notifications, isAll) }

    /// The next changes fail in this order.
    func fail(_ failures: ProviderFailure...) { self.failures += failures }

    /// A notification the service has but the agent has not loaded.
    func store(_ notification: Notification) { stored[notification.id] = notification }

    nonisolated func send(_ event: ProviderEvent) { events.send(event) }

    /// A new notification: announced, then listed first.
    func arrive(_ notification: Notification) {
        held = InboxContents(notifications: [notification] + held.notifications)
        send(.arrived([notification]))
        send(.contents(held))
    }

    /// Replaces the notification with the same id.
    func change(_ notification: Notification) {
        held = InboxContents(notifications: held.notifications.map { $0.id == notification.id ? notification : $0 })
        send(.contents(held))
    }

    /// Replaces all contents.
    func setContents(_ new: InboxContents) {
        held = new
        send(.contents(held))
    }

    func remove(_ id: NotificationID) {
        held = InboxContents(notifications: held.notifications.filter { $0.id != id })
        send(.contents(held))
    }
}

extension Notification {
    /// A notification with a value in every field.
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
