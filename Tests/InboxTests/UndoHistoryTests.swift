import Basics
import Inbox
import Testing

/// The user's last actions, and how they are taken back.
@Suite struct UndoHistoryTests {
    private func history(_ requests: [Change]...) -> UndoHistory {
        var history = UndoHistory()
        for (number, changes) in requests.enumerated() {
            history.add(changes, unread: nil, at: .seconds(number))
        }
        return history
    }

    private func last(_ history: UndoHistory) -> UndoHistory.Action? { history.last?.action }

    @Test("Reading one is no step; the last archive or delete is the first to be taken back") func last() {
        var history = history([.archive("1"), .archive("2")], [.delete("3")], [.read("4")])
        #expect(last(history) == .removal([.delete("3")]))
        history.forget([.delete("3")])
        #expect(last(history) == .removal([.archive("1"), .archive("2")]))
        history.removeLast()
        #expect(history.last == nil)
    }

    @Test("What is archived again counts once, and what was taken out of the archive does not count") func repeated() {
        var history = history([.archive("1")], [.archive("2")], [.archive("1")])
        history.forget([.archive("1")])
        #expect(last(history) == .removal([.archive("2")]))
        history.add([.unarchive("2")], unread: nil, at: .seconds(9))
        #expect(history.last == nil)
    }

    @Test("What waits is withdrawn, what was sent is reversed where the service can") func reversal() {
        let history = history([.archive("1"), .archive("2")])
        func reversal(_ waiting: Set<Change>, _ canUnarchive: Bool) -> [[Change]] {
            let reversal = history.reversal(waiting: waiting, canUnarchive: canUnarchive)
            return [reversal.withdrawn, reversal.submitted, reversal.lost]
        }
        #expect(reversal([.archive("1"), .archive("2")], false) == [[.archive("1"), .archive("2")], [], []])
        #expect(reversal([.archive("2")], true) == [[.archive("2")], [.unarchive("1")], []])
        #expect(reversal([], false) == [[], [], [.archive("1"), .archive("2")]])
        #expect(self.history([.delete("1")]).reversal(waiting: [], canUnarchive: true).lost == [.delete("1")])
    }

    @Test(
        "Marking all as read is reversed for the notifications that are known, at most 50",
        arguments: [(0, nil), (1, 1), (50, 50), (51, 0)] as [(Int, Int?)]
    )
    func allRead(unread: Int, reversed: Int?) {
        let ids = (0..<unread).map { NotificationID("\($0)") }
        var history = UndoHistory()
        history.add([.allRead], unread: ids, at: .seconds(1))
        let reversal = history.reversal(waiting: [], canUnarchive: false)
        #expect((history.last == nil) == (reversed == nil), "nothing changed, so there is nothing to take back")
        #expect(reversal.submitted == (reversed == 0 ? [] : ids.map(Change.unread)))
        #expect(reversal.lost == (reversed == 0 ? [.allRead] : []))
        let offline = history.reversal(waiting: [.allRead], canUnarchive: false)
        #expect(offline.withdrawn == (reversed == nil ? [] : [.allRead]) && offline.submitted.isEmpty)
    }

    @Test("At most a hundred are remembered") func limit() {
        var history = UndoHistory()
        for number in 1...150 {
            let change = Change.archive(NotificationID("\(number)"))
            history.add([change], unread: nil, at: .seconds(number))
        }
        var count = 0
        while history.last != nil {
            history.removeLast()
            count += 1
        }
        #expect(count == UndoHistory.limit)
    }
}
