import AgentInterface
import VisibleText

/// The notifications of several accounts, as one list.
struct MergedList {
    /// Pinned first, then newest.
    var notifications: [NotificationRecord]
    /// Why those of an account are missing; nil: none are.
    var failure: Failure?

    /// Lists the notifications of all accounts that have the tab.
    ///
    /// - Throws: ``Failure`` if no account can list them.
    init(of inboxes: [AgentObject], tab: String? = nil, _ options: ListOptions = ListOptions()) async throws {
        var lists: [[NotificationRecord]] = []
        var missingTab: Failure?
        let all = inboxes.count > 1 ? Self.options(options) : options
        for inbox in inboxes {
            do {
                lists.append(try await inbox.using(tab: tab) { try await inbox.notifications(all) })
            } catch let failure as Failure where inboxes.count > 1 && failure.concernsOneAccount {
                // An account without the tab lacks nothing.
                if failure.code == .notFound { missingTab = failure } else { self.failure = self.failure ?? failure }
            }
        }
        if lists.isEmpty, let failure = failure ?? missingTab { throw failure }
        guard inboxes.count > 1 else {
            notifications = lists.first ?? []
            return
        }
        let rest = NotificationOrder.merged(lists).dropFirst(Int(options.offset))
        notifications = Array(options.limit.map { rest.prefix(Int($0)) } ?? rest)
    }

    /// Any of the wanted notifications may be those of one account.
    private static func options(_ options: ListOptions) -> ListOptions {
        var all = options
        all.limit = options.limit.map { $0.addingReportingOverflow(options.offset) }.map { $0.overflow ? .max : $0.0 }
        all.offset = 0
        return all
    }
}

extension Failure {
    /// Whether other accounts can list their notifications nevertheless.
    var concernsOneAccount: Bool { [.offline, .attentionNeeded, .notFound, .noAnswer].contains(code) }
}
