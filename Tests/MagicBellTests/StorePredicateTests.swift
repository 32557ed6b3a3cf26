import Foundation
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

    @Test(
        "It is Codable both ways, and what is absent has its default",
        arguments: [
            (StorePredicate(), #"{"archived":false,"categories":[],"topics":[]}"#),
            (
                StorePredicate(read: false, seen: true, archived: true, categories: ["b", "a"], topics: ["t"]),
                #"{"archived":true,"categories":["a","b"],"read":false,"seen":true,"topics":["t"]}"#
            ),
        ]
    )
    func codable(predicate: StorePredicate, json: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(predicate), as: UTF8.self) == json)
        #expect(try JSONDecoder().decode(StorePredicate.self, from: Data(json.utf8)) == predicate)
        #expect(try JSONDecoder().decode(StorePredicate.self, from: Data("{}".utf8)) == StorePredicate())
        let unsorted = Data(#"{"topics":["b","a","b"]}"#.utf8)
        #expect(try JSONDecoder().decode(StorePredicate.self, from: unsorted).topics == ["a", "b"])
    }
}
