import Basics
import ClientKit
import Testing

@testable import SuprSend

/// The transitions of a feed, t1 to t14. t12 is the known mistake 20.
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

    @Test("A new notification is placed below the pinned ones and announced") func newUnpinned() {
        var driver = loaded()
        let new = row("N")
        driver.news(new)
        #expect(driver.ids == ["P", "N", "A", "B"])
        #expect(driver.meta.badge == 2)
        driver.expect([.report(.announced(new, catchUp: false)), .updated])
    }

    @Test("A new pinned notification is placed first") func newPinned() {
        var driver = loaded()
        driver.news(row("Q", pinned: true))
        #expect(driver.ids == ["Q", "P", "A", "B"])
    }

    @Test("A new notification is last when all others are pinned") func newBelowPinned() {
        var driver = StateDriver()
        driver.load([pinned])
        driver.news(row("N"))
        #expect(driver.ids == ["P", "N"])
    }

    @Test("A notification is counted in each store that it matches") func severalStores() {
        var driver = StateDriver([unread, promo])
        driver.load([])
        driver.news(row("N", category: "promo"))
        #expect(driver.ids == ["N"])
        #expect(driver.meta == .init(badge: 1, stores: ["Unread": 1, "Promo": 1]))
    }

    @Test("A notification of an inactive store is announced and counted, not listed") func inactiveStore() {
        var driver = StateDriver([promo, unread])
        driver.load([])
        _ = driver.takeEffects()
        driver.news(row("N"))
        #expect(driver.ids.isEmpty)
        #expect(driver.meta == .init(badge: 1, stores: ["Unread": 1, "Promo": 0]))
        driver.expect([.report(.announced(row("N"), catchUp: false)), .updated])
    }

    @Test("A notification that matches no store is neither announced nor counted") func noMatchingStore() {
        var driver = StateDriver([promo])
        driver.load([])
        _ = driver.takeEffects()
        driver.news(row("N"))
        driver.expect([.updated])
        #expect(driver.meta.badge == 0)
    }

    @Test("A notification read elsewhere leaves the store of unread ones") func readElsewhere() {
        var driver = StateDriver([unread])
        driver.load([a], counts: .init(badge: 1, stores: ["Unread": 1]))
        driver.update(row("A", age: 1000, read: base), counts: .init(badge: 1, stores: ["Unread": 0]))
        #expect(driver.ids.isEmpty)
        #expect(driver.meta == .init(badge: 1, stores: ["Unread": 0]))
    }

    @Test("A notification archived elsewhere leaves the list") func archivedElsewhere() {
        var driver = loaded()
        driver.update(row("A", age: 1000, archived: true))
        #expect(driver.ids == ["P", "B"])
        #expect(driver.state.data.pageInfo.total == 2)
    }

    @Test("A notification archived elsewhere enters the store of archived ones") func archiveStore() {
        var driver = StateDriver([.init(id: "Archived", query: .init(archived: true))])
        driver.load([])
        _ = driver.takeEffects()
        driver.update(row("A", archived: true))
        #expect(driver.ids == ["A"])
        driver.expect([.report(.changed(row("A", archived: true))), .updated])
    }

    @Test("Reading everything elsewhere clears the counts and empties the store of unread ones") func allReadElsewhere()
    {
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

    @Test("An expired notification is removed, and the counts are requested again") func expiry() {
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

    @Test("An expired notification belongs to the store of archived ones, and stays there") func expiredIsArchived() {
        var driver = StateDriver([.init(id: "Archived", query: .init(archived: true))])
        driver.load([row("E", archived: true, expiry: 1), row("F", age: 1000, expiry: 1)])
        #expect(driver.ids == ["E", "F"])
        #expect(driver.state.data.notifications.allSatisfy { $0.isArchived })
        #expect(driver.state.nextDeadline == nil, "nothing more happens to them")
        driver.update(row("G", age: 2000, expiry: 1))
        #expect(driver.ids == ["E", "F", "G"])
    }

    @Test("After a failed first load the status is error, until the next load succeeds") func firstLoadFails() throws {
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

    @Test("An action on a notification that is not loaded is accepted") func actionOnUnloadedRow() {
        var driver = loaded()
        #expect(throws: Never.self) { try driver.begin(.markAsSeen("elsewhere")) }
    }

    // MARK: Actions

    @Test("An answer requested before an action does not revert it") func staleAnswer() throws {
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

    /// Marked as read here, then as unread elsewhere, and the answer to our action comes last.
    @Test("Details that contradict an action are loaded again") func contradiction() throws {
        var driver = loaded()
        let number = try driver.begin(.markAsRead("A"))
        _ = driver.state.receive(.notificationUpdate(id: "A"), now: base)
        let ticket = try driver.ticket()
        _ = driver.state.finishDetails(ticket, a, now: base)
        _ = driver.state.finish(number, succeeded: true, now: base)
        #expect(driver.state.data.notifications[1].isRead)
        driver.answerDetails([a])
        #expect(!driver.state.data.notifications[1].isRead)
        #expect(throws: StateDriver.Nothing.self) { try driver.ticket() }
    }

    // MARK: Pages

    @Test("A page of a replaced list is requested again") func staleCursor() throws {
        var driver = StateDriver()
        driver.load([a], hasMore: true)
        let next = try driver.state.beginNextPage()
        driver.load([row("N"), a], hasMore: true)
        do {
            let fit = driver.state.finish(next, .success(.init(rows: [b])), now: base).outcome
            #expect(fit == .outdated)
        }
        #expect(driver.ids == ["N", "A"])
    }

    @Test("At most maximumRows notifications are kept") func maximumRows() {
        var driver = StateDriver(maximumRows: 20)
        driver.load((0..<20).map { row("old\($0)", age: 10_000 + Int64($0)) })
        for number in 0..<100 { driver.news(row("n\(number)", age: 1000 - Int64(number))) }
        #expect(driver.ids.count == 20)
        #expect(driver.ids.first == "n99")
        #expect(driver.state.data.pageInfo.hasMore)
        #expect(throws: SuprSendError.self) { try driver.state.beginNextPage() }
    }

    // MARK: Gaps

    @Test("The first load announces no notifications") func firstLoad() {
        var driver = StateDriver()
        driver.state.joined(recovered: false, now: base)
        driver.load([a, b])
        driver.expect([.updated])
        #expect(!driver.state.isStale)
    }

    @Test("A row that failed to load is announced later") func missingRow() throws {
        var driver = loaded()
        // The newer one is announced, so the pendingAnnouncements one is older than the newest row known.
        _ = driver.state.receive(.newNotification(id: "pendingAnnouncements"), now: base)
        let ticket = try driver.ticket()
        driver.fail(ticket)
        driver.news(row("N"))
        for _ in 1...3 { driver.fail(ticket) }
        #expect(driver.state.isStale)
        _ = driver.takeEffects()
        driver.load([pinned, row("N"), row("pendingAnnouncements", age: 800), a, b])
        driver.expect([.report(.announced(row("pendingAnnouncements", age: 800), catchUp: true)), .updated])
    }

    @Test("The answer to a later attempt is newer than a list that came before it") func laterAttempt() throws {
        var driver = loaded()
        _ = driver.state.receive(.newNotification(id: "N"), now: base)
        let first = try driver.ticket()
        driver.fail(first)
        driver.load([pinned, row("N"), a, b])
        let begun = driver.state.beginDetailsAgain(first)
        let next = try #require(begun)
        _ = driver.state.finishDetails(next, row("N", read: base), now: base)
        #expect(driver.state.rows.row("N")?.read == base)
        let ended = driver.state.beginDetailsAgain(next)
        #expect(ended == nil)
    }

    /// As when the token is refused at the start, and replaced later.
    @Test("A row that failed to load before the first list is announced with it, also if it is the newest one")
    func missingRowBeforeFirstList() {
        var driver = StateDriver()
        _ = driver.state.receive(.newNotification(id: "N"), now: base)
        driver.answerDetails([])
        driver.load([row("N"), a, b])
        driver.expect([.updated, .report(.announced(row("N"), catchUp: true)), .updated])
    }

    @Test("A row that fails to load after the first list contained it is announced with the next one")
    func missingRowAfterFirstList() throws {
        var driver = StateDriver()
        _ = driver.state.receive(.newNotification(id: "N"), now: base)
        let ticket = try driver.ticket()
        driver.load([row("N"), a, b])
        driver.expect([.updated])
        _ = driver.state.failDetails(ticket, SuprSendError(.rejected, "no"), now: base)
        driver.load([row("N"), a, b])
        driver.expect([.report(.announced(row("N"), catchUp: true)), .updated])
    }

    @Test("The catch-up includes the other stores") func otherStores() throws {
        var driver = StateDriver([promo, unread])
        driver.load([])
        var scan = try #require(driver.state.scans().first)
        #expect(driver.state.scans().map(\.store) == [unread])
        driver.effects = driver.state.proceed(&scan, .init(rows: [a]), now: base)
        driver.expect([])
        #expect(scan.call == nil)
        scan = try #require(driver.state.scans().first)
        driver.effects = driver.state.proceed(&scan, .init(rows: [row("N"), a]), now: base)
        driver.expect([.report(.announced(row("N"), catchUp: true))])
    }

    /// More was missed than a page shows: the walk goes on until it meets what was known, also after a failure in the
    /// middle.
    @Test("The catch-up after a long absence is complete") func longAbsence() throws {
        var driver = StateDriver()
        driver.state.resume(after: base, announced: ["5"])
        let rows = (1...9).map { row("\($0)", age: Int64(-10 * $0)) }
        driver.load([rows[8], rows[7]], hasMore: true)
        driver.expect([
            .report(.announced(rows[7], catchUp: true)), .report(.announced(rows[8], catchUp: true)), .updated,
        ])
        let first = NotificationPage(rows: [rows[8], rows[7], rows[6]], hasMore: true)
        var abandoned = try #require(driver.state.scans().first)
        driver.effects = driver.state.proceed(&abandoned, first, now: base)
        driver.expect([.report(.announced(rows[6], catchUp: true))])
        var scan = try #require(driver.state.scans().first)
        driver.effects = driver.state.proceed(&scan, first, now: base)
        driver.expect([])
        let firstOfSecond = scan.call
        let last = [rows[6], rows[5], rows[4], rows[3], rows[2], rows[1], rows[0], row("old", age: 10)]
        driver.effects = driver.state.proceed(&scan, .init(rows: last, hasMore: true), now: base)
        driver.expect([0, 1, 2, 3, 5].map { .report(.announced(rows[$0], catchUp: true)) })
        #expect(scan.call == nil)
        #expect(driver.state.scans().isEmpty)
        // Rows of one millisecond are on both sides of a page's end.
        guard case .list(_, _, let cursor)? = firstOfSecond else {
            Issue.record("no further page")
            return
        }
        #expect(cursor?.created == Timestamp(milliseconds: rows[6].created.milliseconds + 1))
    }

    @Test("A notification that has expired is neither announced nor counted") func expiredArrival() {
        var driver = loaded()
        driver.news(row("N", expiry: 1))
        driver.expect([.updated])
        #expect(driver.meta.badge == 1)
    }

    // MARK: Order and amount

    @Test("Announcements have the order of their events, and a retry delays no others") func announcementOrder() throws
    {
        var driver = loaded()
        for id in ["1", "2", "3", "4", "5", "6"] { _ = driver.state.receive(.newNotification(id: id), now: base) }
        var tickets: [FeedState.DetailRequest] = []
        while let ticket = driver.state.beginDetails() { tickets.append(ticket) }
        #expect(tickets.map(\.id) == ["1", "2", "3", "4"])
        func finish(_ index: Int) -> [String] {
            driver.state.finishDetails(tickets[index], row(tickets[index].id), now: base)
                .compactMap {
                    if case .report(.announced(let row, _)) = $0 { row.id } else { nil }
                }
        }
        #expect(finish(1) == [])
        #expect(finish(0) == ["1", "2"])
        // The third fails once, and the others stop waiting for it.
        #expect(finish(3) == [])
        driver.effects = []
        driver.fail(tickets[2])
        #expect(driver.takeEffects().first == .report(.announced(row("4"), catchUp: false)))
        #expect(finish(2) == ["3"])
    }

    @Test("A flood of events requests a limited number of details, then the list") func floodOfEvents() {
        var driver = loaded()
        for number in 0..<5000 { _ = driver.state.receive(.newNotification(id: "n\(number)"), now: base) }
        #expect(driver.state.isStale)
        var asked = 0
        while let request = driver.state.beginDetails() {
            asked += 1
            driver.effects += driver.state.finishDetails(request, row(request.id), now: base)
        }
        #expect(asked == FeedState.detailCapacity)
        _ = driver.takeEffects()
        driver.load([row("n4999"), row("n0")])
        driver.expect([.report(.announced(row("n4999"), catchUp: true)), .updated])
    }

    // MARK: Counts

    @Test("A count in flight is repeated after an arrival") func countDuringArrival() {
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

    @Test("An answer that may lack a local change does not revert the counts", arguments: [true, false])
    func aCountBesideAnAction(isConfirmedFirst: Bool) throws {
        var driver = StateDriver([unread])
        driver.load([a, b], counts: .init(badge: 2, stores: ["Unread": 2]))
        let count = driver.state.beginCount()
        let action = try driver.begin(.markAsRead("A"))
        #expect(driver.meta.stores == ["Unread": 1])
        let late = NotificationCounts(badge: 2, stores: ["Unread": 2])
        if isConfirmedFirst {
            _ = driver.state.finish(action, succeeded: true, now: base)
            _ = driver.state.finish(count, late, now: base)
        } else {
            _ = driver.state.finish(count, late, now: base)
            #expect(driver.meta.stores == ["Unread": 1])
            // Counts that are requested now could not be shown, either.
            #expect(!driver.state.wantsCount)
            _ = driver.state.finish(action, succeeded: true, now: base)
        }
        #expect(driver.meta.stores == ["Unread": 1])
        #expect(driver.state.wantsCount)
        driver.count(.init(badge: 2, stores: ["Unread": 1]))
        #expect(driver.meta.stores == ["Unread": 1])
        #expect(!driver.state.wantsCount)
    }

    /// As by the agent, which shows pending actions itself.
    @Test("A count that was answered during an action may include it, so it is repeated", arguments: [true, false])
    func aCountDuringAnUnshownAction(isIncluded: Bool) throws {
        var driver = StateDriver([unread])
        driver.load([a, b], counts: .init(badge: 2, stores: ["Unread": 2]))
        let action = try driver.beginUnshown(.markAsRead("A"))
        driver.count(.init(badge: 2, stores: ["Unread": isIncluded ? 1 : 2]))
        #expect(!driver.state.wantsCount)
        _ = driver.state.finish(action, succeeded: true, now: base)
        #expect(driver.state.wantsCount)
        driver.count(.init(badge: 2, stores: ["Unread": 1]))
        #expect(driver.meta.stores == ["Unread": 1] && !driver.state.wantsCount)
        // Without a count meanwhile, the effect is known.
        let other = try driver.beginUnshown(.markAsRead("B"))
        _ = driver.state.finish(other, succeeded: true, now: base)
        #expect(driver.meta.stores == ["Unread": 0] && !driver.state.wantsCount)
    }

    /// The count may include the notification: its answer arrived before the event.
    @Test("An arrival shortly after a count repeats the count")
    func arrivalAfterCount() {
        var driver = loaded()
        driver.count(.init(badge: 2))
        driver.news(row("N"))
        #expect(driver.meta.badge == 3)
        #expect(!driver.state.wantsCount)
        driver.now = Timestamp(milliseconds: base.milliseconds + 400)
        driver.news(row("M"))
        #expect(driver.state.nextDeadline == Timestamp(milliseconds: base.milliseconds + 1400))
        _ = driver.state.wake(now: Timestamp(milliseconds: base.milliseconds + 1400))
        #expect(driver.state.wantsCount)
        driver.count(.init(badge: 3))
        driver.now = Timestamp(milliseconds: base.milliseconds + 10_000)
        driver.news(row("L", age: -10_000))
        #expect(driver.state.nextDeadline == nil)
        #expect(driver.meta.badge == 4)
        #expect(!driver.state.wantsCount)
    }

    @Test("A late event of a notification that the last count may include repeats the count") func lateEvent() {
        var driver = loaded()
        driver.now = Timestamp(milliseconds: base.milliseconds + 60_000)
        driver.count(.init(badge: 3))
        driver.now = Timestamp(milliseconds: base.milliseconds + 90_000)
        driver.news(row("N", age: -59_000))
        #expect(driver.meta.badge == 4)
        #expect(driver.state.wantsCount)
        driver.count(.init(badge: 3))
        #expect(driver.meta.badge == 3)
    }

    /// It was announced before the badge was cleared, and its details come after.
    @Test("Arrivals before a reset of the badge are not counted", arguments: [RealtimeEvent.badgeReset, .allRead])
    func arrivalBeforeReset(event: RealtimeEvent) throws {
        var driver = loaded()
        _ = driver.state.receive(.newNotification(id: "N"), now: base)
        let ticket = try driver.ticket()
        _ = driver.state.receive(event, now: base)
        _ = driver.state.finishDetails(ticket, row("N"), now: base)
        #expect(driver.state.wantsCount)
        driver.count(.init(badge: 0))
        #expect(driver.meta.badge == 0)
    }

    @Test("Replayed events repeat the count") func replayedEvents() {
        var driver = loaded()
        driver.count(.init(badge: 2))
        driver.now = Timestamp(milliseconds: base.milliseconds + 60_000)
        driver.state.joined(recovered: true, now: driver.now)
        driver.news(row("N"))
        driver.effects = driver.state.wake(now: Timestamp(milliseconds: base.milliseconds + 61_000))
        #expect(driver.state.wantsCount)
    }

    @Test("A failed count is repeated with the next list") func failedCount() {
        var driver = loaded()
        driver.count(nil)
        #expect(driver.state.isStale)
        driver.load([pinned, a, b])
        #expect(!driver.state.isStale)
    }

    @Test("A count requested after an arrival includes it") func laterCount() {
        var driver = loaded()
        _ = driver.state.receive(.newNotification(id: "N"), now: base)
        driver.count(.init(badge: 2))
        driver.answerDetails([row("N")])
        #expect(driver.meta.badge == 2)
    }

    @Test("A notification that a list announces between its event and its details is counted")
    func announcedDuringDetails() throws {
        var driver = loaded()
        let later = base.advanced(milliseconds: 5_000)
        _ = driver.state.receive(.newNotification(id: "N"), now: later)
        let ticket = try driver.ticket()
        let load = driver.state.beginRefresh(isQuiet: true)
        #expect(driver.finish(load, .init(rows: [pinned, row("N"), a, b])) == .applied)
        driver.expect([.report(.announced(row("N"), catchUp: true)), .updated])
        _ = driver.state.finishDetails(ticket, row("N"), now: later)
        #expect(driver.state.wantsCount)
        driver.count(.init(badge: 2))
        #expect(driver.meta.badge == 2)
    }
}
