import Basics
import Inbox
import Testing

/// The last archive or delete, and how it is taken back.
@Suite struct RemovalHistoryTests {
    private func history(_ requests: [Change]...) -> RemovalHistory {
        var history = RemovalHistory()
        for (number, changes) in requests.enumerated() {
            history.add(changes, at: Timestamp(milliseconds: Int64(number)))
        }
        return history
    }

    @Test("Only archives and deletes are remembered, the last one first") func last() {
        var history = history([.archive("1"), .archive("2")], [.delete("3")], [.read("4")])
        #expect(history.last?.changes == [.delete("3")])
        history.forget([.delete("3")])
        #expect(history.last?.changes == [.archive("1"), .archive("2")])
        history.forget([.archive("1"), .archive("2")])
        #expect(history.last == nil)
    }

    @Test("What is archived again counts once, and what was taken out of the archive does not count") func repeated() {
        var history = history([.archive("1")], [.archive("2")], [.archive("1")])
        history.forget([.archive("1")])
        #expect(history.last?.changes == [.archive("2")])
        history.add([.unarchive("2")], at: Timestamp(milliseconds: 9))
        #expect(history.last == nil)
    }

    @Test("What waits is withdrawn, what was sent is reversed where the service can") func reversal() {
        let history = history([.archive("1"), .archive("2")])
        func reversal(_ waiting: Set<Change>, _ canUnarchive: Bool) -> [[Change]]? {
            history.reversal(waiting: waiting, canUnarchive: canUnarchive).map {
                [$0.withdrawn, $0.submitted, $0.lost]
            }
        }
        #expect(reversal([.archive("1"), .archive("2")], false) == [[.archive("1"), .archive("2")], [], []])
        #expect(reversal([.archive("2")], true) == [[.archive("2")], [.unarchive("1")], []])
        #expect(reversal([], false) == [[], [], [.archive("1"), .archive("2")]])
        #expect(self.history([.delete("1")]).reversal(waiting: [], canUnarchive: true)?.lost == [.delete("1")])
    }

    @Test("At most a hundred are remembered") func limit() {
        var history = RemovalHistory()
        for number in 1...150 {
            history.add([.archive(NotificationID("\(number)"))], at: Timestamp(milliseconds: Int64(number)))
        }
        var count = 0
        while let last = history.last {
            history.forget(last.changes)
            count += 1
        }
        #expect(count == RemovalHistory.limit)
    }
}
