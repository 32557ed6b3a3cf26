import Basics
import ClientKit
import Inbox
import Logging
import MagicBell
import TestSupport
import Testing

@testable import Agent

/// A running inbox at a fake service, and what it reports.
struct FollowedAccount {
    let service: FakeMagicBell
    let inbox: MagicBellInbox
    let clock: ManualClock
    private let events: Mailbox<ServiceEvent>

    /// Runs `body` beside an inbox, until it returns.
    static func with(
        _ service: FakeMagicBell = FakeMagicBell(),
        marks: DeliveryMarks = DeliveryMarks(),
        pageSize: Int = 5,
        tabs: [InboxTab] = [],
        connects: Bool = true,
        inboxTokens: InboxTokenStorage = InboxTokenStorage(),
        _ body: @escaping @Sendable (FollowedAccount) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let environment = ClientEnvironment(now: { service.now.date }, clock: clock, jitter: { 0 })
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let follower = InboxFollower(
            api: service,
            realtime: service,
            state: InboxMirror(
                pageSize: pageSize,
                tabs: tabs.compactMap { tab in StorePredicate(tab.predicate).map { (tab.id, $0) } }
            ),
            environment: environment,
            now: { service.now },
            logger: logger
        )
        let inbox = MagicBellInbox(
            api: service,
            follower: follower,
            inboxTokens: inboxTokens,
            tabs: tabs,
            pageSize: pageSize,
            hasNumberedPages: service.capabilities.contains(.totalCount),
            time: .init(now: { service.now }, serviceNow: { service.now }, changed: { _ in })
        )
        let events = Mailbox<ServiceEvent>()
        let account = FollowedAccount(service: service, inbox: inbox, clock: clock, events: events)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await inbox.run(after: marks) { events.send($0) } }
            if connects { service.send(.connected(isContinuous: false)) }
            try await body(account)
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// The first event for which `body` returns something.
    func next<Value>(_ body: (ServiceEvent) -> Value?) async throws -> Value {
        guard let value = await events.messages.pick("an event", body) else { throw CancellationError() }
        return value
    }

    func arrival() async throws -> (ids: [String], isCatchUp: Bool) {
        try await next { event in
            guard case .arrived(let notifications, let isCatchUp) = event else { return nil }
            return (notifications.map(\.id.rawValue), isCatchUp)
        }
    }

    @discardableResult
    func caughtUp() async throws -> Timestamp {
        try await next { if case .caughtUp(let newest) = $0 { newest } else { nil } }
    }

    func contents(where isWanted: (InboxUpdate) -> Bool = { _ in true }) async throws -> InboxUpdate {
        try await next { event in
            guard case .contents(let update) = event, isWanted(update) else { return nil }
            return update
        }
    }

    func connection(_ state: Connection.State) async throws -> Connection {
        try await next { event in
            guard case .connection(let connection) = event, connection.state == state else { return nil }
            return connection
        }
    }

    /// Runs `body` while time passes for every wait of at most these seconds.
    func passingTime<Result: Sendable>(
        seconds: Int64,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask {
                while !Task.isCancelled { await passTime(seconds: seconds) }
                return nil
            }
            group.addTask { try await body() }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }

    /// Lets the time of a wait pass.
    func passTime(seconds: Int64) async {
        let delay = await clock.sleeper(within: .zero ... .seconds(seconds))
        service.advance(seconds: seconds)
        clock.advance(by: delay)
    }
}
