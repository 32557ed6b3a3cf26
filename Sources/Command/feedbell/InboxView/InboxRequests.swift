import AgentInterface
import DBus
import Glibc
import InboxPresentation

/// The requests of ``InboxScreen`` to the agent.
struct InboxRequests: Sendable {
    /// The agent's own object.
    let root: AgentObject

    /// - Parameter hasList: Whether the notifications are loaded, too.
    func load(_ place: InboxScreen.Place, hasList: Bool = true) async throws -> InboxScreen.Contents {
        async let rootProperties = root.properties(AgentRoot.self)
        let found = try await root.accounts()
        let accounts = found.values.map(AccountState.init).sorted { $0.name < $1.name }
        let inboxes = try await inboxes(of: place.account.map { [$0] } ?? accounts.map(\.name))
        var options = ListOptions()
        options.tab = place.tab.isEmpty ? nil : place.tab
        options.snoozed = place.id == nil ? place.isSnoozed : nil
        options.ids = place.id.map { [$0] }
        options.text = place.search.isEmpty ? nil : place.search
        options.unread = place.isUnreadOnly ? true : nil
        options.category = place.category
        (options.limit, options.takesLoaded) = (place.limit.map(UInt32.init(clamping:)), place.limit.map { _ in true })
        let now = LocalTime.now
        var contents = InboxScreen.Contents(accounts: accounts, place: place, now: now)
        let agent = try await rootProperties
        contents.pause = .init(isOn: agent[AgentRoot.paused] ?? false, until: agent[AgentRoot.pausedUntil] ?? 0)
        contents.keys = InboxKeys(agent[AgentRoot.inboxKeys] ?? [:])
        guard hasList else { return contents }
        contents.notifications = []
        do {
            contents.notifications = try await MergedList(of: inboxes, tab: options.tab, options).notifications
        } catch let failure as Failure {
            let waiting = inboxes.compactMap { found[$0.proxy.path] }.map { PropertyValues<AgentAccount>(in: $0) }
            guard failure.code == .offline || failure.code == .attentionNeeded,
                let account = waiting.first(where: { !$0.isCounted })
            else { throw failure }
            contents.notLoaded = AccountText.notLoaded(account, now: now)
        }
        return contents
    }

    /// The objects of the accounts. Without an account it throws the failure that says so.
    private func inboxes(of names: [String]) async throws -> [AgentObject] {
        if names.isEmpty { return [try await root.account(nil)] }
        var inboxes: [AgentObject] = []
        for name in names { inboxes.append(try await root.account(name)) }
        return inboxes
    }

    func perform(_ request: InboxScreen.Request, of account: String) async throws {
        switch request {
        case .pause: return try await root.call(AgentRoot.pause, 0)
        case .resume: return try await root.call(AgentRoot.resume)
        default: break
        }
        let inbox = try await root.account(account)
        switch request {
        case .inbox(let call): try await inbox.perform(call)
        case .more(let tab): try await inbox.call(AgentInbox.fetchMore, tab)
        case .setPreference(let category, let channel, let isOn):
            let preference = PreferenceSwitch(isOn: isOn).rawValue
            if let channel {
                try await inbox.call(AgentPreferences.setCategoryChannel, category, channel, preference)
            } else {
                try await inbox.call(AgentPreferences.setCategory, category, preference)
            }
        case .pause, .resume, .undo: break
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
