/// Decides which rows of a list have widgets: those on the screen, and some above and below it. By their numbers, as
/// GTK knows no places of rows that it does not draw.
package struct NearRows: Equatable, Sendable {
    /// The rows that are to get widgets, the nearest first: half a screen in each direction, so that they have them
    /// when they come onto the screen.
    package private(set) var filled: [Int] = []
    /// The rows whose widgets others can have: more than a screen away.
    package private(set) var emptied: [Int] = []

    /// - Parameters:
    ///   - rows: The numbers of the rows in the list, and whether they have widgets.
    ///   - visible: The numbers of those on the screen.
    package init(of rows: some Sequence<(number: Int, isFilled: Bool)>, visible: ClosedRange<Int>) {
        func distance(_ number: Int) -> Int { max(visible.lowerBound - number, number - visible.upperBound, 0) }
        for (number, isFilled) in rows {
            if isFilled, distance(number) > visible.count { emptied.append(number) }
            if !isFilled, distance(number) <= visible.count / 2 { filled.append(number) }
        }
        filled.sort { (distance($0), $0) < (distance($1), $1) }
    }
}
