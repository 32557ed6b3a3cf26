import ClientKit
import FoundationEssentials
import Testing

@Suite struct JSONValueDecoderTests {
    private struct Row: Codable, Equatable {
        struct Part: Codable, Equatable {
            var names: [String]
            var extra: JSONValue?
        }
        enum Kind: String, Codable { case small, large }

        var id: String
        var isRead: Bool?
        var count: Int
        var small: UInt8
        var large: UInt64?
        var ratio: Double
        var share: Float?
        var kind: Kind
        var part: Part?
        var parts: [Part]
        var counts: [String: Int32]
        var places: [Int?]
    }

    private static let row = #"""
        {"id":"aü\n😀","isRead":true,"count":-7,"small":255,"large":9007199254740993,"ratio":1,"share":0.5,"kind":
        "large",
        "part":{"names":["x"],"extra":{"a":[1,2.5,null,"t"]}},"parts":[{"names":[]},{"names":["y","z"],"extra":false}],
        "counts":{"k":3},"places":[1,null]}
        """#

    @Test("A type is decoded as by JSONDecoder") func sameAsJSONDecoder() throws {
        let row: Row = try JSONValue(parsing: Self.row).decode()
        #expect(row == (try JSONDecoder().decode(Row.self, from: Data(Self.row.utf8))))
        #expect(row.isRead == true)
        #expect(row.large == 9_007_199_254_740_993)
        #expect(row.places == [1, nil])
    }

    @Test(
        "A field that is missing or of another type is an error",
        arguments: [
            #""id":1"#, #""id":null"#, #""count":1.5"#, #""count":"1""#, #""small":256"#, #""small":-1"#,
            #""isRead":1"#,
            #""large":-1"#, #""ratio":"1""#, #""kind":"other""#, #""part":[]"#, #""parts":{}"#, #""parts":[1]"#,
            #""counts":[]"#, #""places":["a"]"#,
        ]
    )
    func mismatches(_ field: String) throws {
        // Of two equal keys the last one counts.
        let text = String(Self.row.dropLast()) + "," + field + "}"
        #expect(throws: DecodingError.self) { try JSONValue(parsing: text).decode(Row.self) }
        var members = try #require(try JSONValue(parsing: Self.row).object)
        members["kind"] = nil
        #expect(throws: DecodingError.self) { try JSONValue.object(members).decode(Row.self) }
    }

    @Test("A whole number in any form is an integer") func integers() throws {
        for text in ["1754", "1754.0", "1.754e3"] {
            #expect(try JSONValue(parsing: text).decode(Int.self) == 1754)
        }
    }

    @Test("A tolerant parser reads deep nesting and numbers out of range, within limits") func tolerance() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(throws: JSONError.self) { try JSONValue(parsing: nested(65)) }
        _ = try JSONValue(parsing: nested(512), isTolerant: true)
        #expect(throws: JSONError.self) { try JSONValue(parsing: nested(513), isTolerant: true) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: Array("[1e999]".utf8)) }
        #expect(try JSONValue(parsing: Array("[1e999,1]".utf8), isTolerant: true) == [.null, 1])
    }
}
