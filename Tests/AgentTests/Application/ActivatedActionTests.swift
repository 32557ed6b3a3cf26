import DBus
import Inbox
import Testing

@testable import Agent

@Suite struct ActivatedActionTests {
    @Test(
        "Actions have the parameters that a desktop passes",
        arguments: [
            ("open", [.string("n1")], .open(account: nil, "n1")),
            ("open", [.variant(.string("n1"))], .open(account: nil, "n1")),
            ("open", [.structure([.string("work"), .string("n1")])], .open(account: "work", "n1")),
            ("pause", [], .pause),
            ("resume", [], .resume),
            ("mark-all-read", [], .markAllRead),
        ] as [(String, [Value], ActivatedAction)]
    )
    func valid(name: String, parameter: [Value], action: ActivatedAction) throws {
        #expect(try ActivatedAction(name, parameter: parameter) == action)
    }

    @Test(
        "Other actions and parameters are rejected",
        arguments: [
            ("", []), ("quit", []), ("Open", [.string("n1")]), ("pause", [.string("1h")]), ("open", []),
            ("open", [.uint32(1)]), ("open", [.string("")]), ("open", [.string(String(repeating: "x", count: 257))]),
            ("open", [.structure([.string("work")])]), ("open", [.structure([.string("work"), .uint32(1)])]),
            ("open", [.structure([.string("a"), .string("b"), .string("c")])]),
        ] as [(String, [Value])]
    )
    func invalid(name: String, parameter: [Value]) {
        let error = #expect(throws: DBusError.self) { try ActivatedAction(name, parameter: parameter) }
        #expect(error?.name == .invalidArgs)
    }

    @Test("The activation token is that of Wayland, otherwise that of X11") func tokens() {
        #expect(ActivationToken([:]).text == nil)
        #expect(ActivationToken(["activation-token": .string("w")]).text == "w")
        #expect(ActivationToken(["desktop-startup-id": .string("x")]).text == "x")
        #expect(ActivationToken(["desktop-startup-id": .string("x"), "activation-token": .string("w")]).text == "w")
        #expect(ActivationToken(["desktop-startup-id": .string("x"), "activation-token": .string("")]).text == "x")
        #expect(ActivationToken(["activation-token": .uint32(1)]).text == nil)
    }
}
