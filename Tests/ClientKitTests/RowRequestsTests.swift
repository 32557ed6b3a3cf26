import Testing

@testable import ClientKit

@Suite("Requests for single rows after events") struct RowRequestsTests {
    private typealias Requests = RowRequests<String>

    private var requests = Requests(capacity: 6)

    /// Adds events, the first of which has this number.
    private mutating func add(_ ids: String..., isNew: Bool = true, from number: UInt64 = 1) -> [Bool] {
        ids.enumerated().map { requests.add($1, isNew: isNew, at: number + UInt64($0)) }
    }

    /// Begins all that may begin.
    private mutating func begin(from number: UInt64 = 101) -> [Requests.Ticket] {
        var tickets: [Requests.Ticket] = []
        while let ticket = requests.begin(number + UInt64(tickets.count)) { tickets.append(ticket) }
        return tickets
    }

    @Test("At most four are in flight, and only so many wait") mutating func limits() {
        let added = add("a", "b", "a", "c", "d", "e", "f", "g")
        #expect(added == [true, true, true, true, true, true, true, false])
        let tickets = begin()
        #expect(tickets.map(\.id) == ["a", "b", "c", "d"])
        #expect(requests.finish(tickets[0], "A").map(\.row) == ["A"])
        #expect(begin().map(\.id) == ["e"])
    }

    @Test("New rows come in the order of their events, and changed ones at once") mutating func order() {
        _ = add("a", "b")
        _ = add("c", isNew: false, from: 3)
        let tickets = begin()
        #expect(requests.finish(tickets[1], "B").isEmpty)
        let changed = requests.finish(tickets[2], "C")
        #expect(changed == [Requests.Outcome(id: "c", arrived: 3, asked: 103, isNew: false, row: "C")])
        #expect(requests.finish(tickets[0], "A").map(\.id) == ["a", "b"])
        #expect(requests.isEmpty)
    }

    @Test("A failed request is repeated after three delays, and later rows do not wait for it any more")
    mutating func failures() {
        _ = add("a", "b")
        let tickets = begin()
        #expect(requests.finish(tickets[1], "B").isEmpty)
        var ticket = tickets[0]
        for (number, delay) in zip(201..., [Duration.milliseconds(300), .seconds(1), .seconds(3)]) {
            let failure = requests.fail(ticket, mayRepeat: true)
            #expect(failure.delay == delay)
            #expect(failure.ready.map(\.id) == (number == 201 ? ["b"] : []))
            let next = requests.again(ticket, UInt64(number))
            #expect(next == Requests.Ticket(id: "a", number: UInt64(number)))
            ticket = next ?? ticket
        }
        let end = requests.fail(ticket, mayRepeat: true)
        #expect(end.delay == nil)
        #expect(end.ready == [Requests.Outcome(id: "a", arrived: 1, asked: 203, isNew: true, row: nil)])
        #expect(requests.again(ticket, 300) == nil)
    }

    @Test("A request that cannot succeed is not repeated") mutating func refusal() {
        _ = add("a")
        let refusal = requests.fail(begin()[0], mayRepeat: false)
        #expect(refusal.delay == nil && refusal.ready.map(\.row) == [nil])
    }

    @Test("One request serves an event before it, and one that announces the row again") mutating func covered() {
        _ = add("a", isNew: false)
        #expect(requests.covers("a", isNew: false))
        _ = add("a", from: 2)
        #expect(requests.isNew("a"))
        let tickets = begin()
        #expect(tickets.count == 1 && requests.hasBegun("a") && requests.begunIDs == ["a"])
        // A change since the request needs another one.
        #expect(requests.covers("a", isNew: true) && !requests.covers("a", isNew: false))
        #expect(requests.finish(tickets[0], "A").map(\.arrived) == [2])
    }

    @Test("What is removed, or waits when waiting ends, is not asked for") mutating func removal() {
        _ = add("a", "b", "c", "d", "e", "f")
        let tickets = begin()
        requests.remove("a")
        #expect(!requests.contains(tickets[0]) && requests.contains(tickets[1]))
        #expect(requests.finish(tickets[0], "A").isEmpty)
        requests.removeWaiting()
        #expect(begin().isEmpty)
        let (newIDs, numbers) = requests.abandon()
        #expect(newIDs == ["b", "c", "d"] && numbers == [102, 103, 104])
        #expect(requests.isEmpty)
    }

    @Test("When too many rows wait for an earlier one, they come before it") mutating func waiting() {
        requests = Requests(capacity: 1_000)
        for index in 0...66 { _ = requests.add("\(index)", isNew: true, at: UInt64(index)) }
        let first = requests.begin(1_000)
        #expect(first?.id == "0")
        var came: [String] = []
        for number in 1_001...1_066 as ClosedRange<UInt64> {
            guard let ticket = requests.begin(number) else { continue }
            came += requests.finish(ticket, ticket.id).map(\.id)
        }
        #expect(came == (1...65).map(String.init))
    }
}
