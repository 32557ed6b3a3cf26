import Basics
import ClientKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import SuprSend

/// A feed whose computer sleeps, changes the network, and has its clock set.
@Suite(.timeLimit(.minutes(5))) struct FeedAbsenceTests {
    /// The time by the computer's clock.
    private final class WallClock: Sendable {
        private let ahead = Mutex(TimeInterval(0))

        func set(forward change: TimeInterval) { ahead.withLock { $0 += change } }

        var now: Date { base.date.addingTimeInterval(ahead.withLock(\.self)) }
    }

    private func world(_ inbox: FakeInbox, _ wall: WallClock = WallClock()) async throws -> FeedWorld {
        try await FeedWorld(inbox: inbox, wall: { wall.now })
    }

    private func alive(_ world: FeedWorld, _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await world.feed.run() }
            try await body()
            group.cancelAll()
        }
    }

    @Test("Every notification is announced once over many absences")
    func manyAbsences() async throws {
        let inbox = FakeInbox()
        await inbox.publish(row("old", age: 1_000_000))
        let world = try await world(inbox)
        var announced: [String] = []
        var expected: [String] = []
        for life in 1...4 {
            try await alive(world) {
                let connection = try await world.socket.connection(life)
                if life == 1 { await world.shows(["old"]) }
                while announced.count < expected.count { announced.append(try #require(await world.catchUp()).id) }
                let id = "live-\(life)"
                await inbox.publish(row(id, age: Int64(-1000 * life)))
                connection.push("new_notification", id)
                expected.append(id)
                #expect(await world.announcement()?.id == id)
                announced.append(id)
            }
            let connection = try await world.socket.connection(life)
            #expect(await connection.isClosed, "in an orderly way")
            #expect(await connection.sent.last == "41")
            #expect(await world.feed.connectionState == .offline(nil, nextAttempt: nil))
            #expect(await world.socket.attempts == life, "and it stays down")
            for number in 1...2 {
                let id = "away-\(life)-\(number)"
                await inbox.publish(row(id, age: Int64(-1000 * life - number)))
                expected.append(id)
            }
        }
        try await alive(world) {
            while announced.count < expected.count { announced.append(try #require(await world.catchUp()).id) }
        }
        #expect(announced == expected)
    }

    private static let hour = TimeInterval(3600)
    /// 2025-08-04T22:32:25, the base time without its milliseconds.
    private static let rounded: Timestamp = 1_754_346_745_000

    @Test("A clock that is set forward removes what expires, and has no other effect")
    func clockSetForward() async throws {
        let inbox = FakeInbox()
        await inbox.publish(
            row("stays", age: 3000),
            row("expires", age: 2000, expiry: Timestamp(milliseconds: base.milliseconds + 1_800_000))
        )
        let wall = WallClock()
        let world = try await world(inbox, wall)
        try await alive(world) {
            await world.shows(["expires", "stays"])
            wall.set(forward: Self.hour)
            await world.client.wallClockChanged(by: .seconds(3600))
            await world.shows(["stays"])
            let connection = try await world.socket.connection(1)
            await inbox.publish(row("new"))
            connection.push("new_notification", "new")
            #expect(await world.announcement()?.id == "new")
            await world.shows(["new", "stays"])
        }
    }

    @Test("The service's Date takes precedence over a wrong or corrected local clock")
    func serviceDate() async throws {
        let inbox = FakeInbox()
        await inbox.sayTime(Self.rounded)
        await inbox.publish(row("stays", expiry: Timestamp(milliseconds: base.milliseconds + 1_800_000)))
        let wall = WallClock()
        let world = try await world(inbox, wall)
        try await alive(world) {
            await world.shows(["stays"])
            // Between the change and its report, what asks for the time gets a wrong one.
            _ = await world.clock.sleeper(within: .seconds(1790) ... .seconds(1810))
            for change in [Self.hour, -3 * Self.hour] {
                wall.set(forward: change)
                await world.client.wallClockChanged(by: .seconds(change))
                #expect(abs(world.client.context.now.timeIntervalSince(base.date)) <= 1)
            }
            // Work for expiry is done before the next event.
            let connection = try await world.socket.connection(1)
            await inbox.publish(row("new", age: -1000))
            connection.push("new_notification", "new")
            await world.shows(["new", "stays"])
        }
    }
}
