package import DBus

/// A request for notifications of one account.
package struct ListRequest: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        /// The first ones of those that the agent has loaded, which it has at once; nil: all of them. They replace what
        /// is listed.
        case loaded(limit: Int?)
        /// The next ones after this number, at most ``pageSize``, and before them the last one of this number: it shows
        /// that nothing is missing between.
        case page(offset: Int)
        /// The first ones, which replace what is listed.
        case first(Int)
        /// All at once: what a search finds.
        case all
        /// These only, of which those that belong to the list come back.
        case these([String])

        /// The beginning of a list.
        package static let start = Part.loaded(limit: pageSize)
    }

    package static let pageSize = 50

    package var account: String
    package var query: InboxQuery
    package var part: Part
    /// A reply to a request of an earlier number is too late.
    package var generation: Int

    package init(account: String, query: InboxQuery, part: Part, generation: Int) {
        (self.account, self.query, self.part, self.generation) = (account, query, part, generation)
    }

    package var options: ListOptions {
        var options = query.options
        switch part {
        case .page(let offset):
            let overlap = min(offset, 1)
            options.offset = UInt32(offset - overlap)
            options.limit = UInt32(Self.pageSize + overlap)
        case .first(let count): options.limit = UInt32(count)
        case .loaded(let limit):
            (options.limit, options.takesLoaded) = (limit.map(UInt32.init(clamping:)), limit.map { _ in true })
        case .all: break
        case .these(let ids): options.ids = ids
        }
        return options
    }
}

/// The agent's reply to a ``ListRequest``.
package enum ListReply: Equatable, Sendable {
    /// - Parameter problem: Why some may be missing, as a sentence; empty: none are.
    case notifications([NotificationRecord], problem: String)
    /// The account has no such tab.
    case noTab
    /// In a sentence.
    case failed(String)
}

extension ListRequest {
    /// Makes the request. It starts no agent.
    ///
    /// - Parameters:
    ///   - account: The account's object.
    ///   - sentence: Says why a call failed.
    package func reply(of account: Proxy, sentence: (DBusError) -> String) async -> ListReply {
        do throws(DBusError) {
            let records = try await ListParts.all(options) { (options) async throws(DBusError) in
                try await account.call(AgentInbox.list, options.values, autoStart: false)
            }
            // An agent of an earlier version does not know it.
            let isPart = if case .these = part { true } else { false }
            let problem =
                isPart ? "" : (try? await account.call(AgentInbox.listProblem, options.values, autoStart: false)) ?? ""
            return .notifications(records.map(NotificationRecord.init(listed:)), problem: problem)
        } catch {
            if error.name == .invalidArgs, !query.tab.isEmpty { return .noTab }
            return .failed(sentence(error))
        }
    }
}
