package import AgentInterface

/// The preferences of all accounts: what the user does and what the agent reports in, requests out. What it shows is in
/// `PreferencesPage+Shown.swift`.
package struct PreferencesPage: Equatable, Sendable {
    package enum Event: Equatable, Sendable {
        case opened
        case closed
        /// Show a category, as soon as it is listed.
        case show(account: String, category: String)
        /// All accounts, in the order of the configuration.
        case accounts([AccountState])
        case listed(account: String, PreferencesReply)
        /// These categories have changed; none: list all again.
        case changed(account: String, [CategoryRecord])
        /// The service has rejected a change of a category or channel, and the agent has reverted it.
        case rejected(account: String, target: String, reason: String)
        /// The rows below a row are to be shown.
        case unfolded(account: String, PreferenceRow)
        /// The user has changed the value of a row.
        case set(account: String, PreferenceRow, FormValue)
        /// A request has ended; `failure`: in a sentence, nil if it succeeded.
        case finished(PreferenceRequest, failure: String?)
    }

    package enum Effect: Equatable, Sendable {
        case list(account: String)
        case send(PreferenceRequest)
        case openForm(AccountForm.Purpose)
        /// Show a row.
        case focus(PreferenceRow)
        /// A short message.
        case show(String)
    }

    private struct Wanted: Equatable, Sendable {
        var account: String
        var category: String
    }

    struct Contents: Equatable, Sendable {
        var isLoading = true
        /// Whether something has changed while it is loaded: the reply may be older.
        var isOutdated = false
        /// Why nothing is known, in a sentence.
        var failure: String?
        var categories: [CategoryRecord] = []
        var levels: [ChannelSetting] = []
        /// The number of categories that are shown.
        var shownCategories = PreferencesPage.categoryStep
        /// The rows below which others are shown.
        var unfolded: Set<PreferenceRow> = []
        /// Values of the user that the agent has not reported yet.
        var set: [PreferenceRow: FormValue] = [:]
    }

    /// The limits of an account's categories, and of the channels, properties and choices of each: of what an agent or
    /// a service sends beyond them, nothing is shown.
    package static let (categoryLimit, partLimit) = (1_000, 100)
    /// The number of categories that are shown at first, and then with each press: each is a row of several widgets.
    static let categoryStep = 50

    private(set) var accountStates: [AccountState] = []
    private(set) var contents: [String: Contents] = [:]
    private var isOpen = false
    /// The category to show when its account's are listed.
    private var wanted: Wanted?
    /// The account that was chosen; nil: none was.
    private var chosen: String?

    package init() {}

    package mutating func receive(_ event: Event) -> [Effect] { handle(event) + effectsOfWanted() }

    /// Shows the wanted category, which may be beyond those that are shown at first.
    private mutating func effectsOfWanted() -> [Effect] {
        guard let wanted, let known = contents[wanted.account], !known.isLoading else { return [] }
        self.wanted = nil
        guard let index = known.categories.firstIndex(where: { $0.id == wanted.category }) else { return [] }
        contents[wanted.account]?.shownCategories = max(known.shownCategories, index + 1)
        chosen = wanted.account
        return [.focus(.category(wanted.category))]
    }

    private mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .opened:
            isOpen = true
            return accounts.map { list($0) }
        case .closed:
            isOpen = false
            contents = [:]
            wanted = nil
        case .show(let account, let category): wanted = Wanted(account: account, category: category)
        case .accounts(let new): return accountsAre(new)
        case .listed(let account, let reply): return listed(account, reply)
        case .changed(let account, let categories): return changed(account, categories)
        case .rejected(let account, let target, let reason):
            guard let known = contents[account] else { return [] }
            let name = known.categories.first { $0.id == target }?.name.nameLine ?? ChannelName.text(target)
            return [.show("\(name): \(reason)")]
        case .unfolded(let account, let row): contents[account]?.unfolded.insert(row)
        case .set(let account, .more, _): contents[account]?.shownCategories += Self.categoryStep
        case .set(_, .account, .choice(let index?)) where accounts.indices.contains(index): chosen = accounts[index]
        case .set(let account, .signIn, _): return [.openForm(.signIn(account: account))]
        case .set(let account, let row, let value):
            guard let change = change(of: row, to: value, in: account) else { return [] }
            contents[account]?.set[row] = value
            return [.send(PreferenceRequest(account: account, row: row, change: change))]
        case .finished(let request, let failure):
            guard let failure else { return [] }
            contents[request.account]?.set[request.row] = nil
            return [.show(failure)]
        }
        return []
    }

    /// The accounts whose service has preferences.
    package var accounts: [String] {
        accountStates.filter { $0.has(.preferences) }.map(\.name)
    }

    /// The account whose preferences are shown; nil: no account's service has any.
    package var account: String? { accounts.first { $0 == chosen } ?? accounts.first }

    private mutating func list(_ account: String) -> Effect {
        contents[account, default: Contents()].isLoading = true
        return .list(account: account)
    }

    private mutating func accountsAre(_ new: [AccountState]) -> [Effect] {
        let wasOnline = Set(accountStates.filter(\.isOnline).map(\.name))
        accountStates = new
        contents = contents.filter { accounts.contains($0.key) }
        guard isOpen else { return [] }
        let online = Set(new.filter(\.isOnline).map(\.name)).subtracting(wasOnline)
        return accounts.filter { contents[$0] == nil || contents[$0]?.failure != nil && online.contains($0) }.map {
            list($0)
        }
    }

    private mutating func listed(_ account: String, _ reply: PreferencesReply) -> [Effect] {
        guard let known = contents[account] else { return [] }
        switch reply {
        case .loaded(let categories, let levels):
            var new = Contents(isLoading: false)
            new.categories = Array(categories.prefix(Self.categoryLimit))
            new.levels = Array(levels.prefix(Self.partLimit))
            (new.shownCategories, new.unfolded) = (known.shownCategories, known.unfolded)
            contents[account] = new
        case .failed(let reason):
            contents[account]?.isLoading = false
            contents[account]?.failure = reason
        }
        contents[account]?.isOutdated = false
        return known.isOutdated ? [list(account)] : []
    }

    private mutating func changed(_ account: String, _ categories: [CategoryRecord]) -> [Effect] {
        guard var known = contents[account] else { return [] }
        if known.isLoading {
            contents[account]?.isOutdated = true
            return []
        }
        if categories.isEmpty { return [list(account)] }
        for category in categories {
            guard let index = known.categories.firstIndex(where: { $0.id == category.id }) else {
                return [list(account)]
            }
            known.categories[index] = category
            known.set = known.set.filter { $0.key.category != category.id }
        }
        contents[account] = known
        return []
    }
}
