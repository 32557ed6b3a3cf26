import DBus
import TestSupport

/// A random value; sometimes one whose parts do not fit each other.
func randomValue(_ random: inout SeededGenerator, depth: Int = 0, consistent: Bool) -> Value {
    let kinds = depth > 5 ? 0..<12 : 0..<17
    switch Int.random(in: kinds, using: &random) {
    case 0: return .byte(.random(in: 0...255, using: &random))
    case 1: return .bool(.random(using: &random))
    case 2: return .int16(.random(in: .min ... .max, using: &random))
    case 3: return .uint16(.random(in: .min ... .max, using: &random))
    case 4: return .int32(.random(in: .min ... .max, using: &random))
    case 5: return .uint32(.random(in: .min ... .max, using: &random))
    case 6: return .int64(.random(in: .min ... .max, using: &random))
    case 7: return .uint64(.random(in: .min ... .max, using: &random))
    case 8: return .double(.random(in: -1e300...1e300, using: &random))
    case 9:
        return .string(
            String(
                (0..<Int.random(in: 0...9, using: &random)).map { _ in "aä€😀\u{1}\n".randomElement(using: &random)! }
            )
        )
    case 10: return .objectPath(["/", "/a", "/a/b_1"].randomElement(using: &random)!)
    case 11: return .signature(["", "s", "a{sv}(ii)"].randomElement(using: &random)!)
    case 12: return .bytes((0..<Int.random(in: 0...9, using: &random)).map { UInt8($0) })
    case 13:
        let element = randomValue(&random, depth: depth + 1, consistent: consistent)
        let other = consistent ? element : randomValue(&random, depth: depth + 1, consistent: false)
        if element.signature == "y" { return .bytes([1]) }
        return .array(of: element.signature, Array(repeating: other, count: Int.random(in: 0...3, using: &random)))
    case 14:
        let value = randomValue(&random, depth: depth + 1, consistent: consistent)
        let key = consistent ? Value.string("k") : randomValue(&random, depth: depth + 1, consistent: false)
        return .dictionary(
            key: consistent ? "s" : key.signature,
            value: value.signature,
            Bool.random(using: &random) ? [:] : [key: value]
        )
    case 15:
        let count = Int.random(in: consistent ? 1...3 : 0...3, using: &random)
        return .structure((0..<count).map { _ in randomValue(&random, depth: depth + 1, consistent: consistent) })
    default: return .variant(randomValue(&random, depth: depth + 1, consistent: consistent))
    }
}
