package import Basics
import ClientKit
package import Inbox
import ServiceKit
import SuprSend

/// A SuprSend feed as an inbox.
package struct SuprSendInbox: InboxProvider {
    package let capabilities: Capabilities = [
        .archive, .seen, .pinOrder, .serverBadge, .stores, .preferences, .categoryPreferences, .channelLevels, .digest,
        .properties,
    ]
    package let rules: ServiceRules = Self.rules
    static let rules = ServiceRules(
        interactedIsRead: true,
        readIsSeen: true,
        channelSwitchesCategoryOn: true,
        seenAtOnce: 100,
        preferenceDelay: .seconds(1)
    )
    package let preferences: (any PreferencesProvider)?
    private let client: SuprSendClient
    private let feed: Feed
    private let environment: ServiceEnvironment
    private let link = ConnectionSupervisor()

    /// - Parameter language: The language of the preferences' names; nil: the service's default.
    init(client: SuprSendClient, feed: Feed, language: String?, environment: ServiceEnvironment) {
        self.client = client
        preferences = SuprSendPreferences(client.preferenceCalls, language: language)
        self.feed = feed
        self.environment = environment
    }

    /// The minimum interval between updates of the contents: converting and comparing the whole list causes most of the
    /// cost of a notification. New notifications are not delayed.
    private static let minimumInterval = Duration.milliseconds(50)

    package func run(after marks: DeliveryMarks, _ emit: @escaping @Sendable (ProviderEvent) async -> Void) async {
        await feed.resume(after: marks.watermark, announced: marks.shown.keys.map(\.rawValue))
        let events = await feed.events()
        let changes = Mailbox<Void>(.bufferingNewest(1))
        await withTaskGroup { group in
            group.addTask { await client.run() }
            group.addTask {
                await link.run {
                    await feed.run()
                } suspended: {
                    await emit(.connection(Connection(state: .suspended, since: environment.now())))
                }
            }
            group.addTask {
                for await event in events {
                    switch event {
                    case .newNotification(let row, let isCatchUp):
                        await emit(.arrived([Notification(row)], isCatchUp: isCatchUp))
                    case .notificationUpdate(let row): await emit(.updated(Notification(row)))
                    case .allRead: await emit(.allRead)
                    case .connection(let state):
                        await emit(.connection(connection(state)))
                    case .storeUpdate(let data):
                        // In the order of the events: the popups have the notifications that were announced before.
                        if let newest = data.caughtUp { await emit(.caughtUp(clamped(newest))) }
                        changes.send()
                    }
                }
            }
            group.addTask {
                for await _ in changes.messages {
                    await emit(.contents(await contents()))
                    try? await environment.clock.sleep(for: Self.minimumInterval)
                }
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// The service's clock may be wrong: a watermark in the future would suppress all notifications until then.
    private func clamped(_ moment: Timestamp) -> Timestamp {
        let now = environment.now()
        return moment < now.advanced(milliseconds: 86_400_000) ? moment : now
    }

    package func apply(_ made: TimestampedChange, isDelayed: Bool) async throws(ProviderFailure) {
        do throws(SuprSendError) {
            switch made.change {
            case .interacted(let id): try await feed.markAsInteracted(id.rawValue)
            case .seen(let ids): try await feed.markBulkAsSeen(ids.map(\.rawValue))
            case .read(let id): try await feed.markAsRead(id.rawValue)
            case .unread(let id): try await feed.markAsUnread(id.rawValue)
            case .archive(let id): try await feed.markAsArchived(id.rawValue)
            case .allRead where isDelayed: try await feed.markAllAsRead(upTo: made.time)
            case .badgeReset where isDelayed:
                try await feed.resetBadgeCount(upTo: made.time)
            case .allRead: try await feed.markAllAsRead()
            case .badgeReset: try await feed.resetBadgeCount()
            case .unarchive, .delete:
                throw SuprSendError(.invalidArgument, "SuprSend does not support this action.")
            }
        } catch {
            throw ProviderFailure(changing: error)
        }
    }

    package func notification(_ id: NotificationID) async throws(ProviderFailure) -> Notification {
        do { return Notification(try await feed.fetchDetails(id.rawValue)) } catch { throw ProviderFailure(error) }
    }

    package var serviceTime: Timestamp { get async { await feed.serviceTime } }

    package func newest() async throws(ProviderFailure) -> (notifications: [Notification], isAll: Bool) {
        do {
            let page = try await feed.newestPage()
            return (page.rows.map(Notification.init), !page.hasFurther)
        } catch {
            throw ProviderFailure(error)
        }
    }

    package func contents() async -> InboxContents { InboxContents(await feed.data) }

    package func fetchMore() async throws(ProviderFailure) -> Int {
        let before = await feed.data
        do {
            if before.pageInfo.hasMore {
                try await feed.fetchNextPage()
            } else if before.status != .success {
                // Whether there are more pages is unknown before the first load.
                try await feed.refresh()
            }
        } catch {
            throw ProviderFailure(error)
        }
        return await max(0, feed.data.notifications.count - before.notifications.count)
    }

    package func refresh() async throws(ProviderFailure) {
        do { try await feed.refresh() } catch { throw ProviderFailure(error) }
    }

    package func setActiveStore(_ id: String) async throws(ProviderFailure) {
        do { try await feed.changeActiveStore(id) } catch {
            if error.kind == .invalidArgument {
                throw ProviderFailure(.notFound, "\(error.message) See the stores in the configuration.")
            }
            throw ProviderFailure(error)
        }
    }

    package func reconnect() async {
        await environment.keyring.allowPrompts()
        if await link.isSuspended { await link.restart() } else { await feed.reconnect() }
    }

    package func suspend() async { await link.suspend() }

    package func reconnectNow() async { await link.restart() }

    package func wallClockChanged(by change: Duration) async { await client.wallClockChanged(by: change) }

    package func setNetworkUnavailable(_ isUnavailable: Bool) async {
        await link.setNetworkUnavailable(isUnavailable)
    }

    private func connection(_ state: ConnectionState) async -> Connection {
        let now = environment.now()
        if await link.isSuspended { return Connection(state: .suspended, since: now) }
        var connection = Connection(state, now: now)
        if let failure = connection.failure, failure.kind == .transient, await link.isNetworkAway {
            connection.failure?.sentence = "This computer seems to have no network. \(failure.sentence)"
        }
        return connection
    }
}

extension Connection {
    fileprivate init(_ state: ConnectionState, now: Timestamp) {
        switch state {
        // Without an error, no attempt was made yet.
        case .connecting, .offline(nil, _): self.init(state: .connecting, since: now)
        case .offline(let error?, let next):
            self.init(
                state: .offline,
                since: now,
                nextAttempt: next.map { Timestamp($0) },
                failure: ProviderFailure(error)
            )
        case .online(let since): self.init(state: .online, since: Timestamp(since))
        case .unauthorized(let error): self.init(state: .unauthorized, since: now, failure: ProviderFailure(error))
        }
    }
}
