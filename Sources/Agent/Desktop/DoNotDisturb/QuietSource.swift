import Basics
import ChildProgram
import DBus
import FoundationEssentials
import Logging

/// Where a notification server's do-not-disturb is read, and what announces a change of it.
struct QuietSource: Sendable {
    typealias State = DoNotDisturb.State

    /// The interval at which a file is read that cannot be watched.
    private static let interval = Duration.seconds(5)

    /// Signals after which the state is read again.
    var changeSignal: MatchRule?
    /// Whether a signal that matches may be such a change.
    var concerns: @Sendable (Message) -> Bool = { _ in true }
    /// A file that contains the state.
    var file: String?
    /// Whether the state belongs to the desktop and exists without the server.
    var isSetting = false
    /// The time by which the server may notice a change later than this program does.
    var latency: Duration?
    /// Reads the state.
    var read: @Sendable () async -> State

    /// The source of a server; nil: its state is unknown.
    static func find(_ bus: Bus, _ owner: BusName, _ environment: [String: String]) async -> QuietSource? {
        let server = Proxy(bus, owner, FreedesktopNotifications.path)
        let capabilities = try? await server.call(
            FreedesktopNotifications.getCapabilities,
            timeout: NotificationServer.deadline,
            autoStart: false
        )
        if capabilities?.contains("inhibitions") == true {
            return property(of: owner) { try? await server.get(PlasmaNotifications.inhibited, autoStart: false) }
        }
        // mako has the capability too, but no such property: it is off.
        if capabilities?.contains("x-dunst-stack-tag") == true {
            return property(of: owner) { try? await server.get(Dunst.paused, autoStart: false) }
        }
        let information = try? await server.call(
            FreedesktopNotifications.getServerInformation,
            timeout: NotificationServer.deadline,
            autoStart: false
        )
        return switch (information?.0 ?? "", information?.1 ?? "") {
        case ("Xfce Notify Daemon", _): xfce(bus)
        case ("Notification Daemon", "MATE"): mate(environment)
        case ("lxqt-notificationd", _): lxqt(environment)
        default: nil
        }
    }

    /// Reports the state at first and after each change, until the task is cancelled.
    func run(_ bus: Bus, _ logger: Logger, _ report: @escaping @Sendable (State) -> Void) async {
        let changes = Mailbox<Void>(.bufferingNewest(1))
        var signals: AsyncStream<Message>?
        do {
            if let changeSignal { signals = try await bus.signals(matching: changeSignal) }
        } catch {
            logger.debug("cannot follow do-not-disturb", metadata: ["error": "\(error)"])
        }
        await withDiscardingTaskGroup { group in
            if let signals {
                group.addTask { for await signal in signals where concerns(signal) { changes.send() } }
            }
            if let file {
                group.addTask {
                    let watch = FileWatch(paths: [file], loop: bus.loop)
                    if await watch.run(started: { changes.send() }, changed: { changes.send() }) { return }
                    // The user has no inotify(7) instance left.
                    while (try? await Task.sleep(for: Self.interval)) != nil { changes.send() }
                }
            }
            changes.send()
            var last = State.off
            for await _ in changes.messages {
                var state = await read()
                // The server would discard a popup that comes before it has noticed the end.
                if state < last, let latency, (try? await Task.sleep(for: latency)) != nil { state = await read() }
                last = state
                report(state)
            }
            group.cancelAll()
        }
    }

    // MARK: Servers

    /// A property of the server. Critical popups are shown.
    private static func property(
        of owner: BusName,
        _ read: @escaping @Sendable () async -> Bool?
    ) -> QuietSource {
        let path = FreedesktopNotifications.path
        let changes = MatchRule(sender: owner, path: path, interface: PropertiesInterface.name)
        return QuietSource(changeSignal: changes, read: { await read() == true ? .exceptCritical : .off })
    }

    /// xfce4-notifyd: the property `/do-not-disturb` of its channel in Xfconf. Critical popups are shown.
    private static func xfce(_ bus: Bus) -> QuietSource {
        let settings = Proxy(bus, Xfconf.busName, Xfconf.path)
        let channel = "xfce4-notifyd"
        let changes = MatchRule(sender: Xfconf.busName, path: Xfconf.path, interface: Xfconf.name, arg0: channel)
        let read: @Sendable () async -> State = {
            // An error: the user has never changed it.
            let value = try? await settings.call(
                Xfconf.getProperty,
                channel,
                "/do-not-disturb",
                timeout: NotificationServer.deadline
            )
            return value == .bool(true) ? .exceptCritical : .off
        }
        return QuietSource(changeSignal: changes, isSetting: true, read: read)
    }

    /// mate-notification-daemon: a key in GSettings. dconf announces each change on the bus; the program `gsettings`
    /// reads the key wherever GSettings keeps it.
    private static func mate(_ environment: [String: String]) -> QuietSource {
        let changes = MatchRule(
            path: DconfWriter.userPath,
            interface: DconfWriter.name,
            member: DconfWriter.notify.name
        )
        let program = ChildProgram(
            ["gsettings", "get", "org.mate.NotificationDaemon", "do-not-disturb"],
            environment: environment.mapValues(Optional.some),
            keepsOutput: true
        )
        let concerns: @Sendable (Message) -> Bool = { signal in
            // The first argument is the changed key, or a directory of changed keys.
            guard case .string(let prefix) = signal.body.first else { return false }
            return "/org/mate/notification-daemon/do-not-disturb".hasPrefix(prefix)
        }
        let read: @Sendable () async -> State = {
            let outcome = await withTaskGroup(of: ChildProgram.Outcome?.self) { group in
                group.addTask { try? await program.run() }
                group.addTask {
                    try? await Task.sleep(for: NotificationServer.deadline)
                    return nil
                }
                defer { group.cancelAll() }
                return await group.next() ?? nil
            }
            return outcome?.output.starts(with: "true".utf8) == true ? .all : .off
        }
        return QuietSource(changeSignal: changes, concerns: concerns, isSetting: true, read: read)
    }

    /// lxqt-notificationd: a key in a configuration file.
    private static func lxqt(_ environment: [String: String]) -> QuietSource? {
        let configured = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        guard let directory = configured ?? environment["HOME"].map({ $0 + "/.config" }) else { return nil }
        let file = directory + "/lxqt/notifications.conf"
        let read: @Sendable () async -> State = {
            let content = await runBlocking { FileManager.default.contents(atPath: file) } ?? nil
            let settings = content.map { String(decoding: $0, as: UTF8.self).settings(section: "General") }
            return settings?["doNotDisturb"] == "true" ? .all : .off
        }
        // It waits for further changes of the file before it reads it.
        return QuietSource(file: file, isSetting: true, latency: .seconds(2), read: read)
    }
}

extension String {
    /// The keys of a section of an INI file as Qt writes it.
    func settings(section: String) -> [String: String] {
        var settings: [String: String] = [:]
        var isInSection = false
        for line in split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                isInSection = line == "[\(section)]"
            } else if isInSection, let equals = line.firstIndex(of: "=") {
                settings[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
        }
        return settings
    }
}
