import AgentInterface
import DBus
import Glibc
import InboxPresentation

/// The requests of ``InboxScreen`` to the agent.
struct InboxRequests: Sendable {
    /// The agent's own object.
    let root: AgentObject

    func load(_ place: InboxScreen.Place) async throws -> InboxScreen.Contents {
        async let rootProperties = root.properties(AgentRoot.self)
        let found = try await root.accounts()
        let objects = found.values.sorted { Self.name(of: $0) < Self.name(of: $1) }
        let accounts = objects.map(InboxScreen.Account.init)
        // Without an account it throws the failure that says so.
        let names = place.account.map { [$0] } ?? accounts.map(\.name)
        var inboxes: [AgentObject] = names.isEmpty ? [try await root.account(nil)] : []
        for name in names { inboxes.append(try await root.account(name)) }
        var options = ListOptions()
        options.tab = place.tab.isEmpty ? nil : place.tab
        options.snoozed = false
        options.text = place.search.isEmpty ? nil : place.search
        options.unread = place.isUnreadOnly ? true : nil
        options.category = place.category
        (options.limit, options.takesLoaded) = (place.limit.map(UInt32.init(clamping:)), place.limit.map { _ in true })
        let now = LocalTime.now
        var contents = InboxScreen.Contents(accounts: accounts, place: place, notifications: [], now: now)
        let agent = try await rootProperties
        contents.pause = .init(isOn: agent[AgentRoot.paused] ?? false, until: agent[AgentRoot.pausedUntil] ?? 0)
        contents.keys = InboxKeys(agent[AgentRoot.inboxKeys] ?? [:])
        do {
            contents.notifications = try await MergedList(of: inboxes, tab: options.tab, options).notifications
        } catch let failure as Failure {
            let waiting = inboxes.compactMap { found[$0.proxy.path] }.map { PropertyValues<AgentAccount>(in: $0) }
            guard failure.code == .offline || failure.code == .attentionNeeded,
                let account = waiting.first(where: { !$0.isCounted })
            else { throw failure }
            contents.notLoaded = AccountWords.notLoaded(account, now: now)
        }
        return contents
    }

    private static func name(of object: [String: [String: Value]]) -> String {
        PropertyValues<AgentAccount>(in: object)[AgentAccount.accountName] ?? ""
    }

    func perform(_ request: InboxScreen.Request, of account: String) async throws {
        switch request {
        case .pause: return try await root.call(AgentRoot.pause, 0)
        case .resume: return try await root.call(AgentRoot.resume)
        default: break
        }
        let inbox = try await root.account(account)
        switch request {
        case .open(let id): try await inbox.call(AgentInbox.open, id, PlatformData().values)
        case .invoke(let id, let action):
            try await inbox.call(AgentInbox.invoke, id, action, PlatformData().values)
        case .markSeen(let ids): try await inbox.call(AgentInbox.markSeen, ids)
        case .resetBadge: try await inbox.call(AgentInbox.resetBadge)
        case .markRead(let ids): try await inbox.call(AgentInbox.markRead, ids)
        case .markUnread(let ids): try await inbox.call(AgentInbox.markUnread, ids)
        case .archive(let ids): try await inbox.call(AgentInbox.archive, ids)
        case .unarchive(let ids): try await inbox.call(AgentInbox.unarchive, ids)
        case .delete(let ids): try await inbox.call(AgentInbox.delete, ids)
        case .snooze(let ids, let until): try await inbox.call(AgentInbox.snooze, ids, until)
        case .markAllRead: try await inbox.call(AgentInbox.markAllRead)
        case .refresh: try await inbox.call(AgentInbox.refresh)
        case .more(let tab): try await inbox.call(AgentInbox.fetchMore, tab)
        case .setPreference(let category, let channel, let isOn):
            let preference = PreferenceSwitch(isOn: isOn).rawValue
            if let channel {
                try await inbox.call(AgentPreferences.setCategoryChannel, category, channel, preference)
            } else {
                try await inbox.call(AgentPreferences.setCategory, category, preference)
            }
        case .pause, .resume: break
        }
    }

    /// The reply to ``InboxScreen/Effect/loadPreferences(account:)``.
    func preferences(of account: String) async -> InboxScreen.Event {
        do {
            let categories = try await root.account(account).categories()
            return .preferencesLoaded(account: account, categories, failure: nil)
        } catch {
            return .preferencesLoaded(account: account, [], failure: Self.sentence(error))
        }
    }

    static func sentence(_ error: any Error) -> String { (error as? Failure)?.sentence ?? "\(error)" }
}

extension InboxScreen.Account {
    /// An account's object.
    fileprivate init(_ object: [String: [String: Value]]) {
        let account = PropertyValues<AgentAccount>(in: object)
        let inbox = PropertyValues<AgentInbox>(in: object)
        let state = account[AgentAccount.state] ?? ""
        let capabilities = account[AgentAccount.capabilities] ?? []
        self.init(
            name: account[AgentAccount.accountName] ?? "",
            unread: account.isCounted ? inbox[AgentInbox.unreadCount] : nil,
            state: state == "online" ? "" : state,
            tabs: (inbox[AgentInbox.tabs] ?? []).map { tab in
                let (id, label, unread) = tab.elements
                return InboxScreen.Tab(id: id, label: label.isEmpty ? id : label, unread: unread)
            },
            age: AccountWords.age(of: inbox[AgentInbox.asOf] ?? 0, account, now: LocalTime.now) ?? "",
            recordsSeen: capabilities.contains("seen"),
            badge: capabilities.contains("server-badge") ? inbox[AgentInbox.badgeCount] ?? 0 : 0,
            capabilities: capabilities,
            total: account.isCounted ? inbox[AgentInbox.totalCount] : nil
        )
    }
}
