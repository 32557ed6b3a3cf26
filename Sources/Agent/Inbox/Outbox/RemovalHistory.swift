package import Basics

/// The notifications that the user archived and deleted, so that the last request can be taken back.
package struct RemovalHistory: Equatable, Sendable {
    /// The notifications of one request.
    package struct Removal: Equatable, Sendable {
        package var time: Timestamp
        /// All ``Change/archive(_:)`` or all ``Change/delete(_:)``.
        package var changes: [Change]
    }

    /// How a removal is taken back.
    package struct Reversal: Equatable, Sendable {
        /// Pending changes that are not sent.
        package var withdrawn: [Change]
        /// Changes that reverse what was sent.
        package var submitted: [Change]
        /// Changes that were sent and cannot be reversed.
        package var lost: [Change]
    }

    /// The maximum number of removals.
    package static let limit = 100

    private var removals: [Removal] = []

    package init() {}

    /// The last removal; nil: there is none.
    package var last: Removal? { removals.last }

    /// The user made changes. Those that remove notifications are remembered; one that brings a notification back ends
    /// its removal.
    package mutating func add(_ changes: [Change], at time: Timestamp) {
        forget(changes.compactMap { if case .unarchive(let id) = $0 { .archive(id) } else { nil } })
        let removing = changes.filter(\.removes)
        guard !removing.isEmpty else { return }
        forget(removing)
        removals.append(Removal(time: time, changes: removing))
        if removals.count > Self.limit { removals.removeFirst() }
    }

    /// These changes were rejected, or taken back.
    package mutating func forget(_ changes: [Change]) {
        guard !changes.isEmpty, !removals.isEmpty else { return }
        let forgotten = Set(changes)
        for index in removals.indices { removals[index].changes.removeAll(where: forgotten.contains) }
        removals.removeAll(where: \.changes.isEmpty)
    }

    /// Whether a notification was archived or deleted since a time, and not taken back.
    package func removed(_ id: NotificationID, since time: Timestamp) -> Bool {
        removals.contains { $0.time >= time && $0.changes.contains { $0.ids.contains(id) } }
    }

    /// How the last removal is taken back; nil: there is none.
    ///
    /// - Parameters:
    ///   - waiting: The pending changes that are not in flight.
    ///   - canUnarchive: Whether the service can take notifications out of the archive.
    package func reversal(waiting: Set<Change>, canUnarchive: Bool) -> Reversal? {
        guard let last else { return nil }
        var reversal = Reversal(withdrawn: [], submitted: [], lost: [])
        for change in last.changes {
            switch change {
            case _ where waiting.contains(change): reversal.withdrawn.append(change)
            case .archive(let id) where canUnarchive: reversal.submitted.append(.unarchive(id))
            default: reversal.lost.append(change)
            }
        }
        return reversal
    }
}

extension Change {
    /// Whether it takes notifications out of the inbox.
    fileprivate var removes: Bool {
        switch self {
        case .archive, .delete: true
        default: false
        }
    }
}
