package import Basics
package import SuprSend

extension FeedDriver {
    /// What asks for the list and the counts.
    package enum Origin: Sendable, Equatable {
        case app
        /// The feed itself, after events.
        case feed
        /// The feed itself, to load the list again.
        case reload
    }

    package enum Question {
        case load(FeedState.Load, Origin)
        case scan(CatchUpScan, FeedCall)
        case count(FeedState.Count, Origin)
        case details(FeedState.DetailRequest)
        case row(id: String, number: UInt64)
        case action(FeedAction, number: UInt64)
    }

    package enum Answer {
        case page(NotificationPage)
        case counts(NotificationCounts)
        case row(FeedNotification?)
        case done
    }
}

extension FeedDriver.Question {
    /// Whether it is cancelled when `Feed.run()` ends.
    package var endsWithRun: Bool {
        switch self {
        case .load(_, let origin), .count(_, let origin): origin != .app
        case .scan, .details: true
        case .row, .action: false
        }
    }

    /// Whether it is one for a page of a list.
    package var isPage: Bool {
        switch self {
        case .load, .scan: true
        case .count, .details, .row, .action: false
        }
    }
}

extension SuprSendModel {
    /// Performs a request, with the counts of these stores. Returns the events, too.
    package mutating func answer(
        _ question: FeedDriver.Question,
        counting stores: [NotificationStore],
        now: Timestamp
    ) -> (FeedDriver.Answer, [RealtimeEvent]) {
        switch question {
        case .action(let action, _):
            perform(action, now: now)
            return (.done, takeEvents())
        case .load(let load, _): return (.page(page(load.call, now: now)), [])
        case .scan(_, let call): return (.page(page(call, now: now)), [])
        case .count: return (.counts(counts(stores, now: now)), [])
        case .details(let request): return (.row(rows[request.id]), [])
        case .row(let id, _): return (.row(rows[id]), [])
        }
    }
}
