/// Decides which rows a list gets before a frame has shown it: GTK makes widgets for up to 200 of them, however few are
/// visible. It gets the others after the frame.
package struct FirstRows: Equatable, Sendable {
    /// Enough for a window of the default size whose rows have one line of text.
    static let count = 12
    /// The number of lines of text in a window of the default size. Rows are filled without knowing their places until
    /// they have this number of lines.
    package static let lines = 40

    /// Whether the list has only its first rows, and gets the others after the next frame.
    package private(set) var isFrameDue = false

    package init() {}

    /// How many of the keys the list gets now.
    ///
    /// - Parameter old: The keys that it has. If the first ones have none of them, the list is another one.
    package mutating func count(of new: [String], after old: [String]) -> Int {
        guard new.count > Self.count else { return new.count }
        if Set(old.prefix(Self.count)).isDisjoint(with: new.prefix(Self.count)) { isFrameDue = true }
        return isFrameDue ? Self.count : new.count
    }

    /// A frame has shown the list.
    package mutating func frameEnded() { isFrameDue = false }
}
