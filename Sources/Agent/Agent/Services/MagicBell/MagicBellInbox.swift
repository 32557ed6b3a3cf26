package import Basics
package import ClientKit
import FoundationEssentials
package import Inbox
import MagicBell
import Synchronization

/// A user's inbox at MagicBell.
package struct MagicBellInbox: SupervisedInbox {
    package let capabilities: Capabilities
    package let rules: ServiceRules = Self.rules
    /// The service does not record clicks: a click marks as read.
    static let rules = ServiceRules(
        interactedIsRead: true,
        readIsSeen: true,
        badgeIsUnseen: true,
        // It counts as on while one of its channels is.
        channelSwitchesCategoryOn: true,
        seenAtOnce: 1,
        preferenceDelay: .seconds(1)
    )
    package let preferences: (any PreferencesService)?
    package let tabs: [InboxTab]
    package let pageSize: Int
    let api: any InboxAPI
    let follower: InboxFollower
    private let inboxTokens: InboxTokenStorage
    private let time: Clocks
    private let lists: InboxLists
    /// nil: the account has no user token.
    private let tokenUsers: TokenUsers?
    /// nil: the account has none from a source.
    package let token: AccountToken?
    private let refusal: @Sendable (ServiceFailure) -> ServiceFailure
    package let link = ConnectionSupervisor()
    private let allowPrompts: @Sendable () async -> Void
    private let retireConnections: @Sendable () -> Void

    /// The clocks of an inbox.
    struct Clocks: Sendable {
        /// The wall clock.
        var now: @Sendable () -> Timestamp
        /// The service's clock; if it is not known exactly, an earlier time.
        var serviceNow: @Sendable () -> Timestamp
        /// The wall clock was set forward by this; negative: back.
        var changed: @Sendable (Duration) -> Void
    }

    /// - Parameters:
    ///   - follower: Of the same inbox.
    ///   - inboxTokens: Keeps the token of the follower's socket.
    ///   - hasNumberedPages: Whether the pages of `api` have numbers.
    ///   - tokenUsers: The users of the account's user tokens; nil: it has none.
    ///   - token: The account's user token or HMAC; nil: it has none from a source.
    ///   - refusal: Adds to a refusal of the credentials with status 401 what to do.
    ///   - allowPrompts: The user wants a connection: the keyring may show prompts again.
    ///   - retireConnections: The connections of requests may be dead without an error.
    init(
        api: any InboxAPI,
        follower: InboxFollower,
        inboxTokens: InboxTokenStorage = InboxTokenStorage(),
        tabs: [InboxTab],
        pageSize: Int,
        hasNumberedPages: Bool,
        tokenUsers: TokenUsers? = nil,
        token: AccountToken? = nil,
        refusal: @escaping @Sendable (ServiceFailure) -> ServiceFailure = { $0 },
        time: Clocks,
        allowPrompts: @escaping @Sendable () async -> Void = {},
        retireConnections: @escaping @Sendable () -> Void = {}
    ) {
        capabilities = Capabilities(api.capabilities)
        preferences = MagicBellPreferences(api)
        self.api = api
        self.follower = follower
        self.inboxTokens = inboxTokens
        self.tabs = tabs
        self.pageSize = pageSize
        self.time = time
        self.tokenUsers = tokenUsers
        self.token = token
        self.refusal = refusal
        self.allowPrompts = allowPrompts
        self.retireConnections = retireConnections
        lists = InboxLists(api: api, hasNumberedPages: hasNumberedPages)
    }

    package func run(after marks: DeliveryMarks, _ report: @escaping @Sendable (ServiceEvent) -> Void) async {
        guard let tokenUsers else { return await follow(after: marks, report) }
        await withDiscardingTaskGroup { group in
            group.addTask { await tokenUsers.followOthers { report(.identified($0)) } }
            group.addTask { await follow(after: marks, report) }
        }
    }

    private func follow(after marks: DeliveryMarks, _ report: @escaping @Sendable (ServiceEvent) -> Void) async {
        await follower.begin(after: marks, report) { report(.connection(connection($0))) }
        await supervise(now: time.now, report) {
            await follower.run()
            // After a sleep, or on another network, the connections may be dead without an error.
            retireConnections()
        }
        // The follower retains the account.
        await follower.end()
    }

    private func connection(_ status: FollowStatus<MagicBellError>) -> Connection {
        let now = time.now()
        let connection =
            switch status.state {
            case .idle, .connecting: Connection(state: .connecting, since: now)
            case .online(let since): Connection(state: .online, since: Timestamp(since))
            case .offline(let problem):
                Connection(
                    state: .offline,
                    since: now,
                    nextAttempt: problem.nextAttempt.map { Timestamp($0) },
                    failure: ServiceFailure(problem.error)
                )
            case .unauthorized(let error):
                Connection(
                    state: .unauthorized,
                    since: now,
                    failure: error.status == 401 ? refusal(ServiceFailure(error)) : ServiceFailure(error)
                )
            }
        return supervised(connection, now: now)
    }

    package func signOut() async throws(ServiceFailure) {
        guard let registration = await inboxTokens.load() else { return }
        do { try await api.deleteInboxToken(registration.token) } catch { throw ServiceFailure(error) }
        await inboxTokens.save(nil)
    }

    package var serviceTime: Timestamp { get async { time.serviceNow() } }

    // MARK: Look-ups

    /// Whether the id is a UUID.
    package func isID(_ id: NotificationID) -> Bool { UUID(uuidString: id.rawValue) != nil }

    package func notification(_ id: NotificationID) async throws(ServiceFailure) -> Notification {
        do { return Notification(try await follower.notification(id.rawValue)) } catch { throw ServiceFailure(error) }
    }

    package func newest() async throws(ServiceFailure) -> (notifications: [Notification], isAll: Bool) {
        do {
            let page = try await api.page(of: StorePredicate(), after: nil, size: PageSearch.longestPage)
            return (page.notifications.map { Notification($0) }, page.next == nil)
        } catch {
            throw ServiceFailure(error)
        }
    }

    package func page(
        of predicate: InboxPredicate,
        after place: SortKey?,
        size: Int,
        skipsTies: Bool
    ) async throws(ServiceFailure) -> ViewPage {
        // MagicBell has no tags.
        guard let predicate = StorePredicate(predicate) else { return ViewPage([], hasMore: false) }
        let loaded = if let place { await follower.count(of: predicate, downTo: place.time) } else { 0 }
        do {
            let page = try await lists.page(
                of: predicate,
                after: place,
                size: size,
                skipsTies: skipsTies,
                estimate: loaded
            )
            return ViewPage(page.notifications.map { Notification($0) }, hasMore: page.hasMore)
        } catch {
            throw ServiceFailure(error)
        }
    }

    package func refresh() async throws(ServiceFailure) {
        do { try await follower.refresh() } catch { throw ServiceFailure(error) }
    }

    // MARK: The connection

    package func reconnect() async {
        await allowPrompts()
        api.renewCredentials()
        token?.restart()
        if link.isSuspended { await link.restart() } else { await follower.reconnect() }
    }

    package func wallClockChanged(by change: Duration) async {
        time.changed(change)
        await follower.wallClockChanged()
    }
}

extension Capabilities {
    /// The capabilities of an API of MagicBell. Opening the inbox resets the badge, the number of unseen notifications:
    /// it marks all as seen.
    init(_ api: APICapabilities) {
        self = [.archive, .unarchive, .serverBadge, .tabs, .preferences]
        if api.contains(.delete) { insert(.delete) }
        if api.contains(.seen) { insert(.seen) }
        if api.contains(.topics) { insert(.topics) }
    }
}
