package import DBus

/// The parts of a list: a reply to ``AgentInbox/list`` is limited in size.
package enum ListParts {
    /// The key of the last notification of a reply that was cut: `true`.
    package static let more = "more"

    /// The whole list, of as many replies as it takes.
    ///
    /// - Parameter list: Calls ``AgentInbox/list`` with these options.
    package static func all<Failure: Error>(
        _ options: ListOptions,
        _ list: (ListOptions) async throws(Failure) -> [[String: Value]]
    ) async throws(Failure) -> [[String: Value]] {
        var options = options
        var all: [[String: Value]] = []
        while true {
            var part = try await list(options)
            let isCut = part.last?[more] == .bool(true)
            if isCut { part[part.count - 1][more] = nil }
            let count = UInt32(clamping: part.count)
            // Notifications that arrived meanwhile have moved the others.
            let known = Set(all.map { NotificationRecord($0).id })
            all += known.isEmpty ? part : part.filter { !known.contains(NotificationRecord($0).id) }
            let (offset, overflow) = options.offset.addingReportingOverflow(count)
            guard isCut, !overflow, options.limit.map({ $0 > count }) ?? true else { return all }
            options.offset = offset
            options.limit = options.limit.map { $0 - count }
        }
    }
}
