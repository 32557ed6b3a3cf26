import ClientKit
import Testing

@Suite("The latest message ids")
struct RecentIDsTests {
    @Test("An id is known until as many others have followed as are kept") func limit() {
        var ids = RecentIDs(capacity: 3)
        let first = ["a", "b", "a", "c", "b"].map { ids.insert($0) }
        #expect(first == [true, true, false, true, false])
        let later = ["d", "b", "c", "d", "a", "b"].map { ids.insert($0) }
        #expect(later == [true, false, false, false, true, true])
    }
}
