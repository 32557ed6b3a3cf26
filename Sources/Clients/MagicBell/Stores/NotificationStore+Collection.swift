import Synchronization

/// The loaded notifications as a collection, newest first.
///
/// A store changes while it is used. What is read with one call is of one moment: `for`, ``first``, `map`, `filter`. An
/// index stays usable until the collection's bounds are read again, also if the list has become shorter meanwhile. For
/// several steps on one list, use ``contents``.
extension NotificationStore: RandomAccessCollection {
    /// The type of an index: the position in the list.
    public typealias Index = Int
    /// An element.
    public typealias Element = InboxNotification
    /// The valid indexes.
    public typealias Indices = Range<Int>

    /// Zero.
    public var startIndex: Int { 0 }

    /// The number of loaded notifications.
    public var endIndex: Int {
        let present = notifications
        measured.withLock { $0 = present }
        return present.count
    }

    /// The valid indexes of this moment.
    public var indices: Range<Int> { 0..<endIndex }

    /// The number of loaded notifications.
    public var count: Int { endIndex }

    /// Whether no notification is loaded.
    public var isEmpty: Bool { notifications.isEmpty }

    /// The newest loaded notification; nil: none is loaded.
    public var first: InboxNotification? { notifications.first }

    /// The oldest loaded notification; nil: none is loaded.
    public var last: InboxNotification? { notifications.last }

    /// The loaded notification at `index`, which must be one of ``indices``.
    public subscript(index: Int) -> InboxNotification {
        let present = notifications
        if present.indices.contains(index) { return present[index] }
        // The list has become shorter since its bounds were read.
        let measured = measured.withLock(\.self)
        precondition(measured.indices.contains(index), "The store has no notification at \(index).")
        return measured[index]
    }

    /// Iterates over the present ``notifications``.
    public func makeIterator() -> IndexingIterator<[InboxNotification]> { notifications.makeIterator() }

    // `Collection` has these of its own, which would read the bounds and each element at moments of their own.

    /// The results of a function for each of the present ``notifications``.
    public func map<Result, Failure: Error>(
        _ transform: (InboxNotification) throws(Failure) -> Result
    ) throws(Failure) -> [Result] {
        try notifications.map(transform)
    }

    /// The index of the first of the present ``notifications`` that satisfies a condition.
    public func firstIndex(where predicate: (InboxNotification) throws -> Bool) rethrows -> Int? {
        try notifications.firstIndex(where: predicate)
    }
}
