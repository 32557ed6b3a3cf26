import Testing

@testable import SuprSend

/// Drives a ``FeedState`` as a feed does, with given answers.
struct StateDriver {
    var state: FeedState
    var effects: [FeedState.Effect] = []
    var now = base

    init(_ stores: [NotificationStore]? = nil, maximumRows: Int = 200) {
        state = FeedState(stores: stores, maximumRows: maximumRows)
    }

    /// Loads the first page, or it again; without `counts` the numbers stay as they are.
    mutating func load(_ rows: [FeedNotification], hasMore: Bool = false, counts: NotificationCounts? = nil) {
        let load = state.beginRefresh(isQuiet: true)
        let count = state.beginCount()
        effects +=
            state.finish(load, .success(.init(rows: rows, total: rows.count, hasMore: hasMore)), now: now).effects
        _ = state.finish(count, counts ?? .init(badge: meta.badge, stores: meta.stores), now: now)
    }

    /// The event, and its details.
    mutating func news(_ row: FeedNotification) {
        effects += state.receive(.newNotification(id: row.id), now: now)
        answerDetails([row])
    }

    mutating func update(_ row: FeedNotification, counts: NotificationCounts? = nil) {
        effects += state.receive(.notificationUpdate(id: row.id), now: now)
        answerDetails([row])
        if state.wantsCount { count(counts) }
    }

    /// Answers a request for the list.
    mutating func finish(_ load: FeedState.Load, _ page: NotificationPage) -> FeedState.LoadOutcome {
        let (fit, new) = state.finish(load, .success(page), now: now)
        effects += new
        return fit
    }

    mutating func count(_ counts: NotificationCounts?) {
        let count = state.beginCount()
        effects += state.finish(count, counts, now: now)
    }

    mutating func answerDetails(_ rows: [FeedNotification]) {
        while let request = state.beginDetails() {
            if let row = rows.first(where: { $0.id == request.id }) {
                effects += state.finishDetails(request, row, now: now)
            } else {
                fail(request, SuprSendError(.rejected, "no"))
            }
        }
    }

    struct Nothing: Error {}

    mutating func begin(_ action: FeedAction) throws -> UInt64 {
        guard let begun = state.begin(action, now: now) else { throw Nothing() }
        return begun.number
    }

    /// As the agent does, which shows the action itself.
    mutating func beginUnshown(_ action: FeedAction) throws -> UInt64 {
        guard let number = state.beginUnshown(action, now: now) else { throw Nothing() }
        return number
    }

    mutating func fetch() throws -> FeedState.Load {
        guard let load = try state.beginFetch() else { throw Nothing() }
        return load
    }

    mutating func change(to store: String) throws -> FeedState.Load {
        guard let load = try state.changeStore(store) else { throw Nothing() }
        return load
    }

    /// The request for a row fails. By default, it may succeed later.
    mutating func fail(
        _ request: FeedState.DetailRequest,
        _ error: SuprSendError = SuprSendError(.serverFailure, "no")
    ) {
        effects += state.failDetails(request, error, now: now).effects
    }

    mutating func ticket() throws -> FeedState.DetailRequest {
        guard let ticket = state.beginDetails() else { throw Nothing() }
        return ticket
    }

    /// Expects these effects since the last call.
    mutating func expect(_ expected: [FeedState.Effect], sourceLocation: SourceLocation = #_sourceLocation) {
        let actual = takeEffects()
        #expect(actual == expected, sourceLocation: sourceLocation)
    }

    mutating func takeEffects() -> [FeedState.Effect] {
        defer { effects = [] }
        return effects
    }

    var ids: [String] { state.data.notifications.map(\.id) }
    var meta: FeedData.Meta { state.data.meta }
}
