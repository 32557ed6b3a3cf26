package import Basics

/// A change of the user that an outbox keeps until the service confirms it.
package protocol OutboxChange: Hashable, Sendable {
    /// Whether `later` makes this change unnecessary.
    func isSuperseded(by later: Self) -> Bool
}

extension PendingQueue where Change: OutboxChange {
    /// Removes the changes that `later` supersedes.
    ///
    /// - Returns: The removed changes.
    mutating func removeSuperseded(by later: Change) -> [Entry] { removeWaiting { $0.isSuperseded(by: later) } }
}

/// An effect of an outbox.
package protocol OutboxEffect: Equatable, Sendable {
    associatedtype Change: OutboxChange
    /// The change to save on disk.
    var kept: PendingChange<Change>? { get }
    /// The number of the saved change to delete.
    var forgotten: Int64? { get }
}
