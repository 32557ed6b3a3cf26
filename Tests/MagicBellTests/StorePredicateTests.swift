import MagicBell
import Testing

@Suite("The predicate of a store")
struct StorePredicateTests {
    @Test("Order and repetition in the lists do not matter")
    func listsAreSets() {
        #expect(StorePredicate(categories: ["b", "a", "b"]) == StorePredicate(categories: ["a", "b"]))
        #expect(StorePredicate(topics: ["b", "a"]).hashValue == StorePredicate(topics: ["a", "b", "a"]).hashValue)
        #expect(StorePredicate(categories: ["a"]) != StorePredicate(topics: ["a"]))
    }
}
