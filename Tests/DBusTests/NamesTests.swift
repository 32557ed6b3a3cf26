import DBus
import TestSupport
import Testing

@Suite struct NamesTests {
    private static let long = String(repeating: "a", count: 253)

    @Test("Valid object paths are accepted", arguments: ["/", "/a", "/a/b_1/C", "/0"])
    func validPaths(_ text: String) throws { #expect(try ObjectPath(text).text == text) }

    @Test(
        "Invalid object paths are rejected",
        arguments: ["", "a", "//", "/a/", "/a//b", "/a-b", "/ä", "/a b", "/a\0"]
    )
    func invalidPaths(_ text: String) { #expect(throws: DBusError.self) { try ObjectPath(text) } }

    @Test("Valid interface names are accepted", arguments: ["a.b", "org.example.Thing1", "_a._b", "\(long).b"])
    func validInterfaces(_ text: String) throws { #expect(try InterfaceName(text).text == text) }

    @Test(
        "Invalid interface names and error names are rejected",
        arguments: ["", "a", ".a.b", "a.b.", "a..b", "1a.b", "a.1b", "a-b.c", "\(long).bc", "a.b c", "a.é"]
    )
    func invalidInterfaces(_ text: String) {
        #expect(throws: DBusError.self) { try InterfaceName(text) }
        #expect(throws: DBusError.self) { try ErrorName(text) }
    }

    @Test("Valid member names are accepted", arguments: ["A", "_x9", long])
    func validMembers(_ text: String) throws { #expect(try MemberName(text).text == text) }

    @Test("Invalid member names are rejected", arguments: ["", "9a", "a.b", "a-b", "\(long)abc", "a\0"])
    func invalidMembers(_ text: String) { #expect(throws: DBusError.self) { try MemberName(text) } }

    @Test(
        "Valid bus names are accepted, and unique names are recognized",
        arguments: ["a.b", "org.a-b.c", ":1.42", ":1.2.3", "_7.b", "-a.b"]
    )
    func validBusNames(_ text: String) throws {
        #expect(try BusName(text).text == text)
        #expect(try BusName(text).isUnique == text.hasPrefix(":"))
    }

    @Test(
        "Invalid bus names are rejected",
        arguments: ["", "a", ":", ":1", ":.1", "a.", "1.a", "a.1", "a..b", "\(long).bc", "a:b.c"]
    )
    func invalidBusNames(_ text: String) { #expect(throws: DBusError.self) { try BusName(text) } }

    @Test("The error about an invalid name quotes it") func errorText() {
        let text = "no good"
        let error = #expect(throws: DBusError.self) { try BusName(text) }
        #expect(error == DBusError(.invalidArgs, "“no good” is not a valid bus name."))
    }

    @Test(
        "A path element is escaped as sd_bus_path_encode(3) does, and unescaped again",
        arguments: [
            ("work", "/a/work"), ("", "/a/_"), ("9x", "/a/_39x"), ("x9", "/a/x9"), ("a_b", "/a/a_5fb"),
            ("ä-ö", "/a/_c3_a4_2d_c3_b6"), ("_", "/a/_5f"),
        ]
    )
    func escapedElements(_ element: String, _ path: String) {
        let made = ObjectPath("/a").appending(element)
        #expect(made.text == path)
        #expect(made.lastElement == element)
    }

    @Test("Any text can be a path element") func randomElements() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let element = String(
                (0..<Int.random(in: 0...20, using: &random)).map { _ in
                    Character(Unicode.Scalar(UInt32.random(in: 0...0x2FF, using: &random))!)
                }
            )
            let path = ObjectPath("/").appending(element)
            #expect(try ObjectPath(path.text) == path)
            #expect(path.lastElement == element)
        }
    }

    @Test("A path knows its parent and the paths below it") func relatives() {
        #expect(ObjectPath("/a/b").parent == "/a")
        #expect(ObjectPath("/a").parent == .root)
        #expect(ObjectPath.root.parent == nil)
        #expect(ObjectPath("/a/b").isBelow("/a"))
        #expect(ObjectPath("/a").isBelow("/"))
        #expect(!ObjectPath("/ab").isBelow("/a"))
        #expect(!ObjectPath("/a").isBelow("/a"))
        #expect(ObjectPath("/a/_zz").lastElement == nil)
    }
}
