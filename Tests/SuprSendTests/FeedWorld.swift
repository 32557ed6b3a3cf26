import ClientKit
import FoundationEssentials
import TestSupport
import Testing

@testable import SuprSend

/// A running feed over a service in memory, with a clock that stands still until it is moved.
struct FeedWorld: Sendable {
    let client: SuprSendClient
    let feed: Feed
    let inbox: FakeInbox
    let socket: FakeSocket
    let clock: ManualClock
    let events: AsyncStream<FeedEvent>

    /// The first event that `picks` makes something of.
    func first<T: Sendable>(_ picks: @Sendable (FeedEvent) -> T?) async -> T? {
        for await event in events {
            if let picked = picks(event) { return picked }
        }
        return nil
    }

    func online() async {
        _ = await first { if case .connection(.online) = $0 { true } else { nil } }
    }

    /// The error of the next "offline" that says when it is tried again.
    func offline() async -> (error: SuprSendError, next: Date)? {
        await first { if case .connection(.offline(let error?, let next?)) = $0 { (error, next) } else { nil } }
    }

    func unauthorized() async -> SuprSendError? {
        await first { if case .connection(.unauthorized(let error)) = $0 { error } else { nil } }
    }

    /// Waits until the list is as expected.
    func shows(_ ids: [String]) async {
        if await feed.data.notifications.map(\.id) == ids { return }
        _ = await first { event in
            if case .storeUpdate(let data) = event, data.notifications.map(\.id) == ids { true } else { nil }
        }
    }

    func announcement() async -> (id: String, catchUp: Bool)? {
        await first { if case .newNotification(let row, let catchUp) = $0 { (row.id, catchUp) } else { nil } }
    }

    /// Moves time to each attempt that the feed has planned and waits for, while `condition` holds. Further, in small steps, only if
    /// another sleeper was due at that moment and the feed's own sleep began after it.
    func advanceToAttempts(while condition: () async -> Bool) async {
        while await condition(), !Task.isCancelled {
            if case .offline(_, let next?) = await feed.connectionState {
                let wait = Duration.seconds(next.timeIntervalSince(base.date)) - clock.now.offset
                let millisecond = Duration.milliseconds(1)
                if let rest = clock.remaining(within: (wait - millisecond)...(wait + millisecond)) {
                    clock.advance(by: rest)
                } else if wait <= .zero {
                    clock.advance(by: millisecond)
                }
            }
            await Task.yield()
        }
    }

    /// Moves time on while `condition` holds, step by step, because nobody knows when a sleep begins.
    func advance(by step: Duration, while condition: () async -> Bool) async {
        while await condition(), !Task.isCancelled {
            clock.advance(by: step)
            await Task.yield()
        }
    }
}

/// Runs a feed while `body` runs. `answers`: what the first connections get.
func withFeed(
    _ options: FeedOptions = FeedOptions(),
    _ answers: [FakeSocket.Answer] = [],
    token: UserTokenProvider? = nil,
    inbox: FakeInbox = FakeInbox(),
    _ body: (FeedWorld) async throws -> Void
) async throws {
    let socket = FakeSocket(answers)
    let clock = ManualClock()
    let client = try SuprSendClient.test(
        http: inbox,
        webSocket: socket,
        surroundings: Surroundings(
            now: { base.date.addingTimeInterval(clock.now.offset / .seconds(1)) },
            clock: clock,
            jitter: { 1 }
        ),
        token: token
    )
    let feed = try client.feeds.initialize(options)
    let world = FeedWorld(
        client: client,
        feed: feed,
        inbox: inbox,
        socket: socket,
        clock: clock,
        events: await feed.events()
    )
    try await withThrowingTaskGroup { group in
        group.addTask { await feed.run() }
        try await body(world)
        group.cancelAll()
    }
    #expect(await feed.connectionState == .offline(nil, nextAttempt: nil))
}
