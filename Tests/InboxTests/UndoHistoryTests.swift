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

    @Test("One act is what one caller did in the same way without a pause, in all accounts and calls") func act() {
        func history(_ steps: (String?, Int64, Change)...) -> UndoHistory {
            var history = UndoHistory()
            for (caller, time, change) in steps {
                history.add([change], unread: nil, by: caller, at: .milliseconds(time))
            }
            return history
        }
        func act(_ histories: UndoHistory...) -> [[Int64]] {
            UndoHistory.newestAct(of: histories).map { $0.map { Int64($0.time / .milliseconds(1)) } }
        }
        let one = (":1.1" as String?, ":1.2" as String?)
        #expect(act(history(), history()) == [[], []])
        #expect(act(history((one.0, 0, .archive("1"))), history((one.0, 900, .archive("1")))) == [[0], [900]])
        // Three calls; the last pause is too long.
        let portions = history((one.0, 0, .archive("1")), (one.0, 1_001, .archive("2")), (one.0, 2_001, .archive("3")))
        #expect(act(portions, history((one.0, 2_900, .archive("4")))) == [[2_001, 1_001], [2_900]])
        // Another caller, another action, or a single click.
        #expect(act(history((one.1, 0, .archive("1"))), history((one.0, 1, .archive("1")))) == [[], [1]])
        #expect(act(history((one.0, 0, .delete("1"))), history((one.0, 1, .archive("1")))) == [[], [1]])
        #expect(act(history((nil, 0, .archive("1"))), history((nil, 1, .archive("1")))) == [[], [1]])
        // What another caller did since stays.
        let two = history((one.0, 0, .archive("1")), (one.1, 1, .archive("2")))
        #expect(act(two, history((one.0, 2, .archive("3")))) == [[], [2]])
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
