/// The maximum number of rows that a request asks for.
///
/// Rows may be long, and the size of an answer is limited. A page whose answer was too large is requested again with
/// half as many rows, and so are all later ones.
package struct PageLimit: Sendable, Equatable {
    package private(set) var rows: Int

    /// - Parameter rows: The service's maximum.
    package init(_ rows: Int) { self.rows = rows }

    /// The answer to a request for `size` rows was too large. False: one row alone is.
    package mutating func halve(_ size: Int) -> Bool {
        guard size > 1 else { return false }
        rows = min(rows, size / 2)
        return true
    }
}
