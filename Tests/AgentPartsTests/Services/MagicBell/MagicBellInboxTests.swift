import Basics
import Inbox
import MagicBell
import ServiceModels
import TestSupport
import Testing

@testable import Agent

@Suite(.timeLimit(.minutes(5))) struct MagicBellInboxTests {
    private static let html = MagicBellError(.unexpectedAnswer, "The answer is a web page.", status: 502)

    @Test("What exists at the first start is listed, and does not arrive") func firstStart() async throws {
        let service = FakeMagicBell()
        for _ in 0..<8 { service.publish(sendingEvent: false) }
        service.advance(seconds: 10)
        try await FollowedAccount.with(service) { account in
            let update = try await account.contents { !$0.changed.isEmpty }
            #expect(update.changed.count == 5 && update.hasMore && update.isCounted)
            #expect(update.counts == Counts(unread: 8, unseen: 8, badge: 8, total: 8))
            try await account.caughtUp()
            let id = service.publish()
            let arrival = try await account.arrival()
            #expect(arrival.ids == [id] && !arrival.isCatchUp)
        }
    }

    @Test("A new notification is requested once, listed, then reported as arrived") func arrival() async throws {
        let service = FakeMagicBell()
        try await FollowedAccount.with(service) { account in
            try await account.caughtUp()
            let id = service.publish()
            let update = try await account.contents { !$0.changed.isEmpty }
            #expect(update.changed.map(\.id.rawValue) == [id] && update.counts.unread == 1)
            #expect(try await account.arrival().ids == [id])
            #expect(service.calls.filter { $0.hasPrefix("notification") } == ["notification \(id)"])
            #expect(service.calls.filter { $0.hasPrefix("page") }.count == 1)
        }
    }

    @Test("A burst is loaded with pages, and each of it arrives once, oldest first") func burst() async throws {
        let service = FakeMagicBell()
        try await FollowedAccount.with(service) { account in
            try await account.caughtUp()
            service.advance(seconds: 60)
            var published: [String] = []
            for _ in 0..<60 { published.append(service.publish()) }
            let arrived = try await account.passingTime(seconds: 2) { [count = published.count] in
                var arrived: [String] = []
                while arrived.count < count { arrived += try await account.arrival().ids }
                return arrived
            }
            #expect(arrived.sorted() == published && Set(arrived).count == 60)
            // The service allows 100 reads a minute.
            let reads = service.calls.filter { $0.hasPrefix("notification") || $0.hasPrefix("page") }
            #expect(reads.count <= InboxMirror.singleWindow.requests + 6, "\(reads)")
        }
    }

    @Test("What came during a lost connection arrives once after it, if it is neither seen nor read")
    func reconnect() async throws {
        let service = FakeMagicBell()
        let old = service.publish(sendingEvent: false)
        try await FollowedAccount.with(service) { account in
            try await account.caughtUp()
            service.send(.lost(MagicBellError(.unreachable, "The connection was lost."), nextAttempt: nil))
            #expect(try await account.connection(.offline).failure?.kind == .transient)
            service.advance(seconds: 60)
            let new = (0..<12).map { _ in service.publish(sendingEvent: false) }
            let seen = service.publish(sendingEvent: false)
            service.act(sendingEvent: false) { $0.change(seen, to: .seen, at: $1) }
            service.send(.connected(isContinuous: false))
            _ = try await account.connection(.online)
            let arrival = try await account.arrival()
            #expect(arrival.isCatchUp && arrival.ids == new)
            service.act { $0.change(old, to: .read, at: $1) }
            let update = try await account.passingTime(seconds: 2) {
                try await account.contents { $0.counts.unread == 13 }
            }
            #expect(update.counts.total == 14)
        }
    }

    @Test("After a restart, what was not shown arrives, and the rest does not") func restart() async throws {
        let service = FakeMagicBell()
        service.publish(sendingEvent: false)
        service.advance(seconds: 700)
        let marks = DeliveryMarks(watermark: service.now, shown: [:])
        service.advance(seconds: 5)
        let (shown, missed, read) = (
            service.publish(sendingEvent: false), service.publish(sendingEvent: false),
            service.publish(sendingEvent: false)
        )
        service.act(sendingEvent: false) { $0.change(read, to: .read, at: $1) }
        var known = marks
        known.add(NotificationID(shown), created: service.now)
        try await FollowedAccount.with(service, marks: known) { account in
            let arrival = try await account.arrival()
            #expect(arrival.ids == [missed] && arrival.isCatchUp)
        }
    }

    @Test("A refusal waits, says why, and a gateway's page does not lose anything") func failures() async throws {
        let service = FakeMagicBell()
        service.fail("page", Self.html)
        try await FollowedAccount.with(service) { account in
            let offline = try await account.connection(.offline)
            #expect(offline.failure?.sentence == "The answer is a web page." && offline.nextAttempt != nil)
            service.publish(sendingEvent: false)
            await account.passTime(seconds: 1)
            _ = try await account.connection(.online)
            service.fail("page", MagicBellError(.unauthorized, "The API key is wrong.", status: 401))
            service.send(.connected(isContinuous: false))
            let refused = try await account.connection(.unauthorized)
            #expect(refused.failure?.sentence.hasPrefix("The API key is wrong. Check the account's") == true)
            await account.inbox.reconnect()
            _ = try await account.connection(.online)
            #expect(service.reconnects == 1)
        }
    }

    @Test("A notification that the API lists later than its event arrives all the same") func lateRow() async throws {
        let service = FakeMagicBell()
        try await FollowedAccount.with(service) { account in
            try await account.caughtUp()
            service.send(.event(.created(id: "late")))
            await account.clock.sleeper(for: .milliseconds(300))
            service.publish("late", sendingEvent: false)
            account.clock.advance(by: .milliseconds(300))
            #expect(try await account.arrival().ids == ["late"])
        }
    }

    @Test("Each action of the user is sent once, and its effect is reported before it is confirmed") func actions()
        async throws
    {
        let service = FakeMagicBell()
        let ids = (0..<3).map { _ in service.publish(sendingEvent: false) }
        try await FollowedAccount.with(service) { account in
            try await account.caughtUp()
            let id = NotificationID(ids[0])
            func apply(_ change: Change) async throws {
                try await account.inbox.apply(TimestampedChange(change, at: service.now), isDelayed: false)
            }
            try await apply(.interacted(id))
            #expect(try await account.contents { !$0.changed.isEmpty }.counts.unread == 2)
            try await apply(.unread(id))
            #expect(try await account.contents { !$0.changed.isEmpty }.counts.unread == 3)
            try await apply(.archive(id))
            #expect(try await account.contents { !$0.removed.isEmpty }.counts.total == 2)
            try await apply(.unarchive(id))
            #expect(try await account.contents { !$0.changed.isEmpty }.counts.total == 3)
            try await apply(.delete(NotificationID(ids[1])))
            #expect(try await account.contents { !$0.removed.isEmpty }.counts.total == 2)
            try await apply(.badgeReset)
            #expect(try await account.contents { $0.counts.badge == 0 }.counts.unread == 2)
            try await apply(.allRead)
            #expect(try await account.contents { $0.counts.unread == 0 }.changed.count == 2)
            let sent = service.calls.filter { !$0.hasPrefix("page") && !$0.hasPrefix("notification") }
            let expected = ["read", "unread", "archived", "unarchived"].map { "\($0) \(ids[0])" }
            #expect(sent == expected + ["delete \(ids[1])", "all-seen", "all-read"])
            let failure = await #expect(throws: ServiceFailure.self) { try await apply(.read("absent")) }
            #expect(failure?.kind == .notFound)
            service.fail("archived", MagicBellError(.forbidden, "Not allowed.", status: 403))
            let refusal = await #expect(throws: ServiceFailure.self) { try await apply(.archive(id)) }
            #expect(refusal?.kind == .rejected)
        }
    }

    @Test("A change of an older notification is reported, also if its event never comes") func olderNotification()
        async throws
    {
        let service = FakeMagicBell()
        service.suppressEchoes()
        let oldest = service.publish(sendingEvent: false)
        service.advance(seconds: 1)
        for _ in 0..<6 { service.publish(sendingEvent: false) }
        try await FollowedAccount.with(service) { account in
            try await account.caughtUp()
            let change = TimestampedChange(.read(NotificationID(oldest)), at: service.now)
            try await account.inbox.apply(change, isDelayed: false)
            let updated = try await account.next { if case .updated(let row) = $0 { row } else { nil } }
            #expect(updated.id.rawValue == oldest && updated.read != nil)
            let update = try await account.passingTime(seconds: 2) {
                try await account.contents { $0.counts.unread == 6 }
            }
            #expect(update.counts.total == 7)
        }
    }

    @Test("A delayed change of all spares what is newer: one by one, or not at all if there is too much")
    func delayedChanges() async throws {
        let service = FakeMagicBell()
        let old = (0..<3).map { _ in service.publish(sendingEvent: false) }
        let time = service.now
        service.advance(seconds: 5)
        let new = service.publish(sendingEvent: false)
        try await FollowedAccount.with(service) { account in
            try await account.inbox.apply(TimestampedChange(.allRead, at: time), isDelayed: true)
            #expect(service.model.list(StorePredicate(read: false)).map(\.id) == [new])
            #expect(!service.calls.contains("all-read") && service.calls.contains("read \(old[0])"))
            // The badge cannot be limited to a time.
            try await account.inbox.apply(TimestampedChange(.badgeReset, at: time), isDelayed: true)
            #expect(!service.calls.contains("all-seen"))
            try await account.inbox.apply(TimestampedChange(.allRead, at: service.now), isDelayed: true)
            #expect(service.calls.contains("all-read"))
            service.advance(seconds: 5)
            for _ in 0..<60 { service.publish(sendingEvent: false) }
            let then = service.now
            service.advance(seconds: 5)
            service.publish(sendingEvent: false)
            let failure = await #expect(throws: ServiceFailure.self) {
                try await account.inbox.apply(TimestampedChange(.allRead, at: then), isDelayed: true)
            }
            #expect(failure?.kind == .rejected && failure?.sentence.hasSuffix("Mark all as read again.") == true)
            #expect(service.model.list(StorePredicate(read: false)).count == 61)
        }
    }

    @Test("Tabs are counted by the service when the newest part does not show them") func tabs() async throws {
        let service = FakeMagicBell()
        for index in 0..<9 {
            service.publish(sendingEvent: false, category: index < 4 ? "ci" : nil)
            service.advance(seconds: 1)
        }
        let tab = InboxTab(id: "ci", label: "CI", predicate: InboxPredicate(categories: ["ci"]))
        try await FollowedAccount.with(service, tabs: [tab]) { account in
            #expect(try await account.contents { $0.counts.tabs["ci"] == 4 }.counts.unread == 9)
            let page = try await account.inbox.page(of: tab.predicate, after: nil, size: 3, skipsTies: false)
            #expect(page.notifications.count == 3 && page.hasMore)
            let end = page.notifications.last.map { SortKey(of: $0) }
            let rest = try await account.inbox.page(of: tab.predicate, after: end, size: 3, skipsTies: true)
            #expect(rest.notifications.map(\.id) == ["n00001"] && !rest.hasMore)
            let tagged = InboxPredicate(tags: ["x"])
            let none = try await account.inbox.page(of: tagged, after: nil, size: 3, skipsTies: false)
            #expect(none == ViewPage([], hasMore: false))
        }
    }

    @Test("Of 320 notifications of one time, all are reached", arguments: [true, false])
    func sameTime(hasNumberedPages: Bool) async throws {
        let service =
            hasNumberedPages ? FakeMagicBell() : FakeMagicBell([.seen, .archiveAll])
        for _ in 0..<5 { service.publish(sendingEvent: false) }
        service.advance(seconds: 1)
        for _ in 0..<320 { service.publish(sendingEvent: false) }
        service.advance(seconds: 1)
        for _ in 0..<3 { service.publish(sendingEvent: false) }
        try await FollowedAccount.with(service) { account in
            // As the agent loads pages: after the last notification by its own order, repeating those of its time.
            var known: [NotificationID: Inbox.Notification] = [:]
            var end: SortKey?
            var hasMore = true
            for _ in 0..<12 where hasMore {
                let ties = known.values.count { $0.sortTime == end?.time }
                let page = try await account.inbox.page(of: .inbox, after: end, size: 40 + ties, skipsTies: false)
                #expect(page.notifications.contains { known[$0.id] == nil })
                for row in page.notifications { known[row.id] = row }
                end = known.values.map { SortKey(of: $0) }.max()
                hasMore = page.hasMore
            }
            #expect(known.count == 328 && !hasMore)
        }
    }

    @Test("A page begins after its place, although the previous one ended elsewhere in the same second")
    func placeInSecond() async throws {
        let service = FakeMagicBell([.seen, .archiveAll])
        for _ in 0..<6 { service.publish(sendingEvent: false) }
        try await FollowedAccount.with(service) { account in
            let page = try await account.inbox.page(of: .inbox, after: nil, size: 4, skipsTies: false)
            let end = page.notifications.map { SortKey(of: $0) }.max()
            let place = try #require(page.notifications.map { SortKey(of: $0) }.first { $0 != end })
            let rest = try await account.inbox.page(of: .inbox, after: place, size: 6, skipsTies: false)
            let order = service.model.list().map { NotificationID($0.id) }
            #expect(rest.notifications.map(\.id) == Array(order.drop { $0 != place.id }.dropFirst()))
        }
    }

    @Test("The user API has no deletion, but marks single notifications as seen") func userAPI() async throws {
        let service = FakeMagicBell([.seen, .archiveAll])
        let id = service.publish(sendingEvent: false)
        for _ in 0..<6 {
            service.advance(seconds: 1)
            service.publish(sendingEvent: false)
        }
        try await FollowedAccount.with(service) { account in
            #expect(account.inbox.capabilities.contains(.seen) && !account.inbox.capabilities.contains(.delete))
            // The service counts what is unread only.
            let update = try await account.contents { $0.counts.unread == 7 }
            #expect(update.counts.unseen == nil && update.counts.total == nil && update.counts.badge == 5)
            let seen = TimestampedChange(.seen([NotificationID(id)]), at: service.now)
            try await account.inbox.apply(seen, isDelayed: false)
            #expect(service.model.rows[id]?.isSeen == true)
            let place = SortKey(of: Inbox.Notification(service.model.list()[4]))
            let page = try await account.inbox.page(of: .inbox, after: place, size: 5, skipsTies: false)
            #expect(page.notifications.map(\.id) == ["n00002", "n00001"] && !page.hasMore)
        }
    }

    @Test("A suspended inbox is silent, and continues where it was") func suspension() async throws {
        let service = FakeMagicBell()
        try await FollowedAccount.with(service) { account in
            try await account.caughtUp()
            await account.inbox.suspend()
            _ = try await account.connection(.suspended)
            service.advance(seconds: 60)
            let missed = service.publish(sendingEvent: false)
            await account.inbox.reconnectNow()
            service.send(.connected(isContinuous: false))
            #expect(try await account.arrival().ids == [missed])
        }
    }

    @Test("Signing out deletes the token of the socket at the service, then here") func signOut() async throws {
        let kept = Mailbox<InboxTokenRegistration?>()
        let storage = InboxTokenStorage {
            InboxTokenRegistration(token: "kept", apiKey: "pk")
        } save: {
            kept.send($0)
        }
        let service = FakeMagicBell()
        service.fail("deleteInboxToken", Self.html)
        try await FollowedAccount.with(service, inboxTokens: storage) { account in
            await #expect(throws: ServiceFailure.self) { try await account.inbox.signOut() }
            try await account.inbox.signOut()
            let new = await kept.messages.next()
            #expect(new == .some(nil))
        }
        #expect(
            service.calls.filter { $0.hasPrefix("deleteInboxToken") }
                == Array(repeating: "deleteInboxToken kept", count: 2)
        )
        try await FollowedAccount.with { account in
            try await account.inbox.signOut()
            #expect(!account.service.calls.contains { $0.hasPrefix("deleteInboxToken") }, "none is registered")
        }
    }
}
