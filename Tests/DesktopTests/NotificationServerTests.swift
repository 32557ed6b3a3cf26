import DBus
import Desktop
import Logging
import TestSupport
import Testing

/// The client of `org.freedesktop.Notifications` with servers that have the quirks of real ones.
@Suite(.sessionBus, .timeLimit(.minutes(1))) struct NotificationServerTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// A notification server.
    private func server(capabilities: [String]?) -> ExportedObject {
        var object = ExportedObject(FreedesktopNotifications.path)
        object.add(FreedesktopNotifications.self)
        if let capabilities { object.handle(FreedesktopNotifications.getCapabilities) { capabilities } }
        object.handle(FreedesktopNotifications.getServerInformation) { ("fake", "test", "2.0", "1.2") }
        return object
    }

    /// Runs the client, and passes its events to `body`.
    private func follow(_ body: (NotificationServer, AsyncStream<NotificationServer.Event>) async throws -> Void)
        async throws
    {
        try await withBus { bus in
            let (events, input) = AsyncStream<NotificationServer.Event>.makeStream()
            let server = NotificationServer(bus: bus, logger: logger)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await server.followSignals { input.yield($0) }
                    try await server.followServers { input.yield($0) }
                }
                try await body(server, events)
                group.cancelAll()
            }
        }
    }

    @Test("A server that appears and vanishes is reported") func appearance() async throws {
        try await follow { ours, events in
            #expect(await events.next() == .vanished)
            #expect(await ours.isMissing)
            try await withBus { bus in
                try await bus.export(server(capabilities: ["body", "actions"]))
                _ = try await bus.requestName(FreedesktopNotifications.busName)
                let owner = await bus.uniqueName
                let information = NotificationServer.Information(
                    name: "fake",
                    vendor: "test",
                    version: "2.0",
                    capabilities: ["body", "actions"]
                )
                #expect(await events.next() == .appeared(owner: owner, information))
                let path = FreedesktopNotifications.path
                try await bus.emit(FreedesktopNotifications.activationToken, 1, "t", from: path)
                try await bus.emit(FreedesktopNotifications.actionInvoked, 1, "default", from: path)
                try await bus.emit(FreedesktopNotifications.notificationClosed, 1, 2, from: path)
                #expect(await events.next() == .activationToken(owner: owner, id: 1, token: "t"))
                #expect(await events.next() == .actionInvoked(owner: owner, id: 1, key: "default"))
                #expect(await events.next() == .closed(owner: owner, id: 1, reason: 2))
                try await withBus { stranger in
                    try await stranger.emit(FreedesktopNotifications.actionInvoked, 1, "default", from: path)
                }
                try await bus.releaseName(FreedesktopNotifications.busName)
                #expect(await events.next() == .vanished, "signals of other senders are ignored")
            }
        }
    }

    @Test("A server that does not return capabilities has unknown ones")
    func noCapabilities() async throws {
        try await withBus { bus in
            try await bus.export(server(capabilities: nil))
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            try await follow { _, events in
                #expect(await events.next() == .appeared(owner: await bus.uniqueName, .unknown))
            }
        }
    }

    @Test("The broadcasts of GNOME Shell are received besides its helper's signals") func gnomeShell()
        async throws
    {
        try await withBus { shell in
            _ = try await shell.requestName("org.gnome.Shell")
            try await withBus { helper in
                var object = server(capabilities: ["actions"])
                object.handle(FreedesktopNotifications.getServerInformation) { ("gnome-shell", "GNOME", "43.9", "1.2") }
                try await helper.export(object)
                _ = try await helper.requestName(FreedesktopNotifications.busName)
                try await follow { _, events in
                    let (owner, broadcaster) = (await helper.uniqueName, await shell.uniqueName)
                    let information = NotificationServer.Information(
                        name: "gnome-shell",
                        vendor: "GNOME",
                        version: "43.9",
                        capabilities: ["actions"],
                        broadcaster: broadcaster
                    )
                    #expect(await events.next() == .appeared(owner: owner, information))
                    let (invoked, path) = (FreedesktopNotifications.actionInvoked, FreedesktopNotifications.path)
                    try await shell.emit(invoked, 1, "default", from: path)
                    #expect(await events.next() == .actionInvoked(owner: broadcaster, id: 1, key: "default"))
                    try await helper.emit(invoked, 1, "default", from: path)
                    #expect(await events.next() == .actionInvoked(owner: owner, id: 1, key: "default"))
                }
            }
        }
    }

    @Test("Without a server, Notify reports that the server is missing") func noServer() async throws {
        try await withBus { bus in
            let ours = NotificationServer(bus: bus, logger: logger)
            let error = await #expect(throws: DBusError.self) {
                try await ours.notify(DesktopNotification(appName: "x", summary: "y", body: "z"), on: ":1.99999")
            }
            #expect(error?.isMissingServer == true)
            await ours.close(7, on: ":1.99999")
            await ours.start()
        }
    }
}
