import Testing
import Window

@Suite("Which rows of a list have widgets") struct NearRowsTests {
    private static func near(_ numbers: Range<Int>, filled: Set<Int>, visible: ClosedRange<Int>) -> NearRows {
        NearRows(of: numbers.map { (number: $0, isFilled: filled.contains($0)) }, visible: visible)
    }

    @Test("Those on the screen come first, then those that are half a screen away") func order() {
        let near = Self.near(0..<200, filled: [], visible: 100...103)
        #expect(near.filled == [100, 101, 102, 103, 99, 104, 98, 105])
        #expect(near.emptied.isEmpty)
    }

    @Test("The rows that come onto the screen row by row have their widgets before") func scrolling() {
        var filled: Set<Int> = []
        var mostFilled = 0
        for first in 0..<190 {
            let visible = first...first + 9
            #expect(first == 0 || filled.isSuperset(of: visible))
            let near = Self.near(0..<205, filled: filled, visible: visible)
            filled.formUnion(near.filled)
            filled.subtract(near.emptied)
            mostFilled = max(mostFilled, filled.count)
        }
        // Ten on the screen, ten above and five below it: others are not used again too early, and few are made.
        #expect(mostFilled == 25)
    }

    @Test("Widgets more than a screen away are for others, also after a jump") func jump() {
        let near = Self.near(0..<205, filled: Set(0...14), visible: 150...159)
        #expect(near.emptied == Array(0...14))
        #expect(near.filled.count == 20)
        let settled = Self.near(0..<205, filled: Set(145...164), visible: 150...159)
        #expect(settled.filled.isEmpty && settled.emptied.isEmpty)
    }
}
