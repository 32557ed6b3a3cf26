import TestSupport
import Testing

@testable import DBus

@Suite struct ValueTests {
    /// Encoded by us and decoded by libdbus, without a bus.
    private func throughLibdbus(_ body: [Value]) throws -> [Value] {
        let raw = try RawMessage.received(.signal("/", "a.b", "C", body))
        let (message, unreadable) = raw.decoded()
        if let unreadable { throw unreadable }
        #expect(message.signature == Signature(of: body))
        return message.body
    }

    @Test(
        "A value of each type passes through libdbus unchanged",
        arguments: [
            (Value.byte(255), "y"), (.bool(true), "b"), (.bool(false), "b"), (.int16(.min), "n"), (.uint16(.max), "q"),
            (.int32(.min), "i"),
            (.uint32(.max), "u"), (.int64(.min), "x"), (.uint64(.max), "t"), (.double(-0.1), "d"),
            (.double(.infinity), "d"),
            (.string(""), "s"), (.string("ä€😀\u{1}\u{FFFE}"), "s"), (.objectPath("/a/b"), "o"),
            (.signature("a{sv}"), "g"),
            (.bytes([]), "ay"), (.bytes([0, 255]), "ay"), (.array(of: "s", []), "as"),
            (.array(of: "s", [.string("a")]), "as"),
            (.array(of: "ay", [.bytes([1])]), "aay"), (.array(of: "(ss)", []), "a(ss)"),
            (.array(of: "x", [.int64(1), .int64(2)]), "ax"),
            (.array(of: "a{sv}", []), "aa{sv}"), (.dictionary(key: "s", value: "v", [:]), "a{sv}"),
            (.dictionary(key: "s", value: "v", [.string("k"): .variant(.uint32(1))]), "a{sv}"),
            (.dictionary(key: "y", value: "(ii)", [.byte(1): .structure([.int32(1), .int32(2)])]), "a{y(ii)}"),
            (.structure([.int32(1), .string("x"), .bytes([])]), "(isay)"),
            (.variant(.variant(.array(of: "v", []))), "v"),
            (.structure([.structure([.array(of: "as", [.array(of: "s", [])])])]), "((aas))"),
        ] as [(Value, Signature)]
    )
    func everyType(_ value: Value, _ signature: Signature) throws {
        #expect(value.signature == signature)
        #expect(value.conforms(to: signature))
        #expect(try throughLibdbus([value, .byte(1), value]) == [value, .byte(1), value])
    }

    @Test("A NUL is replaced by U+FFFD") func nulCharacters() throws {
        #expect(try throughLibdbus([.string("a\0b\0")]) == [.string("a\u{FFFD}b\u{FFFD}")])
        let nested = Value.dictionary(key: "s", value: "s", [.string("\0"): .string("\0")])
        let expected = Value.dictionary(key: "s", value: "s", [.string("\u{FFFD}"): .string("\u{FFFD}")])
        #expect(try throughLibdbus([nested]) == [expected])
    }

    @Test(
        "A value that contradicts its own type is rejected",
        arguments: [
            Value.structure([]), .array(of: "y", []), .array(of: "ss", []), .array(of: "", []),
            .array(of: "s", [.byte(1)]),
            .array(of: "(ss)", [.structure([.string("")])]), .array(of: "as", [.bytes([])]),
            .dictionary(key: "as", value: "s", [:]),
            .dictionary(key: "v", value: "s", [:]), .dictionary(key: "s", value: "ss", [:]),
            .dictionary(key: "s", value: "s", [.byte(1): .string("")]),
            .dictionary(key: "s", value: "s", [.string(""): .byte(1)]),
            .array(of: "(s)", [.structure([])]), .variant(.structure([])),
        ]
    )
    func inconsistentValues(_ value: Value) {
        let error = #expect(throws: DBusError.self) { try throughLibdbus([.string("before"), value]) }
        #expect(error?.name == .invalidArgs || error?.name == .limitsExceeded)
    }

    @Test("Values are accepted up to the depth that D-Bus allows") func depthLimit() throws {
        func nested(_ depth: Int, _ wrap: (Value) -> Value) -> Value {
            (0..<depth).reduce(Value.byte(1)) { value, _ in wrap(value) }
        }
        let structures = { (value: Value) in Value.structure([value]) }
        let variants = { (value: Value) in Value.variant(value) }
        let arrays = { (value: Value) in Value.array(of: value.signature, [value]) }
        #expect(try throughLibdbus([nested(32, structures)]).count == 1)
        #expect(throws: DBusError.self) { try throughLibdbus([nested(33, structures)]) }
        #expect(try throughLibdbus([nested(64, variants)]).count == 1)
        #expect(throws: DBusError.self) { try throughLibdbus([nested(65, variants)]) }
        let word = Value.array(of: "s", [.string("")])
        #expect(try throughLibdbus([(0..<31).reduce(word) { value, _ in arrays(value) }]).count == 1)
        #expect(throws: DBusError.self) { try throughLibdbus([(0..<32).reduce(word) { value, _ in arrays(value) }]) }
        // Structures inside of variants count together.
        let mixed = { (value: Value) in Value.variant(.structure([value])) }
        #expect(try throughLibdbus([nested(32, mixed)]).count == 1)
        #expect(throws: DBusError.self) { try throughLibdbus([nested(33, mixed)]) }
    }

    @Test("Values are accepted up to the sizes that D-Bus allows") func sizeLimit() throws {
        let large = [UInt8](repeating: 7, count: 64 << 20)
        #expect(try throughLibdbus([.bytes(large)]) == [.bytes(large)])
        #expect(throws: DBusError.self) { try throughLibdbus([.bytes(large + [1])]) }
        #expect(throws: DBusError.self) { try throughLibdbus([.bytes(large), .bytes(large)]) }
        let text = String(repeating: "a", count: 33 << 20)
        #expect(throws: DBusError.self) { try throughLibdbus([.array(of: "s", [.string(text), .string(text)])]) }
        #expect(throws: DBusError.self) { try throughLibdbus(Array(repeating: .byte(1), count: 256)) }
    }

    @Test("Random consistent values pass through libdbus unchanged") func randomValues() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let value = randomValue(&random, consistent: true)
            #expect(value.conforms(to: value.signature))
            #expect(try throughLibdbus([value]) == [value])
        }
    }

    @Test("Random inconsistent values are rejected or pass unchanged") func randomInconsistentValues() {
        var random = SeededGenerator(seed: 2)
        var refused = 0
        for _ in 0..<5000 {
            let value = randomValue(&random, consistent: false)
            do {
                let back = try throughLibdbus([value])
                #expect(back == [value])
            } catch {
                refused += 1
            }
        }
        #expect(refused > 100)
    }

    /// Bytes that libdbus takes for a message, changed at random: reading them throws or gives a message that can be
    /// written again.
    @Test("A randomly changed message is rejected, or it can be written again") func mutatedMessages() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            let body = (0..<3).map { _ in randomValue(&random, consistent: true) }
            var bytes = try WireMessage(.signal("/a", "a.b", "C", body), serial: 1).bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let raw = RawMessage.demarshalled(bytes) else { continue }
            let (message, unreadable) = raw.decoded()
            if unreadable == nil, message.kind == .signal { _ = try WireMessage(message, serial: 1) }
        }
    }
}

@Suite struct TypedValueTests {
    private func roundTrip<T: DBusValue & Equatable>(_ value: T, _ signature: Signature) throws {
        #expect(T.dbusSignature == signature)
        #expect(value.dbusValue.signature == signature)
        #expect(try T(dbus: value.dbusValue) == value)
    }

    @Test("Swift types have the D-Bus types of our interfaces") func swiftTypes() throws {
        try roundTrip(["a", "b"], "as")
        try roundTrip([Structure("a", "b")], "a(ss)")
        try roundTrip([Structure("a", "b", UInt32(1))], "a(ssu)")
        try roundTrip([Structure("a", "b", true)], "a(ssb)")
        try roundTrip(Structure("a", "b"), "(ss)")
        try roundTrip(
            Structure(Int32(1), Int32(1), Int32(4), true, Int32(8), Int32(4), [UInt8](repeating: 0, count: 4)),
            "(iiibiiay)"
        )
        try roundTrip(["k": Value.string("v"), "n": .array(of: "s", [])], "a{sv}")
        try roundTrip([["k": Value.variant(.byte(1))]], "aa{sv}")
        try roundTrip([ObjectPath("/a"): ["a.b": ["c": Value.byte(1)]]], "a{oa{sa{sv}}}")
        try roundTrip([UInt8](), "ay")
        try roundTrip([[UInt8]](), "aay")
        try roundTrip([ObjectPath](), "ao")
        try roundTrip([Int64.min: -0.5], "a{xd}")
    }

    @Test("A value of another type is rejected") func otherTypes() {
        #expect(throws: DBusError(.invalidArgs, "Expected a value of type “u”, got “i”.")) {
            try UInt32(dbus: .int32(1))
        }
        #expect(throws: DBusError.self) { try [String](dbus: .array(of: "i", [])) }
        #expect(throws: DBusError.self) { try [String: Value](dbus: .dictionary(key: "s", value: "s", [:])) }
        #expect(throws: DBusError.self) { try Structure<String, String>(dbus: .structure([.string("")])) }
        #expect(throws: DBusError.self) { try Structure<String>(dbus: .structure([.string(""), .string("")])) }
        #expect(throws: DBusError.self) { try Value(dbus: .string("")) }
        #expect(throws: DBusError.self) { try [UInt8](dbus: .array(of: "q", [])) }
    }

    @Test("An option is read by key, and an error names the key") func options() throws {
        let options: [String: Value] = ["limit": Value(UInt32(20))]
        #expect(try options.value("limit", as: UInt32.self) == 20)
        #expect(try options.value("offset", as: UInt32.self) == nil)
        #expect(throws: DBusError(.invalidArgs, "“limit”: Expected a value of type “s”, got “u”.")) {
            try options.value("limit", as: String.self)
        }
    }

    private struct Store: DBusConvertible, Equatable {
        var id: String
        var count: UInt32
        init(id: String, count: UInt32) { (self.id, self.count) = (id, count) }
        init(dbus fields: Structure<String, UInt32>) throws(DBusError) {
            (id, count) = fields.elements
            if id.isEmpty { throw DBusError(.invalidArgs, "A store needs an id.") }
        }
        var dbusRepresentation: Structure<String, UInt32> { Structure(id, count) }
    }

    @Test("A type of our own is converted by its fields") func ownTypes() throws {
        try roundTrip([Store(id: "a", count: 1)], "a(su)")
        #expect(throws: DBusError(.invalidArgs, "A store needs an id.")) {
            try Store(dbus: Structure("", UInt32(1)).dbusValue)
        }
    }

    @Test(
        "An integer is converted to another type of integers if it fits",
        arguments: [
            (Value.int32(2), "u", Value.uint32(2)), (.uint64(.max), "x", .uint64(.max)), (.int64(-1), "u", .int64(-1)),
            (.uint32(.max), "i", .uint32(.max)), (.byte(255), "n", .int16(255)), (.int16(-3), "x", .int64(-3)),
            (.uint32(1), "y", .byte(1)), (.uint32(1), "q", .uint16(1)), (.uint32(1), "t", .uint64(1)),
            (.bool(true), "u", .bool(true)), (.string("1"), "u", .string("1")), (.int32(1), "s", .int32(1)),
            ([UInt32(1), 2].dbusValue, "ai", [Int32(1), 2].dbusValue),
            ([Int32(-1)].dbusValue, "au", [Int32(-1)].dbusValue),
            (["a"].dbusValue, "au", ["a"].dbusValue), ([String]().dbusValue, "as", [String]().dbusValue),
        ]
    )
    func convertedInteger(value: Value, type: String, expected: Value) throws {
        #expect(value.converted(to: try Signature(type)) == expected)
    }
}
