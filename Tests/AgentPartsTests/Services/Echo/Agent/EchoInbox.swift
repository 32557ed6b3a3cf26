import Basics
import ClientKit
import FoundationEssentials
import Inbox

@testable import Agent

/// A user's inbox at Echo.
struct EchoInbox: SupervisedInbox {
    let capabilities: Capabilities = [.archive, .unarchive, .delete, .seen, .preferences, .categoryPreferences]
    let rules: ServiceRules = Self.rules
    static let rules = ServiceRules(
        interactedIsRead: true,
        readIsSeen: true,
        preferenceDelay: .milliseconds(200)
    )
    let tabs: [InboxTab] = []
    let pageSize: Int
    let feed: EchoFeed
    let token: AccountToken?
    /// The source of the token, for advice.
    let source: TokenSource
    let environment: ServiceEnvironment
    let link = ConnectionSupervisor()

    private var api: EchoAPI { feed.api }
    var preferences: (any PreferencesService)? { EchoPreferences(feed: feed) }

    func run(after marks: DeliveryMarks, _ report: @escaping @Sendable (ServiceEvent) -> Void) async {
        await feed.begin(after: marks, report) { report(.connection(connection($0))) }
        await supervise(now: environment.now, report) { await feed.run() }
        // The reports retain the account.
        await feed.end()
    }

    /// The service's responses contain its time in whole seconds.
    var serviceTime: Timestamp {
        get async { Timestamp(api.context.now.addingTimeInterval(-1)) }
    }

    func apply(_ made: TimestampedChange, isDelayed: Bool) async throws(ServiceFailure) {
        do throws(EchoError) {
            switch made.change {
            case .interacted(let id): try await change(id, "followed", true)
            case .read(let id): try await change(id, "read", true)
            case .unread(let id): try await change(id, "read", false)
            case .archive(let id): try await change(id, "archived", true)
            case .unarchive(let id): try await change(id, "archived", false)
            case .seen(let ids): for id in ids { try await change(id, "seen", true) }
            case .delete(let id): await feed.confirmRemoval(try await api.delete(id))
            case .allRead: await feed.confirm(try await api.readAll(upTo: made.time))
            case .badgeReset: throw EchoError(kind: .invalidArgument, message: "Echo has no badge.")
            }
        } catch {
            throw ServiceFailure(changing: error)
        }
    }

    private func change(_ id: NotificationID, _ mark: String, _ value: Bool) async throws(EchoError) {
        await feed.confirm(try await api.change(id, [mark: .bool(value)]))
    }

    func notification(_ id: NotificationID) async throws(ServiceFailure) -> Notification {
        do throws(EchoError) {
            if let row = try await api.notification(id).notifications.first, row.id == id { return row }
            throw EchoError(kind: .unexpectedAnswer, message: "Echo returned another notification.")
        } catch {
            throw ServiceFailure(error)
        }
    }

    func newest() async throws(ServiceFailure) -> (notifications: [Notification], isAll: Bool) {
        do {
            let page = try await api.page(EchoAPI.Page(size: pageSize))
            return (page.notifications, !page.hasMore)
        } catch {
            throw ServiceFailure(error)
        }
    }

    func page(
        of predicate: InboxPredicate,
        after place: SortKey?,
        size: Int,
        skipsTies: Bool
    ) async throws(ServiceFailure) -> ViewPage {
        // Echo has neither tags nor topics.
        guard predicate.tags.isEmpty, predicate.topics.isEmpty else { return ViewPage([], hasMore: false) }
        let last = place.map { $0.time.advanced(milliseconds: skipsTies ? -1 : 0) }
        do {
            let page = try await api.page(EchoAPI.Page(predicate: predicate, last: last, size: min(size, 100)))
            return ViewPage(page.notifications, hasMore: page.hasMore)
        } catch {
            throw ServiceFailure(error)
        }
    }

    func refresh() async throws(ServiceFailure) {
        do { try await feed.load() } catch { throw ServiceFailure(error) }
    }

    func reconnect() async {
        await environment.keyring.allowPrompts()
        api.tokens.renew()
        token?.restart()
        if link.isSuspended { await link.restart() } else { await feed.reconnect() }
    }

    func wallClockChanged(by change: Duration) async { api.context.wallClockChanged(by: change) }

    private func connection(_ state: EchoFeed.State) -> Connection {
        let now = environment.now()
        switch state {
        case .connecting: return supervised(Connection(state: .connecting, since: now), now: now)
        case .online: return supervised(Connection(state: .online, since: now), now: now)
        case .lost(let error, let next):
            var failure = ServiceFailure(error)
            let isRefused = failure.kind == .unauthorized
            // Otherwise the source of the token has failed.
            if isRefused, error.status != nil {
                failure.sentence = "Echo does not accept your token. \(source.cure(account: environment.account))"
                failure.needsNewToken = source.isReplaceable(of: environment.account)
            }
            let connection = Connection(
                state: isRefused ? .unauthorized : .offline,
                since: now,
                nextAttempt: isRefused ? nil : Timestamp(next),
                failure: failure
            )
            return supervised(connection, now: now)
        }
    }
}
