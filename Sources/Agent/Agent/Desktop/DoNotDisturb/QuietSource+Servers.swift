import Basics
import DBus
import FoundationEssentials
import ProgramKit

/// The sources of the servers.
extension QuietSource {
    /// A property of the server. Critical popups are shown.
    static func property(
        of owner: BusName,
        _ read: @escaping @Sendable () async -> Bool?
    ) -> QuietSource {
        let path = FreedesktopNotifications.path
        let changes = MatchRule(sender: owner, path: path, interface: PropertiesInterface.name)
        return QuietSource(changeSignal: changes, read: { await read() == true ? .exceptCritical : .off })
    }

    /// Budgie's server, which has the state itself. Critical popups are shown.
    static func budgie(_ bus: Bus, _ owner: BusName) -> QuietSource {
        let dispatcher = Proxy(bus, owner, BudgieDispatcher.path)
        let changes = MatchRule(
            sender: owner,
            path: BudgieDispatcher.path,
            interface: BudgieDispatcher.name,
            member: BudgieDispatcher.doNotDisturbChanged.name
        )
        let read: @Sendable () async -> State = {
            let isOn = try? await dispatcher.call(
                BudgieDispatcher.getDoNotDisturb,
                timeout: NotificationServer.deadline,
                autoStart: false
            )
            return isOn == true ? .exceptCritical : .off
        }
        return QuietSource(changeSignal: changes, read: read)
    }

    /// xfce4-notifyd: the property `/do-not-disturb` of its channel in Xfconf. Critical popups are shown.
    static func xfce(_ bus: Bus) -> QuietSource {
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

    /// mate-notification-daemon.
    static func mate(_ environment: [String: String]) -> QuietSource {
        setting("do-not-disturb", of: "org.mate.NotificationDaemon", at: "/org/mate/notification-daemon/", environment)
        {
            $0 ? .all : .off
        }
    }

    /// Cinnamon. Critical popups are not shown either.
    static func cinnamon(_ environment: [String: String]) -> QuietSource {
        let schema = "org.cinnamon.desktop.notifications"
        return setting("display-notifications", of: schema, at: "/org/cinnamon/desktop/notifications/", environment) {
            $0 ? .off : .all
        }
    }

    /// A key in GSettings. dconf announces each change on the bus; the program `gsettings` reads the key wherever
    /// GSettings keeps it.
    ///
    /// - Parameters:
    ///   - path: The path of the schema.
    ///   - state: The state for a value of the key; without a value, do-not-disturb is off.
    private static func setting(
        _ key: String,
        of schema: String,
        at path: String,
        _ environment: [String: String],
        _ state: @escaping @Sendable (Bool) -> State
    ) -> QuietSource {
        let changes = MatchRule(
            path: DconfWriter.userPath,
            interface: DconfWriter.name,
            member: DconfWriter.notify.name
        )
        let program = ChildProgram(
            ["gsettings", "get", schema, key],
            environment: environment.mapValues(Optional.some),
            keepsOutput: true
        )
        let concerns: @Sendable (Message) -> Bool = { signal in
            // The first argument is the changed key, or a directory of changed keys.
            guard case .string(let prefix) = signal.body.first else { return false }
            return (path + key).hasPrefix(prefix)
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
            guard let output = outcome?.output else { return .off }
            if output.starts(with: "true".utf8) { return state(true) }
            return output.starts(with: "false".utf8) ? state(false) : .off
        }
        return QuietSource(changeSignal: changes, concerns: concerns, isSetting: true, read: read)
    }

    /// lxqt-notificationd: a key in a configuration file.
    static func lxqt(_ environment: [String: String]) -> QuietSource? {
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
