import Sandbox
import SeededRandom
import Testing

@Suite struct JSONWritingTests {
    @Test(
        "A value is written as compact JSON with sorted keys",
        arguments: [
            (nil, "null"), (true, "true"), (-7, "-7"), (.number(0.25), "0.25"), (.number(-1e300), "-1e+300"),
            (.number(.nan), #""NaN""#), (.number(-.infinity), #""-Infinity""#), ([], "[]"), ([:], "{}"),
            ("a/b \"\\\u{0}\u{1f}\u{7f}\n\t é 🔔", "\"a/b \\\"\\\\\\u0000\\u001f\u{7f}\\n\\u0009 é 🔔\""),
            (["b": [1, nil], "a": ["": false]], #"{"a":{"":false},"b":[1,null]}"#),
        ] as [(JSON, String)]
    )
    func vectors(value: JSON, text: String) { #expect(value.text == text) }

    @Test("Foundation reads what is written as the same value", arguments: 1...200)
    func readByFoundation(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let value = Self.value(depth: 4, &random)
        #expect(JSON(parsing: value.bytes) == value)
    }

    private static func value(depth: Int, _ random: inout SeededGenerator) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2: .integer(.random(in: .min ... .max, using: &random))
        // Not whole, because a whole number is read as an integer.
        case 3: .number(Double(Int64.random(in: -1_000_000...1_000_000, using: &random)) + 0.5)
        case 4: .string(string(&random))
        case 5: .array((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth - 1, &random) })
        default:
            .object(
                (0..<Int.random(in: 0...4, using: &random)).reduce(into: [:]) { object, _ in
                    object[string(&random)] = value(depth: depth - 1, &random)
                }
            )
        }
    }

    private static func string(_ random: inout SeededGenerator) -> String {
        let scalars: [ClosedRange<UInt32>] = [0...0x7f, 0x80...0xd7ff, 0xe000...0x10_ffff]
        return (0..<Int.random(in: 0...8, using: &random)).reduce(into: "") { text, _ in
            let range = scalars[Int.random(in: 0..<scalars.count, using: &random)]
            text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? "?")
        }
    }
}
