import AgentInterface
import DBus

@testable import feedbell

/// A screen of `feedbell inbox` with a simulated agent.
@dynamicMemberLookup struct TestScreen {
    /// What the agent has from now on.
    struct Contents {
        var accounts: [AccountState]
        var notifications: [NotificationRecord] = []
        /// Why nothing can be listed, in a sentence; nil: it can.
        var failure: String?
        var root: [String: Value] = [:]
        var now: Int64
    }

    private(set) var screen: InboxScreen
    /// The requests for lists without a reply.
    private(set) var requests: [ListRequest] = []

    init(account: String? = nil, shown: String? = nil, columns: Int, rows: Int, isForPreferences: Bool = false) {
        screen = InboxScreen(
            account: account,
            shown: shown,
            columns: columns,
            rows: rows,
            isForPreferences: isForPreferences
        )
    }

    subscript<Content>(dynamicMember path: KeyPath<InboxScreen, Content>) -> Content { screen[keyPath: path] }

    func lines(_ terminal: Terminal) -> [String] { screen.lines(terminal) }

    mutating func select(_ index: Int) { screen.select(index) }

    /// What the last requests for lists ask for.
    var queries: [InboxQuery] {
        requests.map(\.query).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    /// - Returns: The effects other than ``requests``.
    mutating func receive(_ event: InboxScreen.Event, now: Int64? = nil) -> [InboxScreen.Effect] {
        screen.receive(event, now: now).filter { effect in
            guard case .list(let request) = effect else { return true }
            requests.append(request)
            return false
        }
    }

    /// Lets the agent report what differs now, and answer all requests for lists.
    mutating func receive(_ contents: Contents) -> [InboxScreen.Effect] {
        var effects = receive(
            .agent([.root(PropertyValues(contents.root)), .accounts(contents.accounts), .running]),
            now: contents.now
        )
        let known = Set(screen.lists.rows).union(screen.lists.hidden)
        let changed = known.union(contents.notifications.map { RowID($0) })
        for account in contents.accounts.map(\.name) {
            let ids = changed.filter { $0.account == account }.map(\.id).sorted()
            effects += receive(.agent([.changed(account: account, ids: ids)]))
        }
        while !requests.isEmpty {
            let request = requests.removeFirst()
            effects += receive(.listed(request, contents.reply(to: request)))
        }
        return effects
    }
}

extension TestScreen.Contents {
    fileprivate func reply(to request: ListRequest) -> ListReply {
        if let failure { return .failed(failure) }
        let all = notifications.filter { $0.account == request.account }
        switch request.part {
        case .loaded(let limit): return .notifications(Array(all.prefix(limit ?? .max)), problem: "")
        case .first(let count): return .notifications(Array(all.prefix(count)), problem: "")
        case .page:
            let rest = all.dropFirst(Int(request.options.offset))
            return .notifications(Array(rest.prefix(request.options.limit.map(Int.init) ?? .max)), problem: "")
        case .all: return .notifications(all, problem: "")
        case .these(let ids): return .notifications(all.filter { ids.contains($0.id) }, problem: "")
        }
    }
}

extension RowID: ExpressibleByStringLiteral {
    /// A notification of the account "work".
    public init(stringLiteral id: String) { self.init(account: "work", id: id) }
}
