import DBus
import Desktop
import Logging
import TestSupport
import Testing

/// Uses fake servers with the D-Bus members of Plasma, dunst and swaync. `DunstTests` uses a real dunst.
@Suite(.sessionBus, .timeLimit(.minutes(1))) struct DoNotDisturbTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func follow(_ body: (AsyncStream<Bool>) async throws -> Void) async throws {
        try await withBus { bus in
            let (states, state) = AsyncStream<Bool>.makeStream()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await DoNotDisturb(bus: bus, logger: logger).run { state.yield($0) } }
                try await body(states)
                group.cancelAll()
            }
        }
    }

    /// The interface with Plasma's addition.
    private enum Notifications: Interface {
        static let name = FreedesktopNotifications.name
        static let getCapabilities = Method("GetCapabilities", in: (), out: (Argument<[String]>("capabilities")))
        static let inhibited = Property<Bool>("Inhibited", .read)
        static let members: [any Member] = [getCapabilities, inhibited]
    }

    /// A notification server that has these capabilities.
    private func server(_ capabilities: [String]) -> ExportedObject {
        var object = ExportedObject(FreedesktopNotifications.path)
        object.handle(Notifications.getCapabilities) { capabilities }
        object.set(Notifications.inhibited, false)
        return object
    }

    private func appear(_ server: ExportedObject, on bus: Bus) async throws {
        try await bus.export(server)
        _ = try await bus.requestName(FreedesktopNotifications.busName)
    }

    @Test("The state follows Plasma, then dunst, then no server") func plasmaAndDunst() async throws {
        try await follow { states in
            try await withBus { bus in
                var plasma = server(["body", "inhibitions"])
                plasma.set(Notifications.inhibited, true)
                try await appear(plasma, on: bus)
                #expect(await states.next() == true, "the state before the start")
                await bus.update(plasma.path) { $0.set(Notifications.inhibited, false) }
                #expect(await states.next() == false)
                await bus.update(plasma.path) { $0.set(Notifications.inhibited, true) }
                #expect(await states.next() == true)
            }
            #expect(await states.next() == false, "without a server the state is off")
            try await withBus { bus in
                var dunst = server(["body", "x-dunst-stack-tag"])
                dunst.set(Dunst.paused, false)
                try await appear(dunst, on: bus)
                await bus.update(dunst.path) { $0.set(Dunst.paused, true) }
                #expect(await states.next() == true)
            }
            #expect(await states.next() == false)
        }
    }

    /// The last server has a state, so that the test can wait for it.
    @Test("A server without the capability has no state") func unknownState() async throws {
        try await follow { states in
            // Only a server with the capability is asked.
            try await withBus { bus in
                var other = server(["body"])
                other.set(Notifications.inhibited, true)
                try await appear(other, on: bus)
                await bus.update(other.path) { $0.set(Notifications.inhibited, true) }
                _ = try await bus.releaseName(FreedesktopNotifications.busName)
            }
            try await withBus { bus in
                try await appear(server(["body", "x-dunst-stack-tag"]), on: bus)  // mako
                _ = try await bus.releaseName(FreedesktopNotifications.busName)
            }
            try await withBus { bus in
                var plasma = server(["inhibitions"])
                plasma.set(Notifications.inhibited, true)
                try await appear(plasma, on: bus)
                #expect(await states.next() == true)
            }
            #expect(await states.next() == false)
        }
    }

    @Test("The state follows both versions of the interface of SwayNotificationCenter") func swaync() async throws {
        try await follow { states in
            let name = SwayControlCenter.busName
            let path = SwayControlCenter.path
            try await DBusMock.running([name.text, path.text, name.text], name: name, on: SessionBus.address) {
                center in
                func answer(_ method: String, _ value: String) async throws {
                    let body = [name.text, method, "", "b", "ret = \(value)"].map(Value.string)
                    try await center.call(path, "org.freedesktop.DBus.Mock", "AddMethod", body)
                }
                // Version 0.7.
                try await answer("GetDnd", "True")
                try await center.emit(
                    path,
                    SwayControlCenter.name,
                    "Subscribe",
                    "ubb",
                    [.uint32(0), .bool(true), .bool(false)]
                )
                #expect(await states.next() == true)
                try await answer("GetDnd", "False")
                try await center.emit(
                    path,
                    SwayControlCenter.name,
                    "Subscribe",
                    "ubb",
                    [.uint32(0), .bool(false), .bool(false)]
                )
                #expect(await states.next() == false)
                // Later versions.
                try await answer("IsInhibited", "True")
                let arguments: [Value] = [.uint32(0), .bool(false), .bool(false), .bool(true)]
                try await center.emit(path, SwayControlCenter.name, "SubscribeV2", "ubbb", arguments)
                #expect(await states.next() == true)
            }
            #expect(await states.next() == false)
        }
    }
}
