import Testing

@testable import SuprSend

/// Drives a ``FeedState`` the way a feed does, with answers at hand.
struct StateDriver {
    var state: FeedState
    var effects: [FeedState.Effect] = []
    var now = base

    init(_ stores: [NotificationStore]? = nil, maximumRows: Int = 200) {
        state = FeedState(stores: stores, maximumRows: maximumRows)
    }

    /// Loads the first page, or it again.
    mutating func load(_ rows: [FeedNotification], hasMore: Bool = false, counts: NotificationCounts? = nil) {
        let load = state.beginRefresh(isQuiet: true)
        let count = state.beginCount()
        effects +=
            state.finish(load, .success(.init(rows: rows, total: rows.count, hasMore: hasMore)), now: now).effects
        effects += state.finish(count, counts, now: now)
    }

    /// The event, and its details.
    mutating func news(_ row: FeedNotification) {
        effects += state.receive(.newNotification(id: row.id), now: now)
        answerDetails([row])
    }

    mutating func update(_ row: FeedNotification, counts: NotificationCounts? = nil) {
        effects += state.receive(.notificationUpdate(id: row.id), now: now)
        answerDetails([row])
        if state.wantsCount { count(counts) }
    }

    mutating func count(_ counts: NotificationCounts?) {
        let count = state.beginCount()
        effects += state.finish(count, counts, now: now)
    }

    mutating func answerDetails(_ rows: [FeedNotification]) {
        while let (id, number) = state.beginDetails() {
            effects += state.finishDetails(id, number, rows.first { $0.id == id }, now: now)
        }
    }

    struct Nothing: Error {}

    mutating func begin(_ action: FeedAction) throws -> UInt64 {
        guard let begun = state.begin(action, now: now) else { throw Nothing() }
        return begun.number
    }

    mutating func fetch() throws -> FeedState.Load {
        guard let load = try state.beginFetch() else { throw Nothing() }
        return load
    }

    mutating func change(to store: String) throws -> FeedState.Load {
        guard let load = try state.changeStore(store) else { throw Nothing() }
        return load
    }

    mutating func ticket() throws -> (id: String, number: UInt64) {
        guard let ticket = state.beginDetails() else { throw Nothing() }
        return ticket
    }

    /// These effects since the last look.
    mutating func expect(_ expected: [FeedState.Effect], sourceLocation: SourceLocation = #_sourceLocation) {
        let actual = takeEffects()
        #expect(actual == expected, sourceLocation: sourceLocation)
    }

    mutating func takeEffects() -> [FeedState.Effect] {
        defer { effects = [] }
        return effects
    }

    var ids: [String] { state.data.notifications.map(\.id) }
    var meta: FeedData.Meta { state.data.meta }
}

/// Suprsend.md §8.4, T1 to T16, as a better client does them.
@Suite struct FeedStateTests {
    let pinned = row("P", age: 9000, pinned: true)
    let a = row("A", age: 1000)
    let b = row("B", age: 2000)
    let unread = NotificationStore(id: "Unread", query: .init(read: false))
    let promo = NotificationStore(id: "Promo", query: .init(categories: ["promo"]))

    private func loaded() -> StateDriver {
        var driver = StateDriver()
        driver.load([pinned, a, b], counts: .init(badge: 1))
        _ = driver.takeEffects()
        return driver
    }

    @Test func t1NewUnpinned() {
        var driver = loaded()
        let new = row("N")
        driver.news(new)
        #expect(driver.ids == ["P", "N", "A", "B"])
        #expect(driver.meta.badge == 2)
        driver.expect([.announce(new, catchUp: false), .updated])
    }

    @Test func t2NewPinned() {
        var driver = loaded()
        driver.news(row("Q", pinned: true))
        #expect(driver.ids == ["Q", "P", "A", "B"])
    }

    @Test func t3BelowPinned() {
        var driver = StateDriver()
        driver.load([pinned])
        driver.news(row("N"))
        #expect(driver.ids == ["P", "N"])
    }

    @Test func t4SeveralStores() {
        var driver = StateDriver([unread, promo])
        driver.load([])
        driver.news(row("N", category: "promo"))
        #expect(driver.ids == ["N"])
        #expect(driver.meta == .init(badge: 1, stores: ["Unread": 1, "Promo": 1]))
    }

    @Test func t5OtherStore() {
        var driver = StateDriver([promo, unread])
        driver.load([])
        _ = driver.takeEffects()
        driver.news(row("N"))
        #expect(driver.ids.isEmpty)
        #expect(driver.meta == .init(badge: 1, stores: ["Unread": 1, "Promo": 0]))
        driver.expect([.announce(row("N"), catchUp: false), .updated])
    }

    @Test func t6NoStore() {
        var driver = StateDriver([promo])
        driver.load([])
        _ = driver.takeEffects()
        driver.news(row("N"))
        driver.expect([.updated])
        #expect(driver.meta.badge == 0)
    }

    @Test func t7ReadElsewhere() {
        var driver = StateDriver([unread])
        driver.load([a], counts: .init(badge: 1, stores: ["Unread": 1]))
        driver.update(row("A", age: 1000, read: base), counts: .init(badge: 1, stores: ["Unread": 0]))
        #expect(driver.ids.isEmpty)
        #expect(driver.meta == .init(badge: 1, stores: ["Unread": 0]))
    }

    @Test func t8ArchivedElsewhere() {
        var driver = loaded()
        driver.update(row("A", age: 1000, archived: true))
        #expect(driver.ids == ["P", "B"])
        #expect(driver.state.data.pageInfo.total == 2)
    }

    @Test func t9IntoTheArchive() {
        var driver = StateDriver([.init(id: "Archived", query: .init(archived: true))])
        driver.load([])
        _ = driver.takeEffects()
        driver.update(row("A", archived: true))
        #expect(driver.ids == ["A"])
        driver.expect([.updated])
    }

    @Test func t10AllReadElsewhere() {
        let everything = NotificationStore(id: "All")
        var driver = StateDriver([everything, unread])
        driver.load([a, b], counts: .init(badge: 3, stores: ["All": 2, "Unread": 2]))
        driver.effects += driver.state.receive(.allRead, now: base)
        #expect(driver.meta == .init(badge: 0, stores: ["All": 0, "Unread": 0]))
        #expect(driver.state.data.notifications.allSatisfy { $0.read == base })
        // The unread tab does not keep what was read.
        var tab = StateDriver([unread])
        tab.load([a, b])
        tab.effects += tab.state.receive(.allRead, now: base)
        #expect(tab.ids.isEmpty)
    }

    @Test func t11Expiry() {
        var driver = StateDriver()
        driver.load([a, row("E", expiry: 1_754_346_745_700)])
        #expect(driver.state.nextDeadline == 1_754_346_745_701)
        driver.effects = driver.state.wake(now: 1_754_346_745_700)
        #expect(driver.effects.isEmpty)
        driver.effects = driver.state.wake(now: 1_754_346_745_701)
        #expect(driver.effects == [.updated])
        #expect(driver.ids == ["A"])
        #expect(driver.state.wantsCount)
        #expect(driver.state.nextDeadline == nil)
    }

    @Test func t12StoreSwitchWhileLoading() throws {
        var driver = StateDriver([unread, promo])
        let old = try driver.fetch()
        driver.count(.init(badge: 4, stores: ["Unread": 3]))
        let new = try driver.change(to: "Promo")
        #expect(driver.meta == .init(badge: 4, stores: ["Unread": 3, "Promo": 0]))
        let page = NotificationPage(rows: [row("X", category: "promo")])
        do {
            let fit = driver.state.finish(new, .success(page), now: base).fit
            #expect(fit == .applied)
        }
        do {
            let fit = driver.state.finish(old, .success(.init(rows: [a, b])), now: base).fit
            #expect(fit == .otherStore)
        }
        #expect(driver.ids == ["X"])
        #expect(driver.state.data.store == promo)
    }

    @Test func t13FirstLoadFails() throws {
        var driver = StateDriver()
        let first = try driver.fetch()
        #expect(driver.state.data.status == .loading)
        _ = driver.state.finish(first, .failure(SuprSendError(.serverFailure, "500")), now: base)
        #expect(driver.state.data.status == .error)
        let second = try driver.fetch()
        #expect(driver.state.data.status == .loading)
        #expect(throws: SuprSendError.self) { try driver.state.beginFetch() }
        _ = driver.state.finish(second, .success(.init(rows: [a])), now: base)
        #expect(driver.state.data.status == .success)
        #expect(driver.ids == ["A"])
    }

    @Test func t14ActionOnARowNotLoaded() {
        var driver = loaded()
        #expect(throws: Never.self) { try driver.begin(.markAsSeen("elsewhere")) }
    }

    @Test func t15Twice() {
        var driver = loaded()
        driver.news(row("N"))
        driver.news(row("N"))
        #expect(driver.ids == ["P", "N", "A", "B"])
        #expect(driver.meta.badge == 2)
        // Also when both come before the details.
        _ = driver.state.receive(.newNotification(id: "M"), now: base)
        _ = driver.state.receive(.newNotification(id: "M"), now: base)
        _ = driver.takeEffects()
        driver.answerDetails([row("M")])
        driver.expect([.announce(row("M"), catchUp: false), .updated])
        #expect(driver.meta.badge == 3)
    }

    @Test func t16EventBeforeTheFirstPage() throws {
        var driver = StateDriver()
        driver.news(row("N"))
        let load = try driver.fetch()
        #expect(load.call == .list(pageSize: 20, store: .default, after: nil))
        _ = driver.state.finish(load, .success(.init(rows: [a, b])), now: base)
        #expect(driver.ids == ["N", "A", "B"])
    }

    // MARK: Actions

    @Test func refusedActionsAreUndone() throws {
        let stores = [NotificationStore(id: "All"), unread]
        var driver = StateDriver(stores)
        driver.load([pinned, a, b], counts: .init(badge: 3, stores: ["All": 3, "Unread": 3]))
        let before = driver.state.data
        for action in [
            .markAsSeen("A"), .markAsRead("A"), .markAsInteracted("A"), .markAsArchived("A"), .markAllAsRead,
            .resetBadgeCount,
            .markBulkAsSeen(["A", "B"]),
        ] as [FeedAction] {
            let number = try driver.begin(action)
            #expect(driver.state.data != before, "\(action)")
            _ = driver.state.finish(number, succeeded: false, now: base)
            #expect(driver.state.data == before, "\(action)")
        }
    }

    @Test func actionsAdjustEverything() throws {
        var driver = StateDriver([NotificationStore(id: "All"), unread])
        driver.load([a, b], counts: .init(badge: 2, stores: ["All": 2, "Unread": 2]))
        let number = try driver.begin(.markAsInteracted("A"))
        #expect(driver.state.data.notifications[0].isRead && driver.state.data.notifications[0].isSeen)
        #expect(driver.meta.stores == ["All": 1, "Unread": 1])
        _ = driver.state.finish(number, succeeded: true, now: base)
        #expect(driver.meta.stores == ["All": 1, "Unread": 1])
        #expect(throws: StateDriver.Nothing.self) { try driver.begin(.markAsRead("A")) }
        #expect(throws: Never.self) { try driver.begin(.markAsInteracted("A")) }
    }

    @Test func anUnreadTabDropsAndBringsBack() throws {
        var driver = StateDriver([unread])
        driver.load([a, b])
        let number = try driver.begin(.markAsRead("A"))
        #expect(driver.ids == ["B"])
        _ = driver.state.finish(number, succeeded: false, now: base)
        #expect(driver.ids == ["A", "B"])
    }

    @Test func anAnswerFromBeforeAnActionDoesNotUndoIt() throws {
        var driver = loaded()
        let load = driver.state.beginRefresh()
        let number = try driver.begin(.markAsRead("A"))
        _ = driver.state.finish(number, succeeded: true, now: base)
        _ = driver.state.finish(load, .success(.init(rows: [pinned, a, b])), now: base)
        #expect(driver.state.data.notifications[1].read == base)
        // The next one is the service's word again.
        driver.load([pinned, a, b])
        #expect(driver.state.data.notifications[1].read == nil)
    }

    @Test func aLateAnswerDoesNotOverwriteANewerOne() throws {
        var driver = loaded()
        _ = driver.state.receive(.notificationUpdate(id: "A"), now: base)
        let first = try driver.ticket()
        _ = driver.state.receive(.notificationUpdate(id: "A"), now: base)
        let second = try driver.ticket()
        _ = driver.state.finishDetails(second.id, second.number, row("A", age: 1000, archived: true), now: base)
        _ = driver.state.finishDetails(first.id, first.number, a, now: base)
        #expect(driver.ids == ["P", "B"])
    }

    @Test func aRowMovesWhenItIsPinned() {
        var driver = loaded()
        driver.update(row("B", age: 2000, pinned: true))
        #expect(driver.ids == ["B", "P", "A"])
    }

    // MARK: Pages

    @Test func furtherPages() throws {
        var driver = StateDriver()
        driver.load([pinned, a], hasMore: true)
        // Archiving the last loaded row does not move the cursor.
        _ = driver.state.begin(.markAsArchived("A"), now: base)
        let next = try driver.state.beginNextPage()
        #expect(next.call == .list(pageSize: 20, store: .default, after: .init(isPinned: false, created: a.created)))
        _ = driver.state.finish(next, .success(.init(rows: [b, row("C", age: 3000)], hasMore: true)), now: base)
        #expect(driver.ids == ["P", "B", "C"])
        let empty = try driver.state.beginNextPage()
        _ = driver.state.finish(empty, .success(.init(rows: [], hasMore: true)), now: base)
        #expect(!driver.state.data.pageInfo.hasMore)
        #expect(throws: SuprSendError.self) { try driver.state.beginNextPage() }
        #expect(throws: StateDriver.Nothing.self) { try driver.fetch() }
    }

    @Test func aPageForAListThatWasReplacedIsAskedForAgain() throws {
        var driver = StateDriver()
        driver.load([a], hasMore: true)
        let next = try driver.state.beginNextPage()
        driver.load([row("N"), a], hasMore: true)
        do {
            let fit = driver.state.finish(next, .success(.init(rows: [b])), now: base).fit
            #expect(fit == .outdated)
        }
        #expect(driver.ids == ["N", "A"])
    }

    @Test func memoryIsBounded() {
        var driver = StateDriver(maximumRows: 20)
        driver.load((0..<20).map { row("old\($0)", age: 10_000 + Int64($0)) })
        for number in 0..<100 { driver.news(row("n\(number)", age: 1000 - Int64(number))) }
        #expect(driver.ids.count == 20)
        #expect(driver.ids.first == "n99")
        #expect(driver.state.data.pageInfo.hasMore)
        #expect(throws: SuprSendError.self) { try driver.state.beginNextPage() }
    }

    // MARK: Gaps

    @Test func theFirstLoadAnnouncesNothing() {
        var driver = StateDriver()
        driver.state.joined(recovered: false)
        driver.load([a, b])
        driver.expect([.updated])
        #expect(!driver.state.isStale)
    }

    @Test func whatAGapHidIsAnnouncedOnce() {
        var driver = loaded()
        driver.state.joined(recovered: false)
        #expect(driver.state.isStale)
        let missed = row("M", age: 500)
        driver.news(row("N"))
        _ = driver.takeEffects()
        let page = [
            pinned, row("N"), row("seen", age: 100, seen: base), row("read", age: 200, read: base),
            row("expired", age: 300, expiry: 1), row("later", age: 400), missed, a, b,
        ]
        driver.load(page)
        driver.expect([.announce(missed, catchUp: true), .announce(row("later", age: 400), catchUp: true), .updated])
        #expect(!driver.state.isStale)
        driver.state.joined(recovered: false)
        driver.load(page)
        driver.expect([.updated])
        driver.news(missed)
        driver.expect([])
    }

    @Test func aRecoveredJoinNeedsNoLoad() {
        var driver = loaded()
        driver.state.joined(recovered: true)
        #expect(!driver.state.isStale)
    }

    @Test func aLoadFromBeforeTheJoinIsNotEnough() {
        var driver = loaded()
        let load = driver.state.beginRefresh()
        driver.state.joined(recovered: false)
        _ = driver.state.finish(load, .success(.init(rows: [a])), now: base)
        #expect(driver.state.isStale)
    }

    @Test func aRowThatCouldNotBeHadIsOwed() throws {
        var driver = loaded()
        // The newer one is announced, so the owed one is older than the newest row known.
        _ = driver.state.receive(.newNotification(id: "owed"), now: base)
        let ticket = try driver.ticket()
        _ = driver.state.retryDetails(ticket.id, ticket.number, now: base)
        driver.news(row("N"))
        _ = driver.state.finishDetails(ticket.id, ticket.number, nil, now: base)
        #expect(driver.state.isStale)
        _ = driver.takeEffects()
        driver.load([pinned, row("N"), row("owed", age: 800), a, b])
        driver.expect([.announce(row("owed", age: 800), catchUp: true), .updated])
    }

    @Test func otherStoresAreSurveyed() {
        var driver = StateDriver([promo, unread])
        driver.load([])
        let survey = driver.state.beginSurvey()
        #expect(survey.map(\.store) == [unread])
        driver.effects = driver.state.finishSurvey(unread, .init(rows: [a]), now: base)
        driver.expect([])
        driver.effects = driver.state.finishSurvey(unread, .init(rows: [row("N"), a]), now: base)
        driver.expect([.announce(row("N"), catchUp: true)])
    }

    @Test func expiredIsNeverAnnounced() {
        var driver = loaded()
        driver.news(row("N", expiry: 1))
        driver.expect([.updated])
        #expect(driver.meta.badge == 1)
    }

    // MARK: Order and amount

    @Test func announcedInTheOrderOfTheEvents() throws {
        var driver = loaded()
        for id in ["1", "2", "3", "4", "5", "6"] { _ = driver.state.receive(.newNotification(id: id), now: base) }
        var tickets: [(id: String, number: UInt64)] = []
        while let ticket = driver.state.beginDetails() { tickets.append(ticket) }
        #expect(tickets.map(\.id) == ["1", "2", "3", "4"])
        func finish(_ index: Int) -> [String] {
            driver.state.finishDetails(tickets[index].id, tickets[index].number, row(tickets[index].id), now: base)
                .compactMap {
                    if case .announce(let row, _) = $0 { row.id } else { nil }
                }
        }
        #expect(finish(1) == [])
        #expect(finish(0) == ["1", "2"])
        // The third fails once, and the others stop waiting for it.
        #expect(finish(3) == [])
        let effects = driver.state.retryDetails("3", tickets[2].number, now: base)
        #expect(effects.first == .announce(row("4"), catchUp: false))
        #expect(finish(2) == ["3"])
    }

    @Test func aFloodEndsInALoad() {
        var driver = loaded()
        for number in 0..<5000 { _ = driver.state.receive(.newNotification(id: "n\(number)"), now: base) }
        #expect(driver.state.isStale)
        var asked = 0
        while let (id, number) = driver.state.beginDetails() {
            asked += 1
            driver.effects += driver.state.finishDetails(id, number, row(id), now: base)
        }
        #expect(asked == Arrivals.capacity)
        _ = driver.takeEffects()
        driver.load([row("n4999"), row("n0")])
        driver.expect([.announce(row("n4999"), catchUp: true), .updated])
    }

    // MARK: Counts

    @Test func aCountUnderWayIsRepeatedWhenSomethingArrives() {
        var driver = loaded()
        let count = driver.state.beginCount()
        driver.news(row("N"))
        #expect(driver.meta.badge == 2)
        _ = driver.state.finish(count, .init(badge: 1), now: base)
        #expect(driver.state.wantsCount)
        driver.count(.init(badge: 2))
        #expect(driver.meta.badge == 2)
        #expect(!driver.state.wantsCount)
    }

    /// The count was answered after the notification was made, but before the event came: nobody can tell.
    @Test func newsShortlyAfterACountIsCountedAgain() {
        var driver = loaded()
        driver.count(.init(badge: 2))
        driver.news(row("N"))
        #expect(driver.meta.badge == 3)
        #expect(!driver.state.wantsCount)
        driver.now = Milliseconds(base.value + 400)
        driver.news(row("M"))
        #expect(driver.state.nextDeadline == Milliseconds(base.value + 1400))
        _ = driver.state.wake(now: Milliseconds(base.value + 1400))
        #expect(driver.state.wantsCount)
        driver.count(.init(badge: 3))
        driver.now = Milliseconds(base.value + 10_000)
        driver.news(row("L"))
        #expect(driver.state.nextDeadline == nil)
        #expect(driver.meta.badge == 4)
    }

    @Test func aCountAskedForLaterIncludesTheNews() {
        var driver = loaded()
        _ = driver.state.receive(.newNotification(id: "N"), now: base)
        driver.count(.init(badge: 2))
        driver.answerDetails([row("N")])
        #expect(driver.meta.badge == 2)
    }

    @Test func olderCountsAreDropped() {
        var driver = loaded()
        let (first, second) = (driver.state.beginCount(), driver.state.beginCount())
        _ = driver.state.finish(second, .init(badge: 5), now: base)
        _ = driver.state.finish(first, .init(badge: 4), now: base)
        #expect(driver.meta.badge == 5)
    }
}
