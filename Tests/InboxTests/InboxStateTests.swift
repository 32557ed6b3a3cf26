import Basics
import Inbox
import SeededRandom
import Testing

@Suite struct InboxStateTests {
    private static let rules = ServiceRules(interactedIsRead: true, readIsSeen: true)
    private static let unread = InboxPredicate(read: false)

    private static func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    /// A notification whose id is the time of its creation.
    private static func notification(
        _ id: Int64,
        read: Int64? = nil,
        archived: Bool = false,
        category: String = "a",
        tags: [String] = []
    ) -> Notification {
        Notification(
            id: NotificationID("\(id)"),
            category: category,
            tags: tags,
            created: at(id),
            read: read.map(at),
            isArchived: archived
        )
    }

    private static func state(
        _ notifications: [Notification],
        counts: Counts = Counts(),
        tabs: [InboxTab] = [],
        hasMore: Bool = false,
        rules: ServiceRules = rules
    ) -> InboxState {
        var state = InboxState(tabs: tabs, rules: rules)
        _ = state.receive(InboxUpdate(changed: notifications, counts: counts, hasMore: hasMore))
        return state
    }

    private func entry(_ number: Int64, _ change: Change, at time: Int64 = 5) -> InboxState.Entry {
        .init(number: number, change: TimestampedChange(change, at: Self.at(time)))
    }

    private func ids(_ state: InboxState, _ predicate: InboxPredicate = .inbox) -> [String] {
        var state = state
        return state.list(predicate).map(\.id.rawValue)
    }

    @Test("A report without anything loaded makes nothing known") func nothingLoaded() {
        var state = InboxState(rules: Self.rules)
        #expect(state.receive(InboxUpdate(isCounted: false, isComplete: false)) == [] && !state.isKnown)
        _ = state.receive(InboxUpdate(isComplete: true))
        #expect(state.isKnown)
    }

    @Test("Snoozed ones that are unread are counted by tab, each once") func hiddenUnread() {
        let tab = InboxTab(id: "a", label: "A", predicate: InboxPredicate(categories: ["a"]))
        let other = InboxTab(id: "b", label: "B", predicate: InboxPredicate(categories: ["b"]))
        let loaded = [Self.notification(1), Self.notification(2, category: "b"), Self.notification(3, read: 5)]
        var state = Self.state(loaded, tabs: [tab, other], hasMore: true)
        #expect(state.hiddenUnread == [:])
        func snooze(_ wasRead: Bool) -> Snoozes.Snooze { .init(until: Self.at(99), wasRead: wasRead) }
        _ = state.snooze(["1": snooze(false), "2": snooze(false), "3": snooze(true)])
        #expect(state.hiddenUnread == [nil: 2, 0: 1, 1: 1])
        // Those that are not loaded are in no tab.
        _ = state.snooze(["8": snooze(false), "9": snooze(true)])
        #expect(state.hiddenUnread == [nil: 3, 0: 1, 1: 1])
        _ = state.add(entry(1, .read("1")))
        #expect(state.hiddenUnread == [nil: 2, 1: 1])
        _ = state.snooze(["2": nil])
        #expect(state.hiddenUnread == [nil: 1])
    }

    private static func mute(
        _ category: String,
        _ field: RuleConditions.Field = .category,
        isCounted: Bool = false
    ) throws -> InboxRules {
        var effects = RuleEffects()
        (effects.isMuted, effects.countsInBadge) = (true, isCounted)
        let rule = Rule(RuleConditions([.init(field, [try TextPattern(category)])]), effects)
        return InboxRules(Rules([rule]), of: "a", localTime: WeeklyHours.LocalTime.init(utc:))
    }

    @Test("Muted ones are marked and left out of the badge, loaded or not, together with snoozed ones once")
    func muted() throws {
        let tab = InboxTab(id: "b", label: "B", predicate: InboxPredicate(categories: ["b"]))
        let all = [Self.notification(1), Self.notification(2, category: "b"), Self.notification(3, category: "b")]
        var state = Self.state(all, tabs: [tab], hasMore: true)
        let differences = state.apply(try Self.mute("b"))
        #expect(differences.count == 2 && state["2"]?.isMuted == true && state["1"]?.isMuted == false)
        #expect(state.hiddenUnread == [nil: 2, 0: 2])
        _ = state.snooze(["2": .init(until: Self.at(99), wasRead: false)])
        #expect(state.hiddenUnread == [nil: 2, 0: 2], "once")
        _ = state.receive(InboxUpdate(changed: [Self.notification(4, category: "b")], unloaded: ["3"]))
        #expect(state.hiddenUnread == [nil: 3, 0: 3], "one is no longer loaded")
        _ = state.add(entry(1, .read("3")))
        #expect(state.hiddenUnread == [nil: 2, 0: 2])
        _ = state.remove(1)
        #expect(state.hiddenUnread == [nil: 3, 0: 3])
        _ = state.receive(TimestampedChange(.read("3"), at: Self.at(50)))
        #expect(state.hiddenUnread == [nil: 2, 0: 2])
        let rules = try Self.mute("b")
        let kept = [Self.notification(8, category: "b"), Self.notification(9), Self.notification(4, category: "b")]
        state.setUncounted(inCopy: kept.filter(rules.leavesOut))
        #expect(state.hiddenUnread == [nil: 3, 0: 3])
        _ = state.receive(TimestampedChange(.allRead, at: Self.at(50)))
        _ = state.receive(InboxUpdate(changed: [2, 4].map { Self.notification($0, read: 50, category: "b") }))
        #expect(state.hiddenUnread == [:])
        #expect(state.present(Self.notification(7, category: "b"))?.isMuted == true)
    }

    @Test("Many notifications are muted in steps, as few as take long, which are reported") func mutedInSteps() throws {
        var state = Self.state((1...10_000).map { Self.notification($0, category: "b") }, hasMore: true)
        var muted = state.apply(try Self.mute("b")).count
        #expect(!state.isChecked && (100...2_000).contains(muted) && state.hiddenUnread == [nil: muted])
        _ = state.receive(InboxUpdate(removed: (1...500).map { NotificationID("\($0)") }))
        while !state.isChecked { muted += state.checkNext().count }
        #expect(state.hiddenUnread == [nil: 9_500] && (9_500...10_000).contains(muted))
        #expect(state.exceedingPatterns.isEmpty && state.checkNext() == [])

        var long = (1...9).map { Self.notification($0) }
        for index in long.indices { long[index].body = String(repeating: "x", count: 15_000) }
        state = Self.state(long)
        let slow = "/(x+x+)+[0-9]{1}/"
        #expect(state.apply(try Self.mute(slow, .text)) == [])
        var steps = 1
        while !state.isChecked {
            #expect(state.checkNext() == [])
            steps += 1
        }
        #expect(steps >= 8 && state.exceedingPatterns == [.init(rule: 0, pattern: slow)])
    }

    @Test("Without rules nothing is muted any more, and a mute that counts hides nothing") func unmuted() throws {
        var state = Self.state([Self.notification(1), Self.notification(2, category: "b")], hasMore: true)
        _ = state.apply(try Self.mute("b"))
        state.setUncounted(inCopy: [Self.notification(8, category: "b")])
        #expect(state.hiddenUnread == [nil: 2])
        #expect(state.apply(nil).count == 1 && state.hiddenUnread == [:] && state["2"]?.isMuted == false)
        _ = state.apply(try Self.mute("b", isCounted: true))
        #expect(state.hiddenUnread == [:] && state["2"]?.isMuted == true)
    }

    @Test("An update gives the differences that the user sees") func differences() {
        var state = Self.state([1, 2, 3].map { Self.notification($0) })
        let read = Self.notification(3, read: 5)
        let update = InboxUpdate(changed: [Self.notification(4), read], removed: ["1", "9"], unloaded: ["2"])
        #expect(
            state.receive(update) == [.removed("1"), .unloaded("2"), .added(Self.notification(4)), .changed(read)]
        )
        #expect(state.receive(InboxUpdate(changed: [read])) == [])
        #expect(ids(state) == ["4", "3"])
    }

    @Test("If the badge counts unseen notifications, restarting it marks what exists as seen") func badgeOfUnseen() {
        let loaded = [1, 2, 7].map { Self.notification($0) }
        let counts = Counts(unread: 9, unseen: 9, badge: 9, total: 9)
        let rules = ServiceRules(readIsSeen: true, badgeIsUnseen: true)
        var state = Self.state(loaded, counts: counts, hasMore: true, rules: rules)
        let differences = state.add(entry(1, .badgeReset, at: 5))
        #expect(differences.count == 2 && state["1"]?.seen == Self.at(5) && state["7"]?.seen == nil)
        // The one that came later is unseen.
        #expect(state.shownCounts == ShownCounts(unread: 9, unseen: 1, badge: 0, total: 9))
        #expect(state.remove(1).count == 2)
        #expect(state.shownCounts == ShownCounts(unread: 9, unseen: 9, badge: 9, total: 9))
        // The service confirmed it for notifications of further pages, too.
        let page = ViewPage([Self.notification(0)], hasMore: false)
        _ = state.add(page, to: .inbox)
        #expect(state.receive(TimestampedChange(.badgeReset, at: Self.at(5))).count == 1)
        #expect(state["0"]?.seen == Self.at(5))
    }

    @Test("The list has pinned notifications first, then the newest") func order() {
        var pinned = Self.notification(1)
        pinned.isPinned = true
        var odd = Self.notification(9)
        odd.sortTime = Self.at(2)
        #expect(ids(Self.state([Self.notification(3), pinned, odd, Self.notification(4)])) == ["1", "4", "3", "9"])
    }

    @Test("Counts come from the service or from loaded notifications") func counts() {
        let notifications = [Self.notification(1), Self.notification(2, read: 3)]
        #expect(Self.state(notifications).shownCounts == ShownCounts(unread: 1, unseen: 2, badge: 2, total: 2))
        let tabs = [InboxTab(id: "t", label: "T", predicate: .inbox)]
        let counts = Counts(unread: 9, unseen: 8, badge: 7, total: 40, tabs: ["t": 6])
        let shown = ShownCounts(unread: 9, unseen: 8, badge: 7, total: 40, tabs: [6])
        #expect(Self.state(notifications, counts: counts, tabs: tabs).shownCounts == shown)
    }

    @Test(
        "A filter selects by state, category, tag and time, then by offset and limit",
        arguments: [
            (NotificationFilter(), ["1", "2", "3", "4"]), (NotificationFilter(limit: 2), ["1", "2"]),
            (NotificationFilter(limit: 2, offset: 3), ["4"]),
            (NotificationFilter(unread: true), ["1", "3"]), (NotificationFilter(unread: false), ["2", "4"]),
            (NotificationFilter(archived: true), ["3"]), (NotificationFilter(tag: "x"), ["2"]),
            (NotificationFilter(since: Timestamp(milliseconds: 3)), ["3", "4"]),
            (NotificationFilter(before: Timestamp(milliseconds: 3)), ["1", "2"]),
            (NotificationFilter(limit: 1, offset: 1, category: "b"), ["4"]), (NotificationFilter(limit: 0), []),
            (NotificationFilter(offset: 99), []), (NotificationFilter(ids: []), []),
            (NotificationFilter(ids: ["4", "2"]), ["2", "4"]),
            (NotificationFilter(offset: 1, ids: [""]), ["2", "3", "4"]),
        ]
    ) func filters(_ filter: NotificationFilter, _ expected: [NotificationID]) {
        let notifications = [
            Self.notification(1), Self.notification(2, read: 1, category: "b", tags: ["x"]),
            Self.notification(3, archived: true), Self.notification(4, read: 1, category: "b"),
        ]
        #expect(filter.apply(to: notifications).map(\.id) == expected)
    }

    @Test("A filter narrows a view, or shows that nothing can match")
    func narrowing() {
        let tab = InboxPredicate(read: false, tags: ["x"], categories: ["a", "b"])
        #expect(tab.narrowed(by: NotificationFilter(unread: false)) == nil)
        #expect(tab.narrowed(by: NotificationFilter(archived: true)) == nil)
        #expect(tab.narrowed(by: NotificationFilter(category: "c")) == nil)
        #expect(tab.narrowed(by: NotificationFilter(unread: true, archived: false)) == tab)
        #expect(tab.narrowed(by: NotificationFilter(category: "b"))?.categories == ["b"])
        #expect(tab.narrowed(by: NotificationFilter(tag: "y"))?.tags == ["x"])
        #expect(InboxPredicate.inbox.narrowed(by: NotificationFilter(archived: true, tag: "y"))?.archived == true)
    }

    @Test(
        "A pending change shows in the list and in the counts",
        arguments: [
            (.read("1"), "3 r4 s4, 2 - -, 1 r5 s5", 1, 1, 9, 7, 0),
            (.unread("3"), "3 - s4, 2 - -, 1 - -", 3, 2, 9, 7, 1),
            (.seen(["1", "2", "x"]), "3 r4 s4, 2 - s5, 1 - s5", 2, 0, 9, 7, 1),
            (.interacted("1"), "3 r4 s4, 2 - -, 1 r5 s5 i", 1, 1, 9, 7, 0),
            (.allRead, "3 r4 s4, 2 r5 -, 1 r5 -", 0, 2, 9, 0, 0), (.archive("2"), "3 r4 s4, 1 - -", 1, 1, 8, 7, 1),
            (.archive("3"), "2 - -, 1 - -", 2, 2, 8, 7, 1), (.badgeReset, "3 r4 s4, 2 - -, 1 - -", 2, 2, 9, 0, 1),
            (.delete("1"), "3 r4 s4, 2 - -", 1, 1, 8, 7, 0),
            (.read("unknown"), "3 r4 s4, 2 - -, 1 - -", 2, 2, 9, 7, 1),
        ] as [(Change, String, Int, Int, Int, Int, Int)]
    )
    func pendingChange(change: Change, list: String, unread: Int, unseen: Int, total: Int, badge: Int, tab: Int) {
        var read = Self.notification(3, read: 4)
        read.seen = Self.at(4)
        var state = Self.state(
            [Self.notification(1, tags: ["x"]), Self.notification(2), read],
            counts: Counts(unread: 2, unseen: 2, badge: 7, total: 9, tabs: ["t": 1]),
            tabs: [InboxTab(id: "t", label: "T", predicate: InboxPredicate(tags: ["x"]))],
            hasMore: true
        )
        let before = (ids(state), state.shownCounts)
        let differences = state.add(entry(1, change))
        #expect(differences.isEmpty == (change == .badgeReset || change == .read("unknown")))
        let text = state.list(.inbox).map { notification in
            """
            \(notification.id) \(notification.read.map { "r\($0.milliseconds)" } ?? "-") \
            \(notification.seen.map { "s\($0.milliseconds)" } ?? "-")
            """
                + (notification.interacted == nil ? "" : " i")
        }
        #expect(text.joined(separator: ", ") == list)
        #expect(
            state.shownCounts
                == ShownCounts(unread: unread, unseen: unseen, badge: badge, total: total, tabs: [tab])
        )
        #expect(state.remove(1).count == differences.count, "undone")
        #expect((ids(state), state.shownCounts) == before)
        #expect(state.remove(1) == [])
    }

    @Test("Changes apply in order, and reading everything leaves later arrivals unread") func changesApplyInOrder() {
        var state = Self.state([Self.notification(1), Self.notification(9)])
        let changes: [Change] = [.read("1"), .unread("1"), .archive("1"), .read("1"), .allRead]
        for (number, change) in changes.enumerated() { _ = state.add(entry(Int64(number), change)) }
        // "All read" does not mark a notification that arrived after it.
        #expect(state.list(.inbox).map(\.id) == ["9"] && state.list(.inbox).map(\.read) == [nil])
        #expect(state.shownCounts.unread == 1)
    }

    @Test("What arrives while a change is pending is changed, too") func pendingBeforeArrival() {
        var state = InboxState(rules: Self.rules)
        #expect(state.add(entry(1, .archive("1"))) == [])
        #expect(state.receive(InboxUpdate(changed: [Self.notification(1)], counts: Counts(unread: 1))) == [])
        #expect(state.shownCounts.unread == 0 && state["1"] == nil)
        #expect(state.remove(1) == [.added(Self.notification(1))])
        #expect(state.shownCounts.unread == 1)
    }

    @Test("The service's rule decides what else an action changes")
    func rules() {
        func shown(after change: Change, by rules: ServiceRules) -> Notification? {
            var state = InboxState(rules: rules)
            _ = state.receive(InboxUpdate(changed: [Self.notification(1)]))
            _ = state.add(entry(1, change))
            return state["1"]
        }
        let own = ServiceRules()
        #expect(shown(after: .interacted("1"), by: own)?.interacted != nil)
        #expect(shown(after: .interacted("1"), by: own)?.read == nil)
        #expect(shown(after: .read("1"), by: own)?.seen == nil)
        #expect(shown(after: .interacted("1"), by: Self.rules)?.read != nil)
        #expect(shown(after: .read("1"), by: Self.rules)?.seen != nil)
        #expect(Change.seen(["1", "2", "3"], atOnce: 2) == [.seen(["1", "2"]), .seen(["3"])])
        #expect(Change.seen([], atOnce: 2).isEmpty)
    }

    // MARK: Further pages

    @Test("A page is appended to its view, and to no other") func pages() {
        var state = Self.state([Self.notification(9), Self.notification(8, read: 1)], hasMore: true)
        #expect(state.end(of: Self.unread) == SortKey(of: Self.notification(8, read: 1)))
        let page = ViewPage([Self.notification(9), Self.notification(5), Self.notification(3)], hasMore: true)
        let (added, differences) = state.add(page, to: Self.unread)
        #expect(added == 2)
        #expect(differences == [.added(Self.notification(5)), .added(Self.notification(3))])
        #expect(ids(state, Self.unread) == ["9", "5", "3"])
        #expect(ids(state) == ["9", "8"])
        #expect(state.end(of: Self.unread)?.id == "3")
        _ = state.add(ViewPage([], hasMore: false), to: Self.unread)
        #expect(!state.hasMore(Self.unread) && state.hasMore(.inbox))
        #expect(state.dropFurtherPages() == [.unloaded("3"), .unloaded("5")])
        #expect(ids(state, Self.unread) == ["9"] && state.hasMore(Self.unread))
    }

    @Test("A notification of a page that no longer matches leaves its view") func changesOnPages() {
        var state = Self.state([Self.notification(9)], hasMore: true)
        _ = state.add(ViewPage([Self.notification(5), Self.notification(3)], hasMore: true), to: Self.unread)
        #expect(state.add(entry(1, .read("5"))) == [.removed("5")])
        #expect(state.receive(TimestampedChange(.read("5"), at: Self.at(5))) == [])
        #expect(state.remove(1) == [])
        #expect(ids(state, Self.unread) == ["9", "3"])
        #expect(state.receive(changed: Self.notification(4)) == [.added(Self.notification(4))])
        #expect(state.receive(changed: Self.notification(2)) == [], "beyond the loaded pages")
        #expect(state.receive(TimestampedChange(.allRead, at: Self.at(9))).count == 2)
        #expect(ids(state, Self.unread) == ["9"], "the newest part is the provider's to change")
    }

    @Test("What leaves the newest part stays where a view's pages contain it") func unloading() {
        var state = Self.state([9, 8].map { Self.notification($0) }, hasMore: true)
        _ = state.add(ViewPage([Self.notification(5)], hasMore: true), to: Self.unread)
        #expect(state.receive(InboxUpdate(unloaded: ["8"], hasMore: true)) == [])
        #expect(ids(state, Self.unread) == ["9", "8", "5"])
        #expect(ids(state) == ["9"])
    }

    @Test("What leaves the newest part is kept up to a limit, then a page of the oldest is unloaded")
    func limitOfWhatLeaves() {
        let (newest, limit, page) = (3, InboxState.furtherLimit, 100)
        var state = Self.state((1...Int64(newest)).map { Self.notification($0) })
        _ = state.add(ViewPage([Self.notification(0)], hasMore: false), to: .inbox)
        let published = 2 * limit
        var unloaded = 0
        for id in Int64(newest + 1)...Int64(published) {
            let oldest = NotificationID("\(id - Int64(newest))")
            let update = InboxUpdate(changed: [Self.notification(id)], unloaded: [oldest])
            unloaded += state.receive(update).count { if case .unloaded = $0 { true } else { false } }
        }
        let listed = ids(state)
        #expect(listed.count <= newest + limit && listed.count > newest + limit - page)
        #expect(listed == (0..<listed.count).map { "\(published - $0)" })
        #expect(unloaded == published + 1 - listed.count)
        #expect(state.hasMore(.inbox) && state.end(of: .inbox)?.id.rawValue == listed.last)
    }

    @Test("Archived notifications have separate pages, which are loaded again after a change") func archived() {
        var state = Self.state([Self.notification(9)])
        let archive = InboxPredicate(archived: true)
        #expect(state.hasMore(archive) && state.end(of: archive) == nil)
        _ = state.add(ViewPage([Self.notification(3, archived: true)], hasMore: false), to: archive)
        #expect(ids(state, archive) == ["3"] && ids(state) == ["9"])
        #expect(state.dropArchivedPages() == [.unloaded("3")])
        #expect(state.hasMore(archive))
    }

    @Test("Of many views, the one that was used least recently is unloaded") func viewLimit() {
        var state = Self.state([], hasMore: true)
        let views = (0...8).map { InboxPredicate(categories: ["\($0)"]) }
        for (index, view) in views.enumerated() {
            let unloaded = state.use(view)
            #expect(unloaded == (index < 8 ? [] : [.unloaded("0")]))
            let row = Self.notification(Int64(index), category: "\(index)")
            _ = state.add(ViewPage([row], hasMore: true), to: view)
        }
    }

    @Test("A view that grows beyond the limit of all takes the room of others, and of what it no longer lists")
    func room() {
        let limit = Int64(InboxState.furtherLimit)
        var state = Self.state([], hasMore: true)
        _ = state.use(.inbox)
        _ = state.add(ViewPage((1...limit).map { Self.notification($0) }, hasMore: true), to: .inbox)
        #expect(state.isFull)
        #expect(state.makeRoom(for: .inbox) == [] && state.isFull, "a view does not take its own room")
        _ = state.use(Self.unread)
        #expect(state.makeRoom(for: Self.unread).count == Int(limit) && !state.isFull)
        #expect(ids(state) == [] && state.hasMore(.inbox))

        _ = state.add(ViewPage((1...limit).map { Self.notification($0) }, hasMore: true), to: Self.unread)
        #expect(state.makeRoom(for: Self.unread) == [] && state.isFull)
        _ = state.receive(changed: Self.notification(1, read: 2))
        #expect(state.isFull)
        #expect(state.makeRoom(for: Self.unread) == [] && !state.isFull, "it was not listed")
        #expect(ids(state, Self.unread).count == Int(limit) - 1)
    }

    // MARK: Any order

    /// Compares with what a computation from scratch gives.
    @Test("Any sequence of updates and changes shows the last word of the service with the pending changes")
    func anyOrder() {
        let tabs = [InboxTab(id: "t", label: "T", predicate: InboxPredicate(tags: ["x"]))]
        for seed in 0..<60 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var state = InboxState(tabs: tabs, rules: Self.rules)
            var rows: [NotificationID: Notification] = [:]
            var pending: [InboxState.Entry] = []
            var visible: [NotificationID: Notification] = [:]
            for step in 0..<80 as Range<Int64> {
                let id = Int64.random(in: 0..<12, using: &random)
                let key = NotificationID("\(id)")
                var differences: [InboxState.Difference] = []
                func update(_ changed: [Notification], removed: [NotificationID] = []) {
                    let unread = rows.values.filter { $0.read == nil }
                    let counts = Counts(
                        unread: unread.count,
                        badge: 3,
                        total: rows.count,
                        tabs: ["t": unread.count { $0.tags == ["x"] }]
                    )
                    differences = state.receive(InboxUpdate(changed: changed, removed: removed, counts: counts))
                }
                switch Int.random(in: 0..<8, using: &random) {
                case 0...2:
                    let row = Self.notification(
                        id,
                        read: Bool.random(using: &random) ? nil : step,
                        tags: Bool.random(using: &random) ? ["x"] : []
                    )
                    rows[key] = row
                    update([row])
                case 3:
                    rows[key] = nil
                    update([], removed: [key])
                case 4...6:
                    let changes: [Change] = [
                        .read(key), .unread(key), .seen([key, "3"]), .interacted(key), .archive(key), .delete(key),
                        .allRead, .badgeReset,
                    ]
                    let entry = entry(step, changes.randomElement(using: &random) ?? .allRead, at: step)
                    pending.append(entry)
                    differences = state.add(entry)
                default:
                    guard let index = pending.indices.randomElement(using: &random) else { continue }
                    differences = state.remove(pending.remove(at: index).number)
                }
                for difference in differences {
                    switch difference {
                    case .added(let row):
                        #expect(visible.updateValue(row, forKey: row.id) == nil)
                    case .changed(let row):
                        #expect(visible.updateValue(row, forKey: row.id) != nil)
                    case .removed(let id), .unloaded(let id):
                        #expect(visible.removeValue(forKey: id) != nil)
                    }
                }
                let expected = rows.values.compactMap { row in
                    pending.reduce(row as Notification?) { row, entry in
                        let change = entry.change.change
                        guard let row, change == .allRead || change.ids.contains(row.id) else { return row }
                        return entry.change.applied(to: row, by: Self.rules)
                    }
                }
                .filter { !$0.isArchived }
                #expect(Set(state.list(.inbox)) == Set(expected) && Set(visible.values) == Set(expected))
                let counts = state.shownCounts
                #expect(counts.unread == expected.count { $0.read == nil })
                #expect(counts.total == expected.count)
                #expect(counts.tabs == [expected.count { $0.read == nil && $0.tags == ["x"] }])
            }
        }
    }
}
