import Basics
import ClientKit
import SeededRandom
import Testing

private struct Row: OrderedRow {
    struct Key: OrderKey {
        var rank: Int
        var id: String

        static func < (left: Key, right: Key) -> Bool { (left.rank, left.id) < (right.rank, right.id) }
    }

    var orderKey: Key
    var text = 0

    var id: String { orderKey.id }

    init(_ id: String, _ rank: Int, _ text: Int = 0) { (orderKey, self.text) = (Key(rank: rank, id: id), text) }
}

/// ``ClientKit/VisibleRows`` and the ``ClientKit/OrderedRows`` below it.
@Suite struct VisibleRowsTests {
    @Test("A follower that applies the differences has the rows, in order", arguments: 0..<100)
    func follower(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var rows = VisibleRows<Row>()
        var model: [String: Row] = [:]
        var follower: [String: Row] = [:]
        for _ in 0..<200 {
            let id = "\(Int.random(in: 0..<20, using: &random))"
            switch Int.random(in: 0..<6, using: &random) {
            case 0: rows.hide(id, isUnloaded: Bool.random(using: &random))
            case 1: rows.delete(id)
            case 2:
                let differences = rows.takeDifferences()
                #expect(differences.changed.map(\.orderKey) == differences.changed.map(\.orderKey).sorted())
                for id in differences.removed + differences.unloaded { follower[id] = nil }
                for row in differences.changed { follower[row.id] = row }
                #expect(follower == model)
                continue
            default:
                let row = Row(id, Int.random(in: 0..<5, using: &random), Int.random(in: 0..<2, using: &random))
                rows.show(Shared(row))
                model[id] = row
                continue
            }
            model[id] = nil
        }
        #expect(rows.rows.all == model.values.sorted { $0.orderKey < $1.orderKey })
        #expect(rows.rows.keys == rows.rows.all.map(\.orderKey))
    }

    @Test("What a row has become last is reported, and nothing twice") func reports() {
        var rows = VisibleRows<Row>()
        rows.show(Shared(Row("a", 2)))
        rows.show(Shared(Row("b", 1)))
        var differences = RowDifferences<Row>()
        differences.changed = [Row("b", 1), Row("a", 2)]
        #expect(rows.takeDifferences() == differences)
        rows.show(Shared(Row("a", 2)))
        #expect(rows.takeDifferences().isEmpty)
        rows.hide("a", isUnloaded: true)
        rows.hide("b", isUnloaded: true)
        rows.delete("b")
        rows.hide("unknown", isUnloaded: true)
        rows.delete("gone")
        differences = RowDifferences()
        (differences.removed, differences.unloaded) = (["b", "gone"], ["a"])
        #expect(rows.takeDifferences() == differences)
    }

    @Test("Of rows with one id the first counts") func firstOfEqualIDs() {
        let rows = OrderedRows([Row("b", 1, 1), Row("a", 0), Row("b", 0, 2)])
        #expect(rows.all == [Row("a", 0), Row("b", 1, 1)])
        #expect(Set(rows.unordered.map(\.id)) == ["a", "b"])
    }
}
