import Testing

@testable import DBus

@Suite struct MatchRuleTests {
    private static var signal: Message {
        var message = Message.signal("/a/b", "org.example.A", "Rang", [.string("org.example.x"), .uint32(1)])
        message.sender = ":1.7"
        return message
    }

    @Test(
        "A match rule is written and quoted as the bus expects it",
        arguments: [
            (MatchRule(), "type='signal'"),
            (
                MatchRule(sender: "a.b", path: "/a", interface: "a.b", member: "M", arg0: "x"),
                "type='signal',sender='a.b',path='/a',interface='a.b',member='M',arg0='x'"
            ),
            (
                MatchRule(pathNamespace: "/a", arg0Namespace: "a.b"),
                "type='signal',path_namespace='/a',arg0namespace='a.b'"
            ),
            (MatchRule(arg0: "it's, \\"), #"type='signal',arg0='it'\''s, \'"#),
        ]
    )
    func notation(_ rule: MatchRule, _ text: String) { #expect(rule.description == text) }

    @Test(
        "A rule matches a signal with all of its properties",
        arguments: [
            MatchRule(), MatchRule(sender: ":1.7"), MatchRule(sender: "org.example.Owned"), MatchRule(path: "/a/b"),
            MatchRule(pathNamespace: "/a"), MatchRule(pathNamespace: "/a/b"), MatchRule(pathNamespace: "/"),
            MatchRule(interface: "org.example.A", member: "Rang"), MatchRule(arg0: "org.example.x"),
            MatchRule(arg0Namespace: "org.example"), MatchRule(arg0Namespace: "org.example.x"),
        ]
    )
    func matches(_ rule: MatchRule) { #expect(rule.matches(Self.signal, owner: { _ in ":1.7" })) }

    @Test(
        "A rule does not match a signal that differs in one property",
        arguments: [
            MatchRule(sender: ":1.8"), MatchRule(sender: .bus), MatchRule(path: "/a"),
            MatchRule(pathNamespace: "/a/b/c"),
            MatchRule(pathNamespace: "/b"), MatchRule(interface: "org.example.B"), MatchRule(member: "Other"),
            MatchRule(arg0: "org.example"), MatchRule(arg0Namespace: "org.exam"),
        ]
    )
    func mismatches(_ rule: MatchRule) { #expect(!rule.matches(Self.signal, owner: { _ in ":1.7" })) }

    @Test("A well-known sender matches only signals of its owner") func wellKnownSender() {
        let rule = MatchRule(sender: "org.example.Owned")
        #expect(!rule.matches(Self.signal, owner: { _ in ":1.8" }))
        #expect(!rule.matches(Self.signal, owner: { _ in nil }))
        var unsigned = Self.signal
        unsigned.sender = nil
        #expect(!rule.matches(unsigned, owner: { _ in nil }))
    }

    @Test("arg0 matches only strings") func firstArgument() {
        var message = Self.signal
        message.body = [.objectPath("/x")]
        #expect(!MatchRule(arg0: "/x").matches(message, owner: { _ in nil }))
    }
}
