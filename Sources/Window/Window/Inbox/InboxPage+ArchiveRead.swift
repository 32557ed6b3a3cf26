import AgentInterface
import VisibleText

/// Archiving all that is read.
extension InboxPage {
    /// The replies for what is read.
    struct ReadRows: Equatable, Sendable {
        var rows: [RowID] = []
        /// Why some may be missing, in a sentence; empty: none are.
        var problem = ""
        /// The requests without a reply.
        var awaited: Set<ListRequest>
    }

    private var archivingAccounts: [AccountState] { shownAccounts.filter { $0.has(.archive) } }

    var canArchiveRead: Bool {
        agent == .running && readRows == nil && query.view == .inbox && !rows.isEmpty && !archivingAccounts.isEmpty
    }

    /// The label of a button that archives what is read, with its number if it is known; nil: none is offered.
    var archiveReadLabel: String? {
        guard canArchiveRead else { return nil }
        if !lists.hasAll { return translated("Archive All Read") }
        let count = rows.count { lists[$0].map { $0.read != 0 } ?? false }
        return translated("Archive {count} Read One", plural: "Archive {count} Read Ones", count: count)
    }

    /// Lists everything of the query, of which most may not be listed yet.
    mutating func archiveRead() -> [Effect] {
        guard canArchiveRead else { return [] }
        let all = ListRequest.Part.first(Int(UInt32.max))
        let requests = archivingAccounts.map { ListRequest(account: $0.name, query: query, part: all, generation: 0) }
        readRows = ReadRows(awaited: Set(requests))
        return requests.map(Effect.listAside)
    }

    mutating func listedRead(_ request: ListRequest, _ reply: ListReply) -> [Effect] {
        guard readRows?.awaited.remove(request) != nil else { return [] }
        switch reply {
        case .notifications(let records, let problem):
            let read = records.filter { $0.read != 0 && !$0.isArchived }
            readRows?.rows += read.map { RowID(account: request.account, id: $0.id) }
            if !problem.isEmpty { readRows?.problem = problem }
        case .noTab: break
        case .failed(let reason): readRows?.problem = reason
        }
        guard let ended = readRows, ended.awaited.isEmpty else { return [] }
        readRows = nil
        if ended.rows.isEmpty {
            return [toast(ended.problem.isEmpty ? translated("Nothing is read.") : ended.problem)]
        }
        return remove(ended.rows, inbox.requests(for: ended.rows) { .archive($0) })
    }
}
