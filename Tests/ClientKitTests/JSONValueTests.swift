import ClientKit
import Foundation
import Testing

struct JSONValueTests {
    static let vectors: [(String, JSONValue)] = [
        ("null", .null), ("true", true), ("false", false),
        ("0", 0), ("-1", -1), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("1.0", 1.0), ("-0.5", -0.5), ("1e+20", 1e20), ("5e-324", .number(.leastNonzeroMagnitude)),
        (#""""#, ""), (#""a/b""#, "a/b"), (#""\"\\\n\r\t\u0000\u001f""#, "\"\\\n\r\t\u{0}\u{1F}"), (#""ü€😀""#, "ü€😀"),
        ("[]", []), ("{}", [:]), (#"[1,[2,"x"],{"a":null}]"#, [1, [2, "x"], ["a": .null]]),
        (#"{"a":1,"b":{"c":[]}}"#, ["b": ["c": []], "a": 1]),
    ]

    @Test("Canonical JSON text is parsed and written back unchanged", arguments: vectors) func roundTrip(
        text: String,
        value: JSONValue
    ) throws {
        #expect(try JSONValue(parsing: text) == value)
        #expect(value.text == text)
    }

    static let generous: [(String, JSONValue)] = [
        (" [ 1 , { \"a\" : 2 } ]\n", [1, ["a": 2]]), (#""\u00fc\ud83d\ude00\/""#, "ü😀/"), (#""\b\f""#, "\u{8}\u{C}"),
        (#""\ud83dx""#, "\u{FFFD}x"), (#""\ude00""#, "\u{FFFD}"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
        (#"{"a":1,"a":2}"#, ["a": 2]), ("-0", 0), ("1E2", 100.0), ("9223372036854775808", 9223372036854775808.0),
    ]

    @Test("White space, escapes, unpaired surrogates and repeated keys are accepted", arguments: generous)
    func leniency(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(
        "Text that is not JSON is rejected",
        arguments: [
            "", " ", "nul", "nulll", "tru", "01", "-", "+1", "1.", ".5", "1e", "1e999", "NaN", "[", "[1", "[1,", "[1,]",
            "]", "{",
            "{1:2}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1"#, "\"", "\"\\", "\"\\u12", "\"\\u12g4\"", "\"\\x\"",
            "\"\n\"", "1 2",
            "[] []", "'a'", "// x", "\u{FEFF}1",
        ]
    )
    func invalidText(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    }

    @Test("JSON that is nested too deeply is rejected") func depthLimit() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONValue(parsing: nested(JSONValue.maximumDepth))
        #expect(throws: JSONError.self) { try JSONValue(parsing: nested(JSONValue.maximumDepth + 1)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: "[", count: 1_000_000)) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: String(repeating: #"{"a":"#, count: 1_000_000)) }
    }

    @Test("Invalid UTF-8 becomes U+FFFD in strings and is rejected elsewhere") func invalidUTF8() throws {
        #expect(try JSONValue(parsing: [0x22, 0xFF, 0x22]) == "\u{FFFD}")
        #expect(throws: JSONError.self) { try JSONValue(parsing: [0xFF]) }
    }

    @Test("Numbers that are not finite become null") func nonFiniteNumbers() {
        #expect(JSONValue.number(.infinity).text == "null")
        #expect(JSONValue.number(.nan).text == "null")
    }

    @Test("An accessor returns nil for a value of another type") func accessors() {
        let value: JSONValue = ["s": "x", "i": 3, "n": 2.5, "w": 4.0, "b": true, "a": [1], "o": [:]]
        #expect(value["s"]?.string == "x" && value["i"]?.integer == 3 && value["n"]?.number == 2.5)
        #expect(value["w"]?.integer == 4 && value["n"]?.integer == nil && value["i"]?.number == 3)
        #expect(value["b"]?.bool == true && value["a"]?.array == [1] && value["o"]?.object == [:])
        #expect(value["none"] == nil && value["s"]?["x"] == nil && value["i"]?.string == nil)
    }

    @Test("A value passes through JSONDecoder and JSONEncoder unchanged", arguments: vectors.filter { $0.0 != "1.0" })
    func codable(text: String, value: JSONValue) throws {
        let decoded = try JSONDecoder().decode([JSONValue].self, from: Data("[\(text)]".utf8))
        #expect(decoded == [value])
        let encoded = try JSONEncoder().encode([value])
        #expect(try JSONValue(parsing: Array(encoded)) == [value])
    }
}
