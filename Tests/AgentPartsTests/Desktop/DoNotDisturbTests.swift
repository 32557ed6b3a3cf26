import DBus
import FoundationEssentials
import Logging
import ProgramKit
import TestSupport
import Testing

@testable import Agent

/// Uses fake servers with the D-Bus members of Plasma, dunst and swaync. `DunstTests` uses a real dunst.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct DoNotDisturbTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func follow(_ body: (AsyncStream<Bool>) async throws -> Void) async throws {
        try await withBus { bus in
            let (states, state) = AsyncStream<Bool>.makeStream()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await DoNotDisturb(bus: bus, logger: logger).run { state.yield($0 != .off) } }
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

    // MARK: Servers that discard popups

    /// The server of a desktop, which has its setting elsewhere.
    private func server(name: String, vendor: String) -> ExportedObject {
        var object = ExportedObject(FreedesktopNotifications.path)
        object.handle(FreedesktopNotifications.getCapabilities) { ["body"] }
        object.handle(FreedesktopNotifications.getServerInformation) { (name, vendor, "1.0", "1.2") }
        return object
    }

    /// Follows the state with these settings of the user.
    private func follow(
        environment: [String: String] = [:],
        _ body: (_ states: AsyncStream<DoNotDisturb.State>, _ known: AsyncStream<BusName>) async throws -> Void
    ) async throws {
        try await withBus { bus in
            let (states, state) = AsyncStream<DoNotDisturb.State>.makeStream()
            let (servers, known) = AsyncStream<BusName>.makeStream()
            let source = DoNotDisturb(bus: bus, logger: logger, environment: environment)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await source.run {
                        state.yield($0)
                    } serverKnown: {
                        known.yield($0)
                    }
                }
                try await body(states, servers)
                group.cancelAll()
            }
        }
    }

    @Test("The setting of Xfce is followed, also while its server is absent") func xfce() async throws {
        let isOn = Flag()
        try await withBus { settings in
            var object = ExportedObject(Xfconf.path)
            object.handle(Xfconf.getProperty) { channel, property in
                #expect(channel == "xfce4-notifyd")
                #expect(property == "/do-not-disturb")
                guard await isOn.isSet else { throw DBusError(.failed, "it does not exist") }
                return .bool(true)
            }
            try await settings.export(object)
            _ = try await settings.requestName(Xfconf.busName)
            func change(to value: Bool) async throws {
                await isOn.set(value)
                let (channel, property) = ("xfce4-notifyd", "/do-not-disturb")
                try await settings.emit(Xfconf.propertyChanged, channel, property, .bool(value), from: Xfconf.path)
            }
            try await follow { states, known in
                try await withBus { bus in
                    try await appear(server(name: "Xfce Notify Daemon", vendor: "Xfce"), on: bus)
                    #expect(await known.next() == bus.uniqueName, "it is off")
                    try await change(to: true)
                    #expect(await states.next() == .exceptCritical)
                    _ = try await bus.releaseName(FreedesktopNotifications.busName)
                }
                try await change(to: false)
                #expect(await states.next() == .off)
            }
        }
    }

    @Test("The setting of LXQt is followed in its file") func lxqt() async throws {
        try await withTemporaryDirectory { home in
            let (directory, file) = (home + "/lxqt", home + "/lxqt/notifications.conf")
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            func write(_ value: Bool) throws {
                let text = "[General]\n__userfile__=true\ndoNotDisturb=\(value)\n[Other]\ndoNotDisturb=\(!value)\n"
                try Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
            }
            try await follow(environment: ["XDG_CONFIG_HOME": home]) { states, known in
                try await withBus { bus in
                    try await appear(server(name: "lxqt-notificationd", vendor: "lxqt.org"), on: bus)
                    #expect(await known.next() == bus.uniqueName)
                    for value in [true, false, true] {
                        try write(value)
                        #expect(await states.next() == (value ? .all : .off))
                    }
                    try FileManager.default.removeItem(atPath: file)
                    #expect(await states.next() == .off)
                }
            }
        }
    }

    @Test("The setting of MATE is read with gsettings when dconf announces a change", .enabled(if: Self.hasMATE))
    func mate() async throws {
        try await followSetting("do-not-disturb", at: "/org/mate/notification-daemon/", isQuiet: true) {
            server(name: "Notification Daemon", vendor: "MATE")
        }
    }

    /// The schema is the test's: the desktop need not be installed.
    @Test(
        "The setting of Cinnamon is read with gsettings when dconf announces a change",
        .enabled(if: Self.schemaCompiler != nil)
    )
    func cinnamon() async throws {
        let path = "/org/cinnamon/desktop/notifications/"
        let schema = """
            <schemalist><schema id="org.cinnamon.desktop.notifications" path="\(path)">
            <key name="display-notifications" type="b"><default>true</default></key></schema></schemalist>
            """
        try await followSetting("display-notifications", at: path, isQuiet: false, schema: schema) {
            server(name: "cinnamon", vendor: "GNOME")
        }
    }

    /// Follows a key of GSettings in a file.
    ///
    /// - Parameters:
    ///   - path: The path of its schema.
    ///   - isQuiet: Its value while do-not-disturb is on.
    ///   - schema: Its schema if it is not installed.
    private func followSetting(
        _ key: String,
        at path: String,
        isQuiet: Bool,
        schema: String? = nil,
        _ server: () -> ExportedObject
    ) async throws {
        try await withTemporaryDirectory { home in
            let directory = home + "/glib-2.0/settings"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            func write(_ value: Bool) throws {
                let text = "[\(path.dropFirst().dropLast())]\n\(key)=\(value)\n"
                try Data(text.utf8).write(to: URL(filePath: directory + "/keyfile"))
            }
            try write(isQuiet)
            var environment = ["GSETTINGS_BACKEND": "keyfile", "XDG_CONFIG_HOME": home, "HOME": home]
            if let schema {
                try Data(schema.utf8).write(to: URL(filePath: home + "/test.gschema.xml"))
                let compiled = try await ChildProgram([Self.schemaCompiler ?? "", "--strict", home]).run()
                try #require(compiled.status == .exited(0))
                environment["GSETTINGS_SCHEMA_DIR"] = home
            }
            try await follow(environment: environment) { states, known in
                try await withBus { bus in
                    try await appear(server(), on: bus)
                    #expect(await states.next() == .all)
                    for (value, prefix) in [(!isQuiet, key), (isQuiet, "")] {
                        try write(value)
                        try await bus.emit(
                            DconfWriter.notify,
                            path + prefix,
                            [key],
                            "",
                            from: DconfWriter.userPath
                        )
                        #expect(await states.next() == (value == isQuiet ? .all : .off))
                    }
                }
            }
        }
    }

    @Test("Budgie's server is asked, and announces changes") func budgie() async throws {
        let isOn = Flag()
        try await follow { states, known in
            try await withBus { bus in
                var dispatcher = ExportedObject(BudgieDispatcher.path)
                dispatcher.handle(BudgieDispatcher.getDoNotDisturb) { await isOn.isSet }
                try await bus.export(dispatcher)
                try await appear(server(name: "Budgie Notification Server", vendor: "Budgie"), on: bus)
                #expect(await known.next() == bus.uniqueName, "it is off")
                for value in [true, false] {
                    await isOn.set(value)
                    try await bus.emit(BudgieDispatcher.doNotDisturbChanged, value, from: BudgieDispatcher.path)
                    #expect(await states.next() == (value ? .exceptCritical : .off))
                }
            }
        }
    }

    /// GLib installs it beside its libraries, or with the other programs.
    private static var schemaCompiler: String? {
        let libraries = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        let places = ["/usr/bin"] + libraries.map { "/usr/lib/\($0)/glib-2.0" }
        return places.map { $0 + "/glib-compile-schemas" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static var hasMATE: Bool {
        let schema = "/usr/share/glib-2.0/schemas/org.mate.NotificationDaemon.gschema.xml"
        return FileManager.default.fileExists(atPath: schema)
    }
}

private actor Flag {
    private(set) var isSet = false

    func set(_ value: Bool) { isSet = value }
}

private func withTemporaryDirectory(_ body: (String) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.path + "/feedbell-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try await body(directory)
}
