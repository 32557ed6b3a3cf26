import Testing

@testable import SuprSend

/// Anything may happen in any order, and answers may take any time: the feed holds together, and agrees with the service in the end.
@Suite struct FeedPropertyTests {
    private enum Answer {
        case page(FeedState.Load, NotificationPage?)
        case count(FeedState.Count, NotificationCounts?)
        case details(id: String, number: UInt64, FeedNotification?)
        case action(UInt64, Bool)
    }

    /// The service, as far as it matters here. Badge: rows made since the last reset; a store counts its unread rows.
    private struct Server {
        var rows: [String: FeedNotification] = [:]
        var made: Int64 = 0
        var openedAt: Int64 = 0

        func page(_ query: NotificationStore.Query, _ call: FeedCall) -> NotificationPage {
            guard case .list(let size, _, let cursor) = call else { return .init(rows: []) }
            let all = rows.values.filter(query.matches).sorted { $0.precedes($1) }
            let rest = all.filter { row in
                guard let cursor else { return true }
                return row.isPinned == cursor.isPinned ? row.created < cursor.created : cursor.isPinned
            }
            return .init(rows: Array(rest.prefix(size)), total: all.count, hasMore: rest.count > size)
        }

        func counts(_ stores: [NotificationStore]) -> NotificationCounts {
            let badge = rows.values.count { $0.created.value > base.value + openedAt }
            let pairs = stores.map { store in (store.id, rows.values.count { !$0.isRead && store.query.matches($0) }) }
            return .init(badge: badge, stores: Dictionary(uniqueKeysWithValues: pairs))
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>) func holdsTogether(seed: UInt64) throws {
        var chance = SeededGenerator(state: seed)
        let stores = [
            NotificationStore(id: "All"), NotificationStore(id: "Unread", query: .init(read: false)),
            NotificationStore(id: "Promo", query: .init(categories: ["promo"])),
        ]
        var state = FeedState(pageSize: 5, stores: stores, maximumRows: 40)
        var server = Server()
        var waiting: [Answer] = []
        var announced: Set<String> = []
        var now = base

        func check(_ effects: [FeedState.Effect]) {
            for case .announce(let row, _) in effects {
                #expect(announced.insert(row.id).inserted, "\(row.id) twice")
                #expect(!row.isExpired(at: now))
            }
            let data = state.data
            #expect(Set(data.notifications.map(\.id)).count == data.notifications.count)
            #expect(zip(data.notifications, data.notifications.dropFirst()).allSatisfy { $0.precedes($1) })
            #expect(data.notifications.allSatisfy(data.store.query.matches))
            #expect(data.notifications.count <= 40)
            #expect(data.meta.badge >= 0 && data.meta.stores.values.allSatisfy { $0 >= 0 })
            #expect(data.pageInfo.total >= data.notifications.count)
        }

        func ask(_ load: FeedState.Load, fails: Bool) {
            waiting.append(.page(load, fails ? nil : server.page(load.store.query, load.call)))
        }

        func answer(_ index: Int) {
            switch waiting.remove(at: index) {
            case .page(let load, let page?): check(state.finish(load, .success(page), now: now).effects)
            case .page(let load, nil):
                check(state.finish(load, .failure(SuprSendError(.serverFailure, "no")), now: now).effects)
            case .count(let count, let counts): check(state.finish(count, counts, now: now))
            case .details(let id, let number, let row): check(state.finishDetails(id, number, row, now: now))
            case .action(let number, let succeeded): check(state.finish(number, succeeded: succeeded, now: now))
            }
        }

        func work() {
            while let (id, number) = state.beginDetails() {
                waiting.append(.details(id: id, number: number, server.rows[id]))
            }
            if state.wantsCount { waiting.append(.count(state.beginCount(), server.counts(stores))) }
        }

        for _ in 0..<300 {
            now = Milliseconds(now.value + Int64.random(in: 0...50, using: &chance))
            let fails = Int.random(in: 0..<8, using: &chance) == 0
            let some = server.rows.keys.sorted().randomElement(using: &chance)
            switch Int.random(in: 0..<22, using: &chance) {
            case 0...5:
                server.made += 1
                var new = row(
                    "n\(server.made)",
                    age: -server.made,
                    pinned: Int.random(in: 0..<9, using: &chance) == 0,
                    category: Bool.random(using: &chance) ? "promo" : "system"
                )
                if Int.random(in: 0..<9, using: &chance) == 0 { new.expiry = Milliseconds(now.value + 400) }
                server.rows[new.id] = new
                // Now and then the event is lost, or comes twice.
                for _ in 0..<[0, 1, 1, 1, 2].randomElement(using: &chance)! {
                    check(state.receive(.newNotification(id: new.id), now: now))
                }
            case 6: if let some { check(state.receive(.notificationUpdate(id: some), now: now)) }
            case 7:
                if let some {
                    let isRead = server.rows[some]?.isRead == true
                    server.rows[some]?.read = isRead ? nil : now
                    if !fails { check(state.receive(.notificationUpdate(id: some), now: now)) }
                }
            case 8: check(state.receive(.allRead, now: now))
            case 9: check(state.receive(.badgeReset, now: now))
            case 10: check(state.receive(.seen(ids: some.map { [$0] } ?? []), now: now))
            case 11: if let load = try? state.beginFetch() { ask(load, fails: fails) }
            case 12: if let load = try? state.beginNextPage() { ask(load, fails: fails) }
            case 13: ask(state.beginRefresh(isQuiet: Bool.random(using: &chance)), fails: fails)
            case 14:
                if let load = try? state.changeStore(stores.randomElement(using: &chance)!.id) {
                    ask(load, fails: fails)
                }
            case 15...17:
                guard let some else { break }
                let actions: [FeedAction] = [
                    .markAsRead(some), .markAsUnread(some), .markAsSeen(some), .markAsInteracted(some),
                    .markAsArchived(some),
                    .markAllAsRead, .resetBadgeCount, .markBulkAsSeen([some]),
                ]
                let action = actions.randomElement(using: &chance)!
                if let (number, effects) = state.begin(action, now: now) {
                    check(effects)
                    if !fails, case .markAsRead = action { server.rows[some]?.read = now }
                    if !fails, case .markAsArchived = action { server.rows[some]?.isArchived = true }
                    waiting.append(.action(number, !fails))
                }
            case 18: check(state.wake(now: now))
            case 19: state.joined(recovered: Bool.random(using: &chance))
            case 20: if Int.random(in: 0..<10, using: &chance) == 0 { state.suspend() }
            default: work()
            }
            if !waiting.isEmpty, Bool.random(using: &chance) { answer(waiting.indices.randomElement(using: &chance)!) }
        }

        // Quiet at last: everything is answered, and the list is loaded after a join.
        while !waiting.isEmpty {
            work()
            answer(0)
        }
        check(state.wake(now: now))
        server.rows = server.rows.filter { !$0.value.isExpired(at: now) }
        state.joined(recovered: false)
        // A row that cannot be had any more asks for one load more.
        for _ in 0..<3 where state.isStale {
            ask(state.beginRefresh(isQuiet: true), fails: false)
            waiting.append(.count(state.beginCount(), server.counts(stores)))
            while !waiting.isEmpty {
                answer(waiting.count - 1)
                work()
            }
        }
        let truth = server.rows.values.filter(state.data.store.query.matches).sorted { $0.precedes($1) }
        #expect(!state.isStale)
        #expect(!state.data.notifications.isEmpty || truth.isEmpty)
        #expect(state.data.notifications == Array(truth.prefix(state.data.notifications.count)))
        #expect(state.data.pageInfo.hasMore || state.data.notifications.count == truth.count)
        #expect(state.data.meta == .init(badge: server.counts(stores).badge, stores: server.counts(stores).stores))
    }
}
