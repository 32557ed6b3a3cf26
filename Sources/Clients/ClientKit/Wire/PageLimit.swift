/// The maximum number of rows that a request asks for.
///
/// Rows may be long, and the size of an answer is limited. A page whose answer was too large is requested again with
/// half as many rows, and so are all later ones. After one that was too slow, the pages of the same list have a quarter
/// of the rows, so that on a slow link the first ones are there within a minute.
package struct PageLimit: Sendable, Equatable {
    /// The limit that the size of answers sets.
    private var sized: Int
    /// The limit that the speed of the link sets.
    private var timed = Int.max

    /// - Parameter rows: The service's maximum.
    package init(_ rows: Int) { sized = rows }

    package var rows: Int { min(sized, timed) }

    /// Whether pages are shorter than they could be on a faster link.
    package var isSlow: Bool { timed < sized }

    /// Another list begins: the link may be faster by now.
    package mutating func startOver() { timed = .max }

    /// A request for `size` rows failed.
    ///
    /// - Returns: Whether one for ``rows`` may succeed.
    package mutating func shorten(_ size: Int, after error: some LibraryError) -> Bool {
        guard size > 1 else { return false }
        if error.isTooLarge {
            sized = min(sized, size / 2)
        } else if error.isTooSlow {
            timed = max(1, size / 4)
        } else {
            return false
        }
        return true
    }
}
