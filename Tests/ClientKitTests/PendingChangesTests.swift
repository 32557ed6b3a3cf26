import Basics
import Testing

/// The queue, the confirmed contents and the waits below all pending changes.
@Suite struct PendingChangesTests {
    private typealias Contents = [String: Int]

    private func replace(
        _ confirmed: inout ConfirmedContents<Contents, String>,
        by answer: Contents,
        load: UInt64
    ) {
        confirmed.replace(by: answer, load: load) { part, known, answer in answer[part] = known[part] }
    }

    @Test("The answer to a load does not overwrite what was confirmed after the load began")
    func confirmedDuringLoad() {
        var loads = LoadNumbers()
        var confirmed = ConfirmedContents<Contents, String>(["a": 0, "b": 0], load: 0)
        let load = loads.beginLoad()
        confirmed.confirm("a", loads.next()) { $0["a"] = 1 }
        confirmed.prune(loads)
        replace(&confirmed, by: ["a": 0, "b": 2], load: load)
        #expect(confirmed.contents == ["a": 1, "b": 2])

        // The next load begins after the confirmation: the service's answer is newer.
        let hasEnded = loads.endLoad(load)
        #expect(hasEnded)
        confirmed.prune(loads)
        replace(&confirmed, by: ["a": 3, "b": 3], load: loads.beginLoad())
        #expect(confirmed.contents == ["a": 3, "b": 3])
    }

    @Test("A confirmation is kept as long as a load is in flight that began before it")
    func prunedConfirmations() {
        var loads = LoadNumbers()
        var confirmed = ConfirmedContents<Contents, String>([:], load: 0)
        let (first, second) = (loads.beginLoad(), loads.beginLoad())
        confirmed.confirm("a", loads.next()) { $0["a"] = 1 }
        let ends = (loads.endLoad(second), loads.endLoad(second))
        #expect(ends == (true, false), "the second time, it has ended already")
        confirmed.prune(loads)
        replace(&confirmed, by: ["a": 0], load: first)
        #expect(confirmed.contents == ["a": 1])
        loads.discardLoads()
        let isInFlight = loads.endLoad(first)
        #expect(!isInFlight)
    }

    @Test("A change in flight is pending, and is not superseded") func inFlight() {
        var queue = PendingQueue<String>()
        let (first, second) = (queue.append("one"), queue.append("two"))
        queue.markSent([first])
        let removed = queue.removeWaiting { _ in true }
        #expect(removed == [second])
        #expect(queue.inFlight == [first] && queue.waiting.isEmpty)
        let answered = queue.markAnswered([first.number, 99])
        #expect(answered == [first])
        #expect(queue.waiting == [first] && queue.inFlight.isEmpty)
        queue.remove([first])
        let third = queue.append("three")
        #expect(third.number == 3, "numbers are not used again")
    }

    @Test("A caller waits for the changes before its call, and gets its first failure") func waits() {
        var waits = ChangeWaits<String>()
        waits.add(1, for: [1, 2])
        waits.add(2, for: [2])
        waits.add(3, for: [3])
        waits.settle([1], "no")
        var finished = waits.takeFinished()
        #expect(finished.isEmpty && waits.numbers(of: 1) == [2])
        waits.settle([2], "never")
        finished = waits.takeFinished()
        #expect(finished.map { "\($0.id) \($0.failure ?? "")" } == ["1 no", "2 never"])
        let left = waits.remove(3)
        #expect(left.failure == nil && !left.isFinished)
    }
}
