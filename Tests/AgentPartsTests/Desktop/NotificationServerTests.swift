import DBus
import Logging
import TestSupport
import Testing

@testable import Agent

/// The client of `org.freedesktop.Notifications` with servers that have the quirks of real ones.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct NotificationServerTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// A notification server.
    private func server(
        capabilities: [String]?,
        information: (String, String, String, String) = ("fake", "test", "2.0", "1.2")
    ) -> ExportedObject {
        var object = ExportedObject(FreedesktopNotifications.path)
        object.add(FreedesktopNotifications.self)
        if let capabilities { object.handle(FreedesktopNotifications.getCapabilities) { capabilities } }
        object.handle(FreedesktopNotifications.getServerInformation) { information }
        return object
    }

    /// A report of the client.
    private enum Report: Equatable, Sendable {
        case server(BusName, NotificationServer.Information)
        case noServer
        case signal(BusName?, String)
    }

    /// Runs the client, and passes its reports to `body`.
    private func follow(_ body: (NotificationServer, AsyncStream<Report>) async throws -> Void) async throws {
        try await withBus { bus in
            let (events, input) = AsyncStream<Report>.makeStream()
            let server = NotificationServer(bus: bus, logger: logger)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await server.followSignals { input.yield(.signal($0.sender, $0.member?.text ?? "")) }
                    try await server.followServers { server in
                        input.yield(server.map { .server($0.owner, $0.information) } ?? .noServer)
                    }
                }
                try await body(server, events)
                group.cancelAll()
            }
        }
    }

    @Test("A server that appears and vanishes is reported") func appearance() async throws {
        try await follow { ours, events in
            #expect(await events.next() == .noServer)
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
                #expect(await events.next() == .server(owner, information))
                let path = FreedesktopNotifications.path
                try await bus.emit(FreedesktopNotifications.activationToken, 1, "t", from: path)
                try await bus.emit(FreedesktopNotifications.actionInvoked, 1, "default", from: path)
                try await bus.emit(FreedesktopNotifications.notificationClosed, 1, 2, from: path)
                #expect(await events.next() == .signal(owner, "ActivationToken"))
                #expect(await events.next() == .signal(owner, "ActionInvoked"))
                #expect(await events.next() == .signal(owner, "NotificationClosed"))
                try await withBus { stranger in
                    try await stranger.emit(FreedesktopNotifications.actionInvoked, 1, "default", from: path)
                }
                try await bus.releaseName(FreedesktopNotifications.busName)
                #expect(await events.next() == .noServer, "signals of other senders are ignored")
            }
        }
    }

    @Test("A server that does not return capabilities has unknown ones")
    func noCapabilities() async throws {
        try await withBus { bus in
            try await bus.export(server(capabilities: nil))
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            try await follow { _, events in
                #expect(await events.next() == .server(await bus.uniqueName, .unknown))
            }
        }
    }

    @Test("Deepin's and UKUI's information begins with the version of the specification")
    func versionFirst() async throws {
        try await withBus { bus in
            let deepin = ("1.2", "DeepinNotifications", "Deepin", "2.0")
            try await bus.export(server(capabilities: ["body"], information: deepin))
            _ = try await bus.requestName(FreedesktopNotifications.busName)
            try await follow { _, events in
                let information = NotificationServer.Information(
                    name: "DeepinNotifications",
                    vendor: "Deepin",
                    version: "2.0",
                    capabilities: ["body"]
                )
                #expect(await events.next() == .server(await bus.uniqueName, information))
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
                    #expect(await events.next() == .server(owner, information))
                    let (invoked, path) = (FreedesktopNotifications.actionInvoked, FreedesktopNotifications.path)
                    try await shell.emit(invoked, 1, "default", from: path)
                    #expect(await events.next() == .signal(broadcaster, "ActionInvoked"))
                    try await helper.emit(invoked, 1, "default", from: path)
                    #expect(await events.next() == .signal(owner, "ActionInvoked"))
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
