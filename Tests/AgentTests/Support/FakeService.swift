import Agent
import Basics
import Inbox

/// An inbox service that a test controls.
actor FakeService: InboxService {
    nonisolated let capabilities: Capabilities
    nonisolated let rules = ServiceRules(
        interactedIsRead: true,
        readIsSeen: true,
        channelSwitchesCategoryOn: true,
        seenAtOnce: 100,
        preferenceDelay: .seconds(1)
    )
    nonisolated let fakePreferences: FakePreferences
    nonisolated var preferences: (any PreferencesService)? { fakePreferences }
    /// Each one with what ends when it is reported.
    private let events = Mailbox<(ServiceEvent, reported: Completion)>()
    private var isRunning = false
    private let applications = Mailbox<Change>()
    /// Every requested change, in order.
    nonisolated var applied: Mailbox<Change>.Messages { applications.messages }
    private var failures: [ServiceFailure]
    private var stored: [NotificationID: Notification] = [:]
    private(set) var reconnects = 0
    /// The delivery marks that the agent passed at its start.
    private(set) var marks = DeliveryMarks()
    nonisolated let tabs = [
        InboxTab(id: "a", label: "A", predicate: InboxPredicate(tags: ["tab1"])),
        InboxTab(id: "b", label: "B", predicate: InboxPredicate(read: false, categories: ["other"])),
    ]
    nonisolated let pageSize = 2
    private var held = FakeInbox()

    private let running: @Sendable (Bool) -> Void

    init(
        failures: [ServiceFailure] = [],
        lacking missing: Capabilities = [],
        running: @escaping @Sendable (Bool) -> Void = { _ in }
    ) {
        let all: Capabilities = [
            .seen, .archive, .serverBadge, .tabs, .preferences, .categoryPreferences, .channelLevels, .digest,
            .properties,
        ]
        capabilities = all.subtracting(missing)
        self.failures = failures
        self.running = running
        fakePreferences = FakePreferences(failures: failures)
    }

    func run(after marks: DeliveryMarks, _ report: @escaping @Sendable (ServiceEvent) -> Void) async {
        self.marks = marks
        running(true)
        isRunning = true
        defer {
            isRunning = false
            running(false)
        }
        for await (event, reported) in events.messages {
            report(event)
            reported.finish()
        }
    }

    nonisolated let serviceTime = Timestamp(milliseconds: 0)

    /// Whether requests of changes get no answer.
    private var holdsChanges = false

    func holdChanges() { holdsChanges = true }

    /// The changes that were requested some time after they were made.
    private(set) var delayed: [Change] = []

    func apply(_ made: TimestampedChange, isDelayed: Bool) async throws(ServiceFailure) {
        if isDelayed { delayed.append(made.change) }
        applications.send(made.change)
        if holdsChanges {
            await Completion().wait()
            throw ServiceFailure(.transient, "The account has ended.")
        }
        if let failure = refused[made.change] { throw failure }
        if !failures.isEmpty { throw failures.removeFirst() }
        var inbox = held
        for id in made.change.ids {
            guard let index = inbox.notifications.firstIndex(where: { $0.id == id }),
                let changed = made.applied(to: inbox.notifications[index], by: rules)
            else { continue }
            inbox.notifications[index] = changed
        }
        if made.change == .badgeReset { inbox.counts.badge = inbox.counts.badge.map { _ in 0 } }
        let archived = inbox.notifications.count(where: \.isArchived)
        inbox.notifications.removeAll(where: \.isArchived)
        inbox.counts.total = inbox.counts.total.map { $0 - archived }
        let reported = setInbox(inbox)
        if isRunning { await reported.wait() }
    }

    /// The number of requests for a single notification.
    private(set) var detailRequests = 0

    func notification(_ id: NotificationID) async throws(ServiceFailure) -> Notification {
        detailRequests += 1
        if holdsDetails { await Completion().wait() }
        guard let notification = stored[id] else {
            throw ServiceFailure(.notFound, "There is no notification \"\(id)\".")
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

    private var newestPage: (notifications: [Notification], isAll: Bool) = ([], false)

    func newest() async throws(ServiceFailure) -> (notifications: [Notification], isAll: Bool) { newestPage }

    /// The requested pages: their views and sizes.
    private(set) var pageRequests: [(predicate: InboxPredicate, size: Int)] = []

    func page(
        of predicate: InboxPredicate,
        after place: SortKey?,
        size: Int,
        skipsTies: Bool
    ) async throws(ServiceFailure) -> ViewPage {
        pageRequests.append((predicate, size))
        if let beforePage {
            self.beforePage = nil
            await beforePage()
        }
        if !failures.isEmpty { throw failures.removeFirst() }
        let all = (held.notifications + stored.values).filter(predicate.matches)
            .sorted(by: Self.areInOrder)
        if repeatsPages { return ViewPage(all, hasMore: true) }
        let further = all.filter { notification in
            guard let place else { return true }
            if notification.isPinned != place.isPinned { return place.isPinned }
            return skipsTies ? notification.sortTime < place.time : notification.sortTime <= place.time
        }
        // As SuprSend does.
        let size = min(size, 100)
        return ViewPage(Array(further.prefix(size)), hasMore: further.count > size)
    }

    /// As services, it has an order of its own among notifications of one time.
    private static func areInOrder(_ first: Notification, _ second: Notification) -> Bool {
        guard first.isPinned == second.isPinned, first.sortTime == second.sortTime else {
            return SortKey(of: first) < SortKey(of: second)
        }
        return first.id.rawValue.reversed().lexicographicallyPrecedes(second.id.rawValue.reversed())
    }

    func refresh() async throws(ServiceFailure) { if !failures.isEmpty { throw failures.removeFirst() } }

    // MARK: Control

    private var holdsDetails = false

    /// From now on no request for a single notification is answered.
    func holdDetails() { holdsDetails = true }

    private var beforePage: (@Sendable () async -> Void)?

    /// Before the next page is answered, this is done.
    func beforePage(_ body: @escaping @Sendable () async -> Void) { beforePage = body }

    private var repeatsPages = false

    /// From now on every page has all notifications, and claims that there are more.
    func repeatPages() { repeatsPages = true }

    private var refused: [Change: ServiceFailure] = [:]

    /// From now on the change fails; nil: it succeeds again.
    func refuse(_ change: Change, _ failure: ServiceFailure?) { refused[change] = failure }

    func setNewest(_ notifications: [Notification], isAll: Bool) { newestPage = (notifications, isAll) }

    /// The next changes fail in this order.
    func fail(_ failures: ServiceFailure...) { self.failures += failures }

    /// A notification the service has but the agent has not loaded.
    func store(_ notification: Notification) { stored[notification.id] = notification }

    /// - Returns: What ends when the event is reported.
    @discardableResult
    nonisolated func send(_ event: ServiceEvent) -> Completion {
        let reported = Completion()
        events.send((event, reported))
        return reported
    }

    /// A new notification: listed, then announced.
    func arrive(_ notification: Notification) {
        var inbox = held
        inbox.notifications.append(notification)
        setInbox(inbox)
        send(.arrived([notification]))
    }

    /// Replaces the notification with the same id.
    func change(_ notification: Notification) {
        var inbox = held
        inbox.notifications = inbox.notifications.map { $0.id == notification.id ? notification : $0 }
        setInbox(inbox)
    }

    func remove(_ id: NotificationID) {
        var inbox = held
        inbox.notifications.removeAll { $0.id == id }
        setInbox(inbox)
    }

    /// Replaces the newest part of the inbox and the counts.
    @discardableResult
    func setInbox(_ new: FakeInbox) -> Completion {
        let old = held
        held = new
        return send(.contents(new.update(since: old)))
    }
}

/// The newest part of an inbox, in any order.
struct FakeInbox: Sendable {
    var notifications: [Notification] = []
    var counts = Counts()
    var hasMore = false
    var isCounted = true
    var isComplete = true

    fileprivate func update(since old: FakeInbox) -> InboxUpdate {
        InboxUpdate(
            changed: notifications.filter { !old.notifications.contains($0) },
            removed: old.notifications.map(\.id).filter { id in !notifications.contains { $0.id == id } },
            counts: counts,
            hasMore: hasMore,
            isCounted: isCounted,
            isComplete: isComplete
        )
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
            subtextURL: "https://example.com/shop",
            url: url,
            category: "promo",
            tags: ["tab1", "tab2"],
            created: Timestamp(milliseconds: 1_754_346_745_613),
            expires: Timestamp(milliseconds: 32_503_680_000_000),
            isPinned: true,
            avatar: "https://example.com/a.png",
            avatarURL: "https://example.com/anna",
            actions: [.init(id: "buy", name: "Buy", url: "https://example.com/buy")],
            extra: "{\"sku\":42}"
        )
    }
}
