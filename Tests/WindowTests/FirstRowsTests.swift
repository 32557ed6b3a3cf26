import Testing

@testable import Window

/// How many rows a list gets before a frame has shown it.
@Suite struct FirstRowsTests {
    private static func keys(_ range: Range<Int>) -> [String] { range.map { "work\n\($0)" } }

    @Test(
        "A list that was not shown yet gets a dozen rows, others get all",
        arguments: [
            (0..<0, 0..<0, 0), (0..<0, 0..<12, 12), (0..<0, 0..<13, 12), (0..<0, 0..<5_000, 12),
            // Of another place.
            (0..<50, 100..<400, 12), (0..<50, 100..<105, 5), (0..<5_000, 4_000..<4_500, 12),
            // A further page, arrivals, removals.
            (0..<50, 0..<100, 100), (10..<50, 0..<50, 50), (0..<50, 5..<50, 45), (0..<50, 0..<50, 50),
        ]
    )
    func count(old: Range<Int>, new: Range<Int>, expected: Int) {
        var rows = FirstRows()
        #expect(rows.count(of: Self.keys(new), after: Self.keys(old)) == expected)
        #expect(rows.isFrameDue == (expected < new.count))
    }

    @Test("Until the frame it gets no others, whatever is listed meanwhile, and then all") func frame() {
        var rows = FirstRows()
        #expect(rows.count(of: Self.keys(0..<50), after: []) == 12)
        #expect(rows.count(of: Self.keys(0..<100), after: Self.keys(0..<12)) == 12)
        #expect(rows.count(of: Self.keys(0..<7), after: Self.keys(0..<12)) == 7)
        rows.frameEnded()
        #expect(rows.count(of: Self.keys(0..<100), after: Self.keys(0..<12)) == 100 && !rows.isFrameDue)
    }
}
