import Basics
import ClientKit
import FoundationEssentials
import TestSupport
import Testing

@testable import SuprSend

/// A running feed with a service in memory and a manual clock.
struct FeedWorld: Sendable {
    let client: SuprSendClient
    let feed: Feed
    let inbox: FakeInbox
    let socket: FakeSocket
    let clock: ManualClock
    let events: AsyncStream<FeedEvent>

    /// The first event for which `picks` returns a value.
    func first<T: Sendable>(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ picks: @Sendable (FeedEvent) -> T?
    ) async -> T? {
        await events.pick(sourceLocation: sourceLocation, picks)
    }

    func online(sourceLocation: SourceLocation = #_sourceLocation) async {
        _ = await first(sourceLocation: sourceLocation) { if case .connection(.online) = $0 { true } else { nil } }
    }

    /// The error of the next "offline" with the time of the next attempt.
    func offline() async -> (error: SuprSendError, next: Date)? {
        await first { if case .connection(.offline(let error?, let next?)) = $0 { (error, next) } else { nil } }
    }

    func unauthorized() async -> SuprSendError? {
        await first { if case .connection(.unauthorized(let error)) = $0 { error } else { nil } }
    }

    /// Waits until the list is as expected.
    func shows(_ ids: [String], sourceLocation: SourceLocation = #_sourceLocation) async {
        if await feed.data.notifications.map(\.id) == ids { return }
        _ = await first(sourceLocation: sourceLocation) { event in
            if case .storeUpdate(let data) = event, data.notifications.map(\.id) == ids { true } else { nil }
        }
    }

    func announcement() async -> (id: String, catchUp: Bool)? {
        await first { if case .newNotification(let row, let catchUp) = $0 { (row.id, catchUp) } else { nil } }
    }

    /// Waits until the feed shows this.
    func until(sourceLocation: SourceLocation = #_sourceLocation, _ isSo: @Sendable (FeedData) -> Bool) async {
        // A separate listener: the events in `events` stay there.
        let changes = await feed.events()
        if isSo(await feed.data) { return }
        _ = await changes.next(sourceLocation: sourceLocation) {
            if case .storeUpdate(let data) = $0 { isSo(data) } else { false }
        }
    }

    /// The next announcement, if it is of what was missed: a list that became stale while it was loaded is loaded again
    /// only after half a second.
    func catchUp() async -> (id: String, catchUp: Bool)? {
        await passing(.milliseconds(500)) { await announcement() }
    }

    // MARK: Time

    /// Waits until the feed has planned its next attempt and sleeps until then, and moves time there. Returns by how
    /// much.
    @discardableResult
    func advanceToNextAttempt() async -> Duration {
        guard let next = await nextAttempt() else { return .zero }
        let wait = Duration.seconds(next.timeIntervalSince(base.date)) - clock.now.offset
        let rest = await clock.sleeper(within: (wait - .milliseconds(1))...(wait + .milliseconds(1)))
        clock.advance(by: rest)
        return rest
    }

    /// When the feed tries again: a time to come; nil: this task was cancelled.
    private func nextAttempt() async -> Date? {
        func planned(_ state: ConnectionState) -> Date? {
            guard case .offline(_?, let next?) = state else { return nil }
            let now = base.date.addingTimeInterval(clock.now.offset / .seconds(1))
            return next.timeIntervalSince(now) > 0.002 ? next : nil
        }
        let changes = await feed.events()
        if let next = planned(await feed.connectionState) { return next }
        return await changes.pick { if case .connection(let state) = $0 { planned(state) } else { nil } }
    }

    /// Runs `body` while time moves on to the end of each sleep that is due within `limit`, at most this number of
    /// times, and never while nothing sleeps so.
    func passing<Result: Sendable>(_ limit: Duration, times: Int = .max, _ body: () async -> Result) async -> Result {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [clock] in
                for _ in 0..<times {
                    if Task.isCancelled { return }
                    clock.advance(by: await clock.sleeper(within: .nanoseconds(1)...limit))
                }
            }
            let result = await body()
            group.cancelAll()
            return result
        }
    }
}

extension FeedWorld {
    /// - Parameters:
    ///   - answers: The answers for the first connections.
    ///   - wall: The time of day; nil: it goes with the clock.
    init(
        _ options: FeedOptions = FeedOptions(),
        _ answers: [FakeSocket.Answer] = [],
        token: UserTokenProvider? = nil,
        inbox: FakeInbox,
        keptIn storage: (any SuprSendStorage)? = nil,
        wall: (@Sendable () -> Date)? = nil
    ) async throws {
        let (socket, clock) = (FakeSocket(answers), ManualClock())
        let client = try SuprSendClient.test(
            http: inbox,
            webSocket: socket,
            environment: ClientEnvironment(
                now: wall ?? { base.date.addingTimeInterval(clock.now.offset / .seconds(1)) },
                clock: clock,
                // Not 1: no attempt is due together with another sleep that begins with it.
                jitter: { 0.99 }
            ),
            token: token
        )
        let feed =
            if let storage { try await client.feeds.initialize(options, keptIn: storage) } else {
                try client.feeds.initialize(options)
            }
        self.init(
            client: client,
            feed: feed,
            inbox: inbox,
            socket: socket,
            clock: clock,
            events: await feed.events()
        )
    }
}

/// Runs a feed while `body` runs. `answers`: what the first connections get.
func withFeed(
    _ options: FeedOptions = FeedOptions(),
    _ answers: [FakeSocket.Answer] = [],
    token: UserTokenProvider? = nil,
    inbox: FakeInbox = FakeInbox(),
    keptIn storage: (any SuprSendStorage)? = nil,
    _ body: (FeedWorld) async throws -> Void
) async throws {
    let world = try await FeedWorld(options, answers, token: token, inbox: inbox, keptIn: storage)
    try await withThrowingTaskGroup { group in
        group.addTask { await world.feed.run() }
        try await body(world)
        group.cancelAll()
    }
    #expect(await world.feed.connectionState == .offline(nil, nextAttempt: nil))
}
