import DBus
import TestSupport
import Testing

@Suite struct SignatureTests {
    @Test(
        "Valid signatures are accepted, up to the limits of depth and length",
        arguments: [
            "", "s", "susssasa{sv}i", "a{oa{sa{sv}}}", "(iiibiiay)", "aai", "a(ss)", "v", "a{s(ai)}",
            String(repeating: "a", count: 32) + "i",
            String(repeating: "(", count: 32) + "i" + String(repeating: ")", count: 32),
            String(repeating: "i", count: 255),
        ]
    )
    func valid(_ text: String) throws { #expect(try Signature(text).text == text) }

    @Test(
        "Invalid signatures are rejected",
        arguments: [
            "a", "(", "()", "(i", "i)", "{sv}", "a{}", "a{s}", "a{svv}", "a{vs}", "a{(i)s}", "a{sv", "z", "e", "r",
            "a{s}v",
            "é",
            String(repeating: "a", count: 33) + "i",
            String(repeating: "(", count: 33) + "i" + String(repeating: ")", count: 33),
            String(repeating: "i", count: 256),
        ]
    )
    func invalid(_ text: String) { #expect(throws: DBusError.self) { try Signature(text) } }

    @Test("A signature is split into its complete types") func completeTypes() {
        #expect(Signature("susa{sv}(ii)ai").types == ["s", "u", "s", "a{sv}", "(ii)", "ai"])
        #expect(Signature("as").isSingleType)
        #expect(!Signature("ss").isSingleType)
        #expect(!Signature("").isSingleType)
    }

    /// Anything made of signature letters either parses, and then splits into types that join to itself, or throws.
    @Test("A random signature is rejected, or its types join to itself") func randomText() {
        var random = SeededGenerator(seed: 7)
        let letters = Array("ybnqiuxtdsoghvaaa({{}})z")
        for _ in 0..<5000 {
            let text = String(
                (0..<Int.random(in: 0...12, using: &random)).map { _ in letters.randomElement(using: &random)! }
            )
            guard let signature = try? Signature(text) else { continue }
            #expect(signature.types.map(\.text).joined() == text)
        }
    }
}
