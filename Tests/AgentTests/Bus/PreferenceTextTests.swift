import DBus
import Inbox
import Testing

@testable import Agent

/// Changes of preferences in the words of the bus, in which they are also kept on disk.
@Suite struct PreferenceTextTests {
    @Test(
        "A change of preferences is converted to a bus method with arguments and back",
        arguments: [
            (.category("offers", isOn: false), "SetCategory", ["offers", "opt_out"]),
            (.channel("email", inCategory: "offers", isOn: true), "SetCategoryChannel", ["offers", "email", "opt_in"]),
            (.overall(channel: "email", onlyRequired: true), "SetChannel", ["email", "required"]),
            (
                .digest(.init(id: "weekly", monthdays: [.init(-1, weekdays: ["mo"])]), inCategory: "offers"),
                "SetDigest", ["offers", #"{"id":"weekly","monthdays":[{"position":-1,"weekdays":["mo"]}]}"#]
            ),
            (.topic("build-1", isSubscribed: false), "SetTopic", ["build-1", "opt_out"]),
            (.property("min", .integer(-5), inCategory: "offers"), "SetProperty", ["offers", "min", "-5"]),
            (.property("name", .text("5"), inCategory: "offers"), "SetProperty", ["offers", "name", #""5""#]),
            (
                .property("tags", .list(["a", "b"]), inCategory: "offers"), "SetProperty",
                ["offers", "tags", #"["a","b"]"#]
            ),
            (.property("tags", .list([]), inCategory: "offers"), "SetProperty", ["offers", "tags", "[]"]),
        ] as [(PreferenceChange, String, [String])]
    )
    func words(change: PreferenceChange, name: String, arguments: [String]) throws {
        #expect(change.name == name && change.arguments == arguments)
        #expect(try PreferenceChange(name: name, arguments: arguments) == change)
        let others = [
            (name, arguments.dropLast() + ["perhaps"]), (name, arguments.dropLast()), (name + "s", arguments),
        ]
        for (name, arguments) in others {
            let error = #expect(throws: DBusError.self) { try PreferenceChange(name: name, arguments: arguments) }
            #expect(error?.name == .invalidArgs)
        }
    }
}
