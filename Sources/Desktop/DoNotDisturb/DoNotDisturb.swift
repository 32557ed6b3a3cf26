package import DBus
package import Logging

/// Whether the user has switched on "do not disturb", where the notification server reports it.
///
/// | Server | Source |
/// |---|---|
/// | Plasma | property `Inhibited`, where the capabilities have `inhibitions` |
/// | dunst | property `paused` |
/// | SwayNotificationCenter | `GetDnd` and `IsInhibited` of its control centre |
/// | GNOME, Xfce, LXQt, MATE, mako | unknown: no interface reports the setting |
///
/// So false may also mean unknown. Popups may be sent in either case: the server applies the user's setting to them.
package struct DoNotDisturb: Sendable {
    private let bus: Bus
    private let logger: Logger

    /// - Parameter bus: The session bus.
    package init(bus: Bus, logger: Logger) {
        self.bus = bus
        self.logger = logger
    }

    /// Reports every change until the task is cancelled or the bus disconnects, also a change caused by another
    /// notification server. Until the first call, "do not disturb" is off.
    package func run(_ receive: (_ isOn: Bool) async -> Void) async {
        let sources = [notificationServer, swayControlCenter].map { BooleanAggregator.source($0, logger) }
        await BooleanAggregator(sources: sources).run(receive)
    }

    private var notificationServer: FollowedState<Bool> {
        let server = Proxy(bus, FreedesktopNotifications.busName, FreedesktopNotifications.path)
        let changes = MatchRule(
            sender: FreedesktopNotifications.busName,
            path: FreedesktopNotifications.path,
            interface: PropertiesInterface.name
        )
        return FollowedState(bus: bus, owner: FreedesktopNotifications.busName, changeSignal: changes) {
            guard
                let capabilities = try? await server.call(
                    FreedesktopNotifications.getCapabilities,
                    timeout: NotificationServer.deadline,
                    autoStart: false
                )
            else { return nil }
            if capabilities.contains("inhibitions") {
                return try? await server.get(PlasmaNotifications.inhibited, autoStart: false)
            }
            // mako has the capability too, but no such property.
            guard capabilities.contains("x-dunst-stack-tag") else { return nil }
            return try? await server.get(Dunst.paused, autoStart: false)
        }
    }

    private var swayControlCenter: FollowedState<Bool> {
        typealias Center = SwayControlCenter
        let center = Proxy(bus, Center.busName, Center.path)
        // The names of its signals depend on the version: Subscribe, SubscribeV2.
        let changes = MatchRule(sender: Center.busName, path: Center.path, interface: Center.name)
        return FollowedState(bus: bus, owner: Center.busName, changeSignal: changes) {
            if (try? await center.call(Center.getDnd, autoStart: false)) == true { return true }
            return try? await center.call(Center.isInhibited, autoStart: false)
        }
    }
}
