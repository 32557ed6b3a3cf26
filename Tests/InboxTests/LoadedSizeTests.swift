import Basics
import SeededRandom
import TestSupport
import Testing

@testable import Inbox

/// What limits the loaded notifications in bytes, and the ids of a call.
@Suite struct LoadedSizeTests {
    private static func notification(_ id: Int64, body: Int = 0, extra: Int = 0) -> Notification {
        Notification(
            id: NotificationID("\(1_000_000 - id)"),
            body: String(repeating: "b", count: body),
            created: Timestamp(milliseconds: 1_000_000 - id),
            extra: String(repeating: "e", count: extra)
        )
    }

    private static func state(copy: CopyLimits? = nil) -> InboxState {
        var state = InboxState(rules: ServiceRules(interactedIsRead: true, readIsSeen: true))
        state.copyLimits = copy
        return state
    }

    @Test("Beyond the limit in bytes, the last notifications of the largest view are unloaded") func bytes() {
        var state = Self.state()
        state.sizeLimit = 1 << 20
        _ = state.receive(InboxUpdate(changed: [Self.notification(0)], hasMore: true))
        _ = state.add(ViewPage((1...300).map { Self.notification($0, body: 2_000) }, hasMore: true), to: .inbox)
        #expect(state.isLarge)
        #expect(state.size > state.sizeLimit)
        let differences = state.receive(InboxUpdate(changed: [Self.notification(0, body: 1)], hasMore: true))
        let unloaded = differences.compactMap { if case .unloaded(let id) = $0 { id } else { nil } }
        #expect(unloaded.count == 100 && unloaded.contains(Self.notification(300).id))
        #expect(state.size <= state.sizeLimit)
        #expect(state.list(.inbox).count == 201 && state.hasMore(.inbox))
    }

    @Test("The view that was used least recently makes room for another one, in bytes, too") func room() {
        let unread = InboxPredicate(read: false)
        var state = Self.state()
        state.sizeLimit = 1 << 20
        _ = state.receive(InboxUpdate(hasMore: true))
        _ = state.use(.inbox)
        _ = state.add(ViewPage((1...250).map { Self.notification($0, body: 2_000) }, hasMore: true), to: .inbox)
        _ = state.use(unread)
        #expect(state.isLarge)
        #expect(state.makeRoom(for: unread).count == 250)
        #expect(!state.isLarge && state.size == 0)
    }

    @Test("The size is that of the loaded notifications, after any changes", arguments: 0..<10) func sum(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var state = Self.state()
        for _ in 0..<200 {
            let number = Int64.random(in: 0..<40, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0...2:
                let size = Int.random(in: 0..<5_000, using: &random)
                _ = state.receive(InboxUpdate(changed: [Self.notification(number, body: size, extra: size)]))
            case 3: _ = state.receive(InboxUpdate(removed: [Self.notification(number).id]))
            default: _ = state.receive(InboxUpdate(unloaded: [Self.notification(number).id]))
            }
        }
        #expect(state.size == state.newestReported.reduce(0) { $0 + $1.size })
    }

    @Test(
        "The sender's long data is not in memory while the copy on disk has it",
        arguments: [
            (1_024, CopyLimits(count: 10, since: Timestamp(milliseconds: 0)), true),
            (1_025, CopyLimits(count: 10, since: Timestamp(milliseconds: 0)), false),
            (1_025, nil, true), (1_025, CopyLimits(count: 0, since: Timestamp(milliseconds: 0)), true),
            (1_025, CopyLimits(count: 10, since: Timestamp(milliseconds: 1_000_000)), true),
        ]
    )
    func extra(size: Int, copy: CopyLimits?, isInMemory: Bool) {
        var state = Self.state(copy: copy)
        let reported = Self.notification(1, extra: size)
        let differences = state.receive(InboxUpdate(changed: [reported]))
        let loaded = state.list(.inbox)
        #expect(loaded.map(\.extra.utf8.count) == [isInMemory ? size : 0])
        #expect(loaded.map { $0.extraOnDisk == nil } == [isInMemory])
        #expect(state.size == reported.size - (isInMemory ? 0 : size))
        #expect(differences.withExtra(of: [reported]) == [.added(reported)], "but it is announced")
        #expect(state.receive(InboxUpdate(changed: [reported])) == [], "unchanged")
        var other = reported
        other.extra = String(repeating: "o", count: size)
        #expect(state.receive(InboxUpdate(changed: [other])).withExtra(of: [other]) == [.changed(other)])
    }

    // MARK: Ids

    @Test(
        "An id matches one of the texts that it begins with",
        arguments: [
            ([], "a", false), ([""], "a", true), (["a"], "a", true), (["ab"], "a", false), (["a", "b"], "bc", true),
            (["a", "ab", "abc"], "abd", true), (["aa", "ab"], "ac", false), (["é"], "e\u{301}", false),
            (["b", "b", "b"], "a", false), (["é"], "éa", true),
        ] as [([String], String, Bool)]
    )
    func prefixes(texts: [String], id: String, matches: Bool) {
        #expect(IDPrefixes(texts).contain(NotificationID(id)) == matches)
    }

    @Test("Any texts match the ids that begin with one of them", arguments: 0..<20) func anyPrefixes(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        func text() -> String {
            String((0..<Int.random(in: 1...4, using: &random)).map { _ in "abc".randomElement(using: &random) ?? "a" })
        }
        let texts = (0..<8).map { _ in text() }
        let prefixes = IDPrefixes(texts)
        #expect(prefixes.texts.count == Set(texts).count, "each once")
        for _ in 0..<100 {
            let id = text()
            #expect(prefixes.contain(NotificationID(id)) == texts.contains { id.hasPrefix($0) }, "\(texts) \(id)")
        }
    }
}
