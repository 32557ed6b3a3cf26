package import Inbox
import SuprSend

/// A SuprSend feed as an inbox.
package struct SuprSendInbox: InboxProvider {
    package let capabilities: Capabilities = [
        .archive, .seen, .pinOrder, .serverBadge, .stores, .preferences, .categoryPreferences, .channelLevels,
    ]
    private let feed: Feed
    private let surroundings: Surroundings

    init(feed: Feed, surroundings: Surroundings) {
        self.feed = feed
        self.surroundings = surroundings
    }

    package func run(_ emit: @escaping @Sendable (ProviderEvent) async -> Void) async {
        let events = await feed.events()
        await withTaskGroup { group in
            group.addTask { await feed.run() }
            group.addTask {
                for await event in events { await deliver(event, emit) }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func deliver(_ event: FeedEvent, _ emit: @Sendable (ProviderEvent) async -> Void) async {
        switch event {
        case .newNotification(let row, let catchUp): await emit(.arrived([Item(row)], caughtUp: catchUp))
        case .storeUpdate(let data): await emit(.contents(InboxContents(data)))
        case .connection(let state): await emit(.connection(Connection(state, now: surroundings.now())))
        }
    }

    package func apply(_ change: Change) async throws(ProviderFailure) {
        do {
            switch change {
            case .interacted(let id): try await feed.markAsInteracted(id.rawValue)
            case .seen(let ids): try await feed.markBulkAsSeen(ids.map(\.rawValue))
            }
        } catch {
            throw ProviderFailure(error)
        }
    }

    package func item(_ id: ItemID) async throws(ProviderFailure) -> Item {
        do {
            return Item(try await feed.fetchDetails(id.rawValue))
        } catch {
            throw ProviderFailure(error)
        }
    }

    package func reconnect() async { await feed.reconnect() }
}

extension Connection {
    fileprivate init(_ state: ConnectionState, now: Timestamp) {
        switch state {
        case .offline(let error, let next):
            self.init(
                state: .offline,
                since: now,
                nextAttempt: next.map { Timestamp($0) },
                failure: error.map { ProviderFailure($0) }
            )
        case .connecting: self.init(state: .connecting, since: now)
        case .online(let since): self.init(state: .online, since: Timestamp(since))
        case .unauthorized(let error): self.init(state: .unauthorized, since: now, failure: ProviderFailure(error))
        }
    }
}
