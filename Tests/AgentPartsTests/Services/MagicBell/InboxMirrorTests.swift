import Basics
import ClientKit
import Inbox
import MagicBell
import Testing

@testable import Agent

/// Single situations; `MirrorPropertyTests` combines them.
@Suite struct InboxMirrorTests {
    private static let now = Timestamp(milliseconds: 1_700_000_000_000)

    private static let missing = MagicBellError(.notFound, "The service does not know it.", status: 404)

    private static func row(_ id: String, second: Int64, category: String? = nil) -> InboxNotification {
        InboxNotification(id: id, title: id, category: category, sent: now.advanced(milliseconds: second * 1000))
    }

    /// An inbox that has loaded these rows, newest first; `beyond`: there are others.
    private static func loaded(
        _ rows: [InboxNotification],
        beyond: Bool = false,
        counts: StoreCounts? = nil
    ) throws -> InboxMirror {
        var inbox = InboxMirror(pageSize: 3)
        let request = try inbox.load(now: now)
        let counts = counts ?? StoreCounts(total: rows.count, unread: rows.count, unseen: rows.count)
        let page = StorePage(rows, counts: counts, next: beyond ? .page(2) : nil)
        #expect(inbox.finish(request, page, now: now) == nil)
        _ = inbox.takeReports()
        return inbox
    }

    private static func contents(_ events: [ServiceEvent]) -> [InboxUpdate] {
        events.compactMap { if case .contents(let update) = $0 { update } else { nil } }
    }

    private static func arrived(_ events: [ServiceEvent]) -> [[NotificationID]] {
        events.compactMap { if case .arrived(let rows, _) = $0 { rows.map(\.id) } else { nil } }
    }

    @Test("An event about a loaded notification changes it and the counts at once, without a request")
    func loadedNotification() throws {
        var inbox = try Self.loaded([Self.row("b", second: 2), Self.row("a", second: 1)])
        inbox.receive(.changed(id: "a", .read), now: Self.now)
        let update = try #require(Self.contents(inbox.takeReports()).first)
        #expect(update.changed.map(\.id) == ["a"] && update.changed.first?.read == Self.now)
        #expect(update.counts == Counts(unread: 1, unseen: 1, badge: 1, total: 2))
        inbox.receive(.changed(id: "a", .archived), now: Self.now)
        #expect(Self.contents(inbox.takeReports()).first?.removed == ["a"])
        #expect(inbox.beginSingle() == nil && inbox.loadTime == nil)
    }

    @Test("An echo that changes nothing reports no change") func echo() throws {
        var inbox = try Self.loaded([Self.row("a", second: 1)])
        #expect(inbox.finishAction(.read, on: "a", now: Self.now) == nil)
        _ = inbox.takeReports()
        inbox.receive(.changed(id: "a", .read), now: Self.now.advanced(milliseconds: 50))
        let updates = Self.contents(inbox.takeReports())
        #expect(updates.allSatisfy { $0.changed.isEmpty && $0.removed.isEmpty })
    }

    @Test("The late echo of a change that the user has changed again does not bring it back") func lateEcho() throws {
        var inbox = try Self.loaded([Self.row("a", second: 1)])
        for change in [StateChange.read, .unread] { #expect(inbox.finishAction(change, on: "a", now: Self.now) == nil) }
        _ = inbox.takeReports()
        let later = Self.now.advanced(milliseconds: 50)
        inbox.receive(.changed(id: "a", .read), now: later)
        #expect(inbox.rows["a"]?.isRead == false)
        // It may have been another client's.
        #expect(inbox.loadTime != nil)
        inbox.receive(.changed(id: "a", .unread), now: later)
        inbox.receive(.changed(id: "a", .read), now: later)
        #expect(inbox.rows["a"]?.isRead == true)
    }

    @Test("A change of another client after the echoes were lost is applied or loaded") func lostEchoes() throws {
        var inbox = try Self.loaded([Self.row("a", second: 1)])
        for change in [StateChange.read, .unread] { #expect(inbox.finishAction(change, on: "a", now: Self.now) == nil) }
        inbox.receive(.changed(id: "a", .unread), now: Self.now)
        inbox.receive(.changed(id: "a", .read), now: Self.now)
        #expect(inbox.rows["a"]?.isRead == true && inbox.loadTime == nil)
    }

    // MARK: Own changes of notifications that are not loaded

    /// An inbox whose notification "a" is not loaded.
    private static func beyond() throws -> InboxMirror {
        try loaded(
            [row("d", second: 4), row("c", second: 3)],
            beyond: true,
            counts: StoreCounts(total: 5, unread: 5, unseen: 5)
        )
    }

    @Test("After a check, an own change needs no request, and the counts are right at once") func witness() throws {
        var inbox = try Self.beyond()
        let check = inbox.beginCheck()
        inbox.finishCheck(check, Self.row("a", second: 1))
        inbox.beginAction(.read, on: "a")
        // Its event may come before its answer, which it does at MagicBell's own socket.
        inbox.receive(.changed(id: "a", .read), now: Self.now)
        #expect(inbox.finishAction(.read, on: "a", now: Self.now) == nil)
        #expect(inbox.beginSingle() == nil && inbox.loadTime == nil)
        var row = Self.row("a", second: 1)
        row.apply(.read, at: Self.now)
        let reports = inbox.takeReports()
        #expect(reports.contains(.updated(Notification(row))))
        #expect(Self.contents(reports).last?.counts == Counts(unread: 4, unseen: 4, badge: 4, total: 5))
        // And back.
        inbox.beginAction(.unread, on: "a")
        #expect(inbox.finishAction(.unread, on: "a", now: Self.now) == nil)
        inbox.receive(.changed(id: "a", .unread), now: Self.now)
        #expect(inbox.beginSingle() == nil && inbox.loadTime == nil)
        #expect(Self.contents(inbox.takeReports()).last?.counts.unread == 5)
    }

    @Test("An own change that a page may already have counted is not counted again") func countedByPage() throws {
        var inbox = try Self.beyond()
        let check = inbox.beginCheck()
        inbox.finishCheck(check, Self.row("a", second: 1))
        inbox.beginAction(.read, on: "a")
        inbox.becomeStale(at: Self.now)
        let counts = StoreCounts(total: 5, unread: 4, unseen: 4)
        let page = StorePage([Self.row("d", second: 4), Self.row("c", second: 3)], counts: counts, next: .page(2))
        let request = try inbox.load(now: Self.now)
        #expect(inbox.finish(request, page, now: Self.now) == nil && inbox.loadTime == nil)
        #expect(inbox.finishAction(.read, on: "a", now: Self.now) == nil)
        #expect(Self.contents(inbox.takeReports()).last?.counts.unread == 4)
        #expect(inbox.loadTime != nil, "the service says whether it has")
    }

    @Test("A check during which the notification changes has the change") func changedDuringCheck() throws {
        var inbox = try Self.beyond()
        let check = inbox.beginCheck()
        inbox.receive(.changed(id: "a", .read), now: Self.now)
        let request = try inbox.single()
        inbox.finishCheck(check, Self.row("a", second: 1))
        inbox.beginAction(.unread, on: "a")
        #expect(inbox.finishAction(.unread, on: "a", now: Self.now) == nil)
        inbox.finish(request, Self.row("a", second: 1), now: Self.now)
        #expect(Self.contents(inbox.takeReports()).last?.counts.unread == 6)
    }

    @Test("Without a check one request follows, whether the event or the answer came first", arguments: [false, true])
    func withoutCheck(isEventFirst: Bool) throws {
        var inbox = try Self.beyond()
        inbox.beginAction(.read, on: "a")
        if isEventFirst { inbox.receive(.changed(id: "a", .read), now: Self.now) }
        #expect(inbox.beginSingle() == nil)
        let performed = inbox.finishAction(.read, on: "a", now: Self.now)
        let request = try #require(performed)
        if !isEventFirst { inbox.receive(.changed(id: "a", .read), now: Self.now) }
        #expect(inbox.beginSingle() == nil)
        inbox.finish(own: request, Self.row("a", second: 1), now: Self.now)
    }

    @Test("After an own event that came before its answer, the same change of another client counts")
    func notAnEcho() throws {
        var inbox = try Self.beyond()
        inbox.beginAction(.read, on: "a")
        inbox.receive(.changed(id: "a", .read), now: Self.now)
        _ = inbox.finishAction(.read, on: "a", now: Self.now)
        inbox.receive(.changed(id: "a", .read), now: Self.now)
        let request = inbox.beginSingle()
        #expect(request?.id == "a")
    }

    @Test("An own change whose answer was lost is requested if its event came") func lostAnswer() throws {
        var inbox = try Self.beyond()
        inbox.beginAction(.read, on: "a")
        inbox.failAction(.read, on: "a", now: Self.now)
        #expect(inbox.beginSingle() == nil)
        inbox.beginAction(.read, on: "a")
        inbox.receive(.changed(id: "a", .read), now: Self.now)
        #expect(inbox.beginSingle() == nil)
        inbox.failAction(.read, on: "a", now: Self.now)
        let request = inbox.beginSingle()
        #expect(request?.id == "a")
    }

    @Test("An event about an older notification requests it, and the counts after a while") func olderNotification()
        throws
    {
        var inbox = try Self.loaded([Self.row("d", second: 4), Self.row("c", second: 3)], beyond: true)
        inbox.receive(.changed(id: "a", .read), now: Self.now)
        let request = try inbox.single()
        var row = Self.row("a", second: 1)
        row.apply(.read, at: Self.now)
        inbox.finish(request, row, now: Self.now)
        #expect(inbox.takeReports().contains(.updated(Notification(row))))
        #expect(inbox.loadTime == Self.now.advanced(milliseconds: InboxMirror.loadInterval))
    }

    @Test("A deleted notification is removed, loaded or not") func deletion() throws {
        var inbox = try Self.loaded([Self.row("c", second: 3), Self.row("b", second: 2)], beyond: true)
        inbox.receive(.deleted(id: "b"), now: Self.now)
        inbox.receive(.deleted(id: "a"), now: Self.now)
        #expect(Self.contents(inbox.takeReports()).flatMap(\.removed) == ["a", "b"])
    }

    @Test("A change during a request survives its older response") func olderResponse() throws {
        var inbox = try Self.loaded([Self.row("a", second: 1)])
        inbox.missedEvents()
        let request = try inbox.load(now: Self.now)
        inbox.receive(.changed(id: "a", .read), now: Self.now)
        let page = StorePage([Self.row("a", second: 1)], counts: StoreCounts(total: 1, unread: 1, unseen: 1))
        _ = inbox.finish(request, page, now: Self.now)
        let update = try #require(Self.contents(inbox.takeReports()).last)
        #expect(update.counts.unread == 0 && inbox.rows["a"]?.isRead == true)
    }

    @Test("What was sent after the user marked all stays as it is until the next page", arguments: [true, false])
    func sentAfterAll(isListedBefore: Bool) throws {
        let (old, new) = (Self.row("a", second: 1), Self.row("b", second: 9))
        var inbox = try Self.loaded([old])
        inbox.missedEvents()
        let request = try inbox.load(now: Self.now)
        let page = StorePage([new, old], counts: StoreCounts(total: 2, unread: 2, unseen: 2))
        if isListedBefore { _ = inbox.finish(request, page, now: Self.now) }
        inbox.finishActionOnAll(.seen, upTo: Self.now.advanced(milliseconds: 5_000), now: Self.now)
        if !isListedBefore { _ = inbox.finish(request, page, now: Self.now) }
        #expect(inbox.rows["a"]?.isSeen == true && inbox.rows["b"]?.isSeen == false)
        #expect(Self.contents(inbox.takeReports()).last?.counts.unseen == 1 && inbox.loadTime != nil)
    }

    @Test("A late answer to marking all as read withdraws no popup of what came before it") func lateAnswer() throws {
        var inbox = try Self.loaded([Self.row("b", second: 9), Self.row("a", second: 1)])
        inbox.finishActionOnAll(.read, upTo: Self.now.advanced(milliseconds: 5_000), now: Self.now)
        #expect(!inbox.takeReports().contains(.allRead))
        #expect(inbox.rows["a"]?.isRead == true && inbox.rows["b"]?.isRead == false)
    }

    @Test("A time that contradicts the service's order removes nothing", arguments: [0, -5_000, 50]) func wrongTime(
        second: Int64
    ) throws {
        var inbox = try Self.loaded([Self.row("b", second: 9), Self.row("a", second: 8)])
        inbox.missedEvents()
        let load = try inbox.load(now: Self.now)
        // The first one's time is in another unit; there are others after "c".
        let rows = [Self.row("wrong", second: second), Self.row("d", second: 12), Self.row("c", second: 11)]
        let counts = StoreCounts(total: 5, unread: 5, unseen: 5)
        var next = inbox.finish(load, StorePage(rows, counts: counts, next: .page(2)), now: Self.now)
        while let request = next {
            let all = rows + [Self.row("b", second: 9), Self.row("a", second: 8)]
            next = inbox.finish(request, StorePage(all, counts: counts), now: Self.now)
        }
        let updates = Self.contents(inbox.takeReports())
        #expect(updates.flatMap(\.removed) == [] && updates.flatMap(\.unloaded) == ["a", "b"])
        #expect(updates.last?.counts.unread == 5)
    }

    @Test("A last notification without a valid time does not make all others new") func invalidLastTime() throws {
        var inbox = InboxMirror(pageSize: 3)
        inbox.resume(after: DeliveryMarks(watermark: Self.row("a", second: 1).sent, shown: [:]), now: Self.now)
        let load = try inbox.load(now: Self.now)
        var invalid = Self.row("invalid", second: 0)
        invalid.sent = 0
        let first = [Self.row("d", second: 5), Self.row("c", second: 4), invalid]
        let counts = StoreCounts(total: 6, unread: 6, unseen: 6)
        let next = inbox.finish(load, StorePage(first, counts: counts, next: .page(2)), now: Self.now)
        let all = first + [Self.row("b", second: 3), Self.row("a", second: 1), Self.row("0", second: 0)]
        #expect(inbox.finish(try #require(next), StorePage(all, counts: counts), now: Self.now) == nil)
        let update = try #require(Self.contents(inbox.takeReports()).last)
        #expect(update.counts.unread == 6 && inbox.rows.count == 3)
    }

    @Test("A notification from the future on a further page is not counted twice") func futureOnAFurtherPage() throws {
        var inbox = InboxMirror(pageSize: 2)
        inbox.resume(after: DeliveryMarks(watermark: Self.row("a", second: 1).sent, shown: [:]), now: Self.now)
        let load = try inbox.load(now: Self.now)
        let first = [Self.row("d", second: 5), Self.row("c", second: 4)]
        let counts = StoreCounts(total: 4, unread: 4, unseen: 4)
        let next = inbox.finish(load, StorePage(first, counts: counts, next: .page(2)), now: Self.now)
        let all = first + [Self.row("future", second: 9_000_000), Self.row("a", second: 1)]
        #expect(inbox.finish(try #require(next), StorePage(all, counts: counts), now: Self.now) == nil)
        let reports = inbox.takeReports()
        #expect(Self.contents(reports).last?.counts.unread == 4)
        #expect(Self.arrived(reports).joined().contains("future"))
    }

    @Test("An event that all were read is believed as far as the list confirms it", arguments: [true, false])
    func allRead(isForAll: Bool) throws {
        var inbox = try Self.loaded([Self.row("b", second: 2, category: "ci"), Self.row("a", second: 1)])
        inbox.receive(.allRead, now: Self.now)
        #expect(!inbox.takeReports().contains(.allRead))
        let request = try inbox.load(now: Self.now)
        var rows = [Self.row("b", second: 2, category: "ci"), Self.row("a", second: 1)]
        rows[0].apply(.read, at: Self.now)
        if isForAll { rows[1].apply(.read, at: Self.now) }
        let unread = isForAll ? 0 : 1
        let page = StorePage(rows, counts: StoreCounts(total: 2, unread: unread, unseen: unread))
        _ = inbox.finish(request, page, now: Self.now)
        let reports = inbox.takeReports()
        #expect(reports.contains(.allRead) == isForAll)
        #expect(Self.contents(reports).last?.counts.unread == unread)
    }

    @Test("More events than the service allows requests are answered with pages") func burst() throws {
        var inbox = try Self.loaded([])
        for index in 0..<50 { inbox.receive(.created(id: "n\(index)"), now: Self.now) }
        var singles = 0
        while inbox.beginSingle() != nil { singles += 1 }
        #expect(singles == RowRequests<InboxNotification>.width)
        #expect(inbox.loadTime == Self.now.advanced(milliseconds: InboxMirror.loadInterval))
    }

    @Test("New notifications arrive in the order of their events, unless one is late") func order() throws {
        var inbox = try Self.loaded([])
        for id in ["a", "b", "c"] { inbox.receive(.created(id: id), now: Self.now) }
        let requests = [try inbox.single(), try inbox.single(), try inbox.single()]
        inbox.finish(requests[1], Self.row("b", second: 2), now: Self.now)
        #expect(Self.arrived(inbox.takeReports()).isEmpty)
        #expect(inbox.fail(requests[0], Self.missing, now: Self.now) == .milliseconds(300))
        #expect(Self.arrived(inbox.takeReports()) == [["b"]])
        inbox.finish(requests[2], Self.row("c", second: 3), now: Self.now)
        inbox.finish(requests[0], Self.row("a", second: 1), now: Self.now)
        #expect(Self.arrived(inbox.takeReports()) == [["c"], ["a"]])
        inbox.receive(.created(id: "a"), now: Self.now)
        #expect(inbox.beginSingle() == nil)
    }

    @Test("More than 200 notifications are not kept, and the oldest ones are unloaded, not removed") func bound() throws
    {
        var inbox = try Self.loaded([])
        var unloaded: Set<NotificationID> = []
        for index in 0..<1_000 {
            // One each two seconds: as single notifications.
            let now = Self.now.advanced(milliseconds: Int64(index) * 2_000)
            inbox.receive(.created(id: "n\(index)"), now: now)
            let request = try inbox.single()
            inbox.finish(request, Self.row("n\(index)", second: Int64(index) * 2), now: now)
            for update in Self.contents(inbox.takeReports()) {
                #expect(update.removed.isEmpty)
                unloaded.formUnion(update.unloaded)
            }
            #expect(inbox.rows.count <= InboxMirror.maximumRows)
        }
        #expect(inbox.rows.hasMore && unloaded.count == 1_000 - inbox.rows.count)
        #expect(inbox.counts.shown(of: inbox.rows).unread == 1_000)
    }

    @Test("Invalid times neither hide later notifications nor repeat one", arguments: [0, 4_102_444_800_000, .max])
    func invalidTimes(milliseconds: Int64) throws {
        var inbox = try Self.loaded([Self.row("a", second: 1)])
        var wrong = Self.row("wrong", second: 0)
        wrong.sent = Timestamp(milliseconds: milliseconds)
        inbox.receive(.created(id: "wrong"), now: Self.now)
        inbox.finish(try inbox.single(), wrong, now: Self.now)
        #expect(Self.arrived(inbox.takeReports()) == [["wrong"]])
        let later = Self.now.advanced(milliseconds: 60_000)
        inbox.missedEvents()
        let request = try inbox.load(now: later)
        let rows = [Self.row("new", second: 50), Self.row("a", second: 1), wrong].sorted { $0.sent > $1.sent }
        _ = inbox.finish(request, StorePage(rows, counts: StoreCounts(total: 3, unread: 3, unseen: 3)), now: later)
        let reports = inbox.takeReports()
        #expect(Self.arrived(reports) == [["new"]])
        #expect(reports.last == .caughtUp(Self.row("new", second: 50).sent))
    }

    @Test("A missed notification is new although an event says that it was taken out of the archive")
    func unarchivedWithoutArchive() throws {
        var inbox = try Self.loaded([Self.row("a", second: 1)])
        inbox.missedEvents()
        // Another client unarchived a notification that was not archived.
        inbox.receive(.changed(id: "new", .unarchived), now: Self.now)
        let later = Self.now.advanced(milliseconds: 60_000)
        let request = try inbox.load(now: later)
        let rows = [Self.row("new", second: 50), Self.row("a", second: 1)]
        _ = inbox.finish(request, StorePage(rows, counts: StoreCounts(total: 2, unread: 2, unseen: 2)), now: later)
        #expect(Self.arrived(inbox.takeReports()) == [["new"]])
    }

    @Test("What was taken out of the archive is not new", arguments: [true, false])
    func unarchived(missesEvents: Bool) throws {
        var inbox = try Self.loaded([Self.row("b", second: 2), Self.row("a", second: 1)])
        if missesEvents { inbox.missedEvents() }
        inbox.receive(.changed(id: "old", .unarchived), now: Self.now)
        if !missesEvents { inbox.missedEvents() }
        let later = Self.now.advanced(milliseconds: 60_000)
        let request = try inbox.load(now: later)
        // With a connection, it may be newer than all others: it was archived before the first load.
        let rows = [Self.row("old", second: missesEvents ? 2 : 3), Self.row("b", second: 2), Self.row("a", second: 1)]
        _ = inbox.finish(request, StorePage(rows, counts: StoreCounts(total: 3, unread: 3, unseen: 3)), now: later)
        #expect(Self.arrived(inbox.takeReports()) == [])
    }

    @Test("At the first start, a page of one second is followed to its end, so that a later one of it is new")
    func pageOfOneSecond() throws {
        var inbox = InboxMirror(pageSize: 3)
        let existing = ["d", "c", "b", "a"].map { Self.row($0, second: 5) } + [Self.row("old", second: 1)]
        let first = try inbox.load(now: Self.now)
        let counts = StoreCounts(total: 6, unread: 6, unseen: 6)
        var next = inbox.finish(
            first,
            StorePage(Array(existing.prefix(3)), counts: counts, next: .page(2)),
            now: Self.now
        )
        let second = try #require(next)
        #expect(second.size == PageRequest.scanSize && second.cursor == nil)
        next = inbox.finish(second, StorePage(existing, counts: counts, next: .page(2)), now: Self.now)
        #expect(next == nil)
        #expect(Self.arrived(inbox.takeReports()) == [])
        let later = Self.now.advanced(milliseconds: 60_000)
        inbox.missedEvents()
        let reload = try inbox.load(now: later)
        let rows = [Self.row("late", second: 5)] + existing
        _ = inbox.finish(reload, StorePage(rows, counts: StoreCounts(total: 7, unread: 7, unseen: 7)), now: later)
        #expect(Self.arrived(inbox.takeReports()) == [["late"]])
    }

    @Test("Of a page that takes minutes the first part is shown, what was missed in it arrives, and no row goes")
    func slowPage() throws {
        var inbox = try Self.loaded(["c", "b", "a"].enumerated().map { Self.row($1, second: 3 - Int64($0)) })
        inbox.missedEvents()
        let later = Self.now.advanced(milliseconds: 60_000)
        let load = try inbox.load(now: later)
        let rows = ["new", "c", "b", "a"].enumerated().map { Self.row($1, second: 4 - Int64($0)) }
        let counts = StoreCounts(total: 4, unread: 4, unseen: 4)
        inbox.show(StorePage(Array(rows.prefix(3)), counts: counts, next: .page(2)), of: load, now: later)
        let events = inbox.takeReports()
        let update = try #require(Self.contents(events).last)
        #expect(update.changed.map(\.id) == ["new"] && update.removed == [] && update.unloaded == [])
        #expect(!update.isComplete && Self.arrived(events) == [["new"]])
        #expect(inbox.finish(load, StorePage(rows, counts: counts), now: later) == nil)
        let after = inbox.takeReports()
        #expect(Self.arrived(after) == [] && Self.contents(after).last?.isComplete == true)
        #expect(Self.contents(after).allSatisfy { $0.changed.isEmpty && $0.unloaded.isEmpty })
    }

    @Test("What an outage hides arrives, although a page from before it comes after an event from after it")
    func pageOfBefore() throws {
        var inbox = try Self.loaded([Self.row("b", second: 2), Self.row("a", second: 1)])
        inbox.missedEvents()
        let later = Self.now.advanced(milliseconds: 60_000)
        let before = try inbox.load(now: later)
        inbox.missedEvents()
        inbox.receive(.created(id: "e"), now: later)
        let single = inbox.beginSingle()
        inbox.finish(try #require(single), Self.row("e", second: 9), now: later)
        let counts = StoreCounts(total: 2, unread: 2, unseen: 2)
        let page = StorePage([Self.row("b", second: 2), Self.row("a", second: 1)], counts: counts)
        #expect(inbox.finish(before, page, now: later) == nil)
        #expect(Self.arrived(inbox.takeReports()) == [["e"]])
        let rows = ["e", "d", "c"].enumerated().map { Self.row($1, second: 9 - Int64($0)) }
        let load = try inbox.load(now: later.advanced(milliseconds: 2_000))
        let next = inbox.finish(load, StorePage(rows, counts: counts, next: .page(2)), now: later)
        let all = StorePage(rows + [Self.row("lost", second: 3)] + page.notifications, counts: counts)
        #expect(inbox.finish(try #require(next), all, now: later) == nil)
        #expect(Self.arrived(inbox.takeReports()) == [["lost", "c", "d"]])
    }

    @Test("At the first start, the first part of a page that takes minutes is shown, and nothing of it arrives")
    func slowFirstPage() throws {
        var inbox = InboxMirror(pageSize: 3)
        let load = try inbox.load(now: Self.now)
        let rows = ["c", "b", "a"].enumerated().map { Self.row($1, second: 3 - Int64($0)) }
        let counts = StoreCounts(total: 3, unread: 3, unseen: 3)
        inbox.show(StorePage(Array(rows.prefix(2)), counts: counts, next: .page(2)), of: load, now: Self.now)
        let part = try #require(Self.contents(inbox.takeReports()).last)
        #expect(part.changed.map(\.id) == ["c", "b"] && part.hasMore && part.counts.unread == 3 && !part.isComplete)
        #expect(inbox.finish(load, StorePage(rows, counts: counts), now: Self.now) == nil)
        let events = inbox.takeReports()
        #expect(Self.contents(events).flatMap(\.changed).map(\.id) == ["a"] && Self.arrived(events) == [])
    }

    @Test("What moves to an earlier page during a load, because others left the inbox, is found")
    func shrinkingInbox() throws {
        var inbox = InboxMirror(pageSize: 3)
        inbox.resume(after: DeliveryMarks(watermark: 0), now: Self.now)
        let rows = ["d", "c", "b", "a"].enumerated().map { Self.row($1, second: -Int64($0)) }
        func page(_ rows: ArraySlice<InboxNotification>, total: Int, next: Int?) -> StorePage {
            let counts = StoreCounts(total: total, unread: total, unseen: total)
            return StorePage(Array(rows), counts: counts, next: next.map { .page($0) })
        }
        var request = try inbox.load(now: Self.now)
        for (answer, cursor) in [
            (page(rows[..<2], total: 4, next: 2), nil), (page(rows[..<2], total: 4, next: 2), .page(2)),
            // "d" was archived: "b" is on the first page now.
            (page(rows[3...], total: 3, next: nil), .page(1)), (page(rows[1..<3], total: 3, next: 2), .page(2)),
        ] as [(StorePage, InboxPageCursor?)] {
            let next = inbox.finish(request, answer, now: Self.now)
            request = try #require(next)
            #expect(request.cursor == cursor)
        }
        #expect(inbox.finish(request, page(rows[3...], total: 3, next: nil), now: Self.now) == nil)
        #expect(Self.arrived(inbox.takeReports()) == [["a", "b", "c", "d"]])
    }

    /// A notification of the second up to which everything counts as shown.
    @Test("What an event announces is new although a page shows it as old", arguments: EventTime.allCases)
    func eventOfAnOldSecond(_ time: EventTime) throws {
        var inbox = InboxMirror(pageSize: 3)
        let existing = [Self.row("b", second: 5), Self.row("a", second: 1)]
        inbox.resume(after: DeliveryMarks(watermark: existing[0].sent, shown: [:]), now: Self.now)
        let load = try inbox.load(now: Self.now)
        let new = Self.row("new", second: 5)
        if time != .afterThePage { inbox.receive(.created(id: "new"), now: Self.now) }
        let single = inbox.beginSingle()
        if time == .withItsAnswerFirst { inbox.finish(try #require(single), new, now: Self.now) }
        let counts = StoreCounts(total: 3, unread: 3, unseen: 3)
        #expect(inbox.finish(load, StorePage([new] + existing, counts: counts), now: Self.now) == nil)
        if time == .duringTheLoad { inbox.finish(try #require(single), new, now: Self.now) }
        if time == .afterThePage { inbox.receive(.created(id: "new"), now: Self.now) }
        #expect(Self.arrived(inbox.takeReports()) == [["new"]])
        inbox.receive(.created(id: "new"), now: Self.now)
        #expect(Self.arrived(inbox.takeReports()) == [] && inbox.beginSingle() == nil)
    }

    enum EventTime: CaseIterable { case duringTheLoad, withItsAnswerFirst, afterThePage }

    /// Otherwise another one of its second, sent after the agent ended, would count as shown.
    @Test("At the first start, what is being announced does not count as shown yet", arguments: [true, false])
    func announcedAtTheFirstStart(isListed: Bool) throws {
        var inbox = InboxMirror(pageSize: 3)
        let load = try inbox.load(now: Self.now)
        inbox.receive(.created(id: "new"), now: Self.now)
        let single = try inbox.single()
        let (old, new) = (Self.row("old", second: 1), Self.row("new", second: 5))
        let count = isListed ? 2 : 1
        let counts = StoreCounts(total: count, unread: count, unseen: count)
        let page = StorePage(isListed ? [new, old] : [old], counts: counts)
        #expect(inbox.finish(load, page, now: Self.now) == nil)
        let first = inbox.takeReports()
        inbox.finish(single, new, now: Self.now)
        let reports = first + inbox.takeReports()
        let times = reports.compactMap { if case .caughtUp(let newest) = $0 { newest } else { nil } }
        #expect(times == [old.sent, new.sent])
        #expect(Self.arrived(reports) == [["new"]])
    }

    @Test("What was sent in the second of a shown one, or since the first one, is new", arguments: [true, false])
    func secondOfAShownOne(hasWatermark: Bool) throws {
        var inbox = InboxMirror(pageSize: 3)
        let (shown, between) = (Self.row("shown", second: 5), Self.row("between", second: 5))
        let marks = DeliveryMarks(watermark: hasWatermark ? shown.sent : nil, shown: ["shown": shown.sent])
        inbox.resume(after: marks, now: Self.now)
        let load = try inbox.load(now: Self.now)
        let counts = StoreCounts(total: 3, unread: 3, unseen: 3)
        let page = StorePage([shown, between, Self.row("old", second: 1)], counts: counts)
        #expect(inbox.finish(load, page, now: Self.now) == nil)
        #expect(Self.arrived(inbox.takeReports()) == [["between"]])
    }

    @Test("The answer to a later attempt is newer than a list that came before it") func laterAttempt() throws {
        var inbox = try Self.loaded([Self.row("a", second: 1)])
        inbox.receive(.created(id: "n"), now: Self.now)
        let first = try inbox.single()
        #expect(inbox.fail(first, Self.missing, now: Self.now) == .milliseconds(300))
        let later = Self.now.advanced(milliseconds: 3_000)
        inbox.missedEvents()
        let request = try inbox.load(now: later)
        var row = Self.row("n", second: 2)
        let counts = StoreCounts(total: 2, unread: 2, unseen: 2)
        #expect(inbox.finish(request, StorePage([row, Self.row("a", second: 1)], counts: counts), now: later) == nil)
        let begun = inbox.beginAgain(first)
        let next = try #require(begun)
        row.apply(.read, at: later)
        inbox.finish(next, row, now: later)
        #expect(inbox.rows["n"]?.isRead == true)
        let ended = inbox.beginAgain(next)
        #expect(ended == nil)
    }

    @Test("A page whose counts changed between its parts is loaded again") func countsBetweenParts() throws {
        var inbox = InboxMirror(pageSize: 2)
        let request = try inbox.load(now: Self.now)
        let rows = [Self.row("b", second: 2), Self.row("a", second: 1)]
        let counts = StoreCounts(total: 3, unread: 3, unseen: 3)
        inbox.show(StorePage([rows[0]], counts: counts, next: .page(2)), of: request, now: Self.now)
        #expect(inbox.finish(request, StorePage(rows, counts: StoreCounts(), next: .page(2)), now: Self.now) == nil)
        let time = try #require(inbox.loadTime)
        let again = try inbox.load(now: time)
        #expect(inbox.finish(again, StorePage(rows, counts: counts, next: .page(2)), now: time) == nil)
        #expect(Self.contents(inbox.takeReports()).last?.counts.total == 3 && inbox.loadTime == nil)
    }

    @Test("A page that does not list a notification changed meanwhile is loaded again") func changedBeyondPage() throws
    {
        let counts = StoreCounts(total: 4, unread: 4, unseen: 4)
        let rows = ["d", "c", "b"].enumerated().map { Self.row($1, second: 4 - Int64($0)) }
        var inbox = try Self.loaded(rows, beyond: true, counts: counts)
        inbox.missedEvents()
        let request = try inbox.load(now: Self.now)
        #expect(inbox.finishAction(.read, on: "b", now: Self.now) == nil)
        let page = StorePage([Self.row("e", second: 5)] + rows.dropLast(), counts: counts, next: .page(2))
        #expect(inbox.finish(request, page, now: Self.now) == nil)
        #expect(inbox.loadTime != nil, "whether it counts the notification as unread is unknown")
    }

    @Test("A watermark in the future does not hide what is sent from now on", arguments: [1, 299, 3_000])
    func watermarkInTheFuture(second: Int64) throws {
        var inbox = InboxMirror(pageSize: 3)
        inbox.resume(after: DeliveryMarks(watermark: .latest, shown: [:]), now: Self.now)
        let later = Self.now.advanced(milliseconds: 3_600_000)
        let request = try inbox.load(now: later)
        let page = StorePage([Self.row("new", second: second)], counts: StoreCounts(total: 1, unread: 1, unseen: 1))
        _ = inbox.finish(request, page, now: later)
        #expect(Self.arrived(inbox.takeReports()) == [["new"]])
    }
}

extension InboxMirror {
    /// The request of a load, which has to begin.
    fileprivate mutating func load(now: Timestamp) throws -> PageRequest {
        let request = beginLoad(now: now)
        return try #require(request)
    }

    /// A request for a notification, which has to be due.
    fileprivate mutating func single() throws -> InboxMirror.SingleRequest {
        let request = beginSingle()
        return try #require(request)
    }
}
