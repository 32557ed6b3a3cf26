import Inbox
import Testing

@testable import Agent
@testable import DBus

/// The signals of a notification server.
@Suite struct ServerSignalTests {
    private func signal(_ member: MemberName, _ body: [Value], interface: InterfaceName = FreedesktopNotifications.name)
        throws(DBusError) -> ServerSignal?
    {
        var message = Message.signal(FreedesktopNotifications.path, interface, member, body)
        message.sender = ":1.7"
        return try ServerSignal(message)
    }

    @Test("Each signal has its sender, its popup and its contents") func contents() throws {
        #expect(
            try signal("ActivationToken", [.uint32(5), .string("t")])
                == ServerSignal(server: ":1.7", id: 5, .token("t"))
        )
        #expect(
            try signal("ActionInvoked", [.uint32(5), .string("default")])
                == ServerSignal(server: ":1.7", id: 5, .action("default"))
        )
        #expect(
            try signal("NotificationClosed", [.uint32(5), .uint32(2)])
                == ServerSignal(server: ":1.7", id: 5, .closed(2))
        )
    }

    @Test("Another signal is ignored, and a malformed one is an error") func others() throws {
        #expect(try signal("NotificationReplied", [.uint32(5), .string("text")]) == nil)
        #expect(try signal("ActionInvoked", [.uint32(5), .string("default")], interface: "org.example.Other") == nil)
        #expect(throws: DBusError.self) { try signal("ActionInvoked", [.string("5"), .string("default")]) }
    }
}
