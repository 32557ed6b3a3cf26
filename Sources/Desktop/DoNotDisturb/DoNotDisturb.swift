package import DBus
package import Logging

/// Whether the person has told the desktop not to disturb, as far as its notification server says so (desktop-notifications.md §1.7).
///
/// | Server | How it is known |
/// |---|---|
/// | Plasma | property `Inhibited`, where the capabilities have `inhibitions` |
/// | dunst | property `paused` |
/// | SwayNotificationCenter | `GetDnd` and `IsInhibited` of its control centre |
/// | GNOME, Xfce, LXQt, MATE, mako | not at all: it is a setting of theirs that no interface tells |
///
/// So "no" may also mean that nobody says. Popups may be sent in either case: every server does with them what its person wants.
package struct DoNotDisturb: Sendable {
    private let bus: Bus
    private let logger: Logger

    /// - Parameter bus: The session bus.
    package init(bus: Bus, logger: Logger) {
        self.bus = bus
        self.logger = logger
    }

    /// Tells every change, until the task is cancelled or the bus is gone; also those that come with another notification server.
    /// Until the first call the person may be disturbed.
    package func run(_ receive: (_ isOn: Bool) async -> Void) async {
        let sources = [notificationServer, swayControlCenter].map { AnyOf.source($0, logger) }
        await AnyOf(sources: sources).run(receive)
    }

    private var notificationServer: FollowedState<Bool> {
        let server = Proxy(bus, FreedesktopNotifications.busName, FreedesktopNotifications.path)
        let news = MatchRule(
            sender: FreedesktopNotifications.busName,
            path: FreedesktopNotifications.path,
            interface: PropertiesInterface.name
        )
        return FollowedState(bus: bus, owner: FreedesktopNotifications.busName, news: news) {
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
            // mako has them as well, and no such property.
            guard capabilities.contains("x-dunst-stack-tag") else { return nil }
            return try? await server.get(Dunst.paused, autoStart: false)
        }
    }

    private var swayControlCenter: FollowedState<Bool> {
        typealias Center = SwayControlCenter
        let center = Proxy(bus, Center.busName, Center.path)
        // Its signals are called Subscribe and SubscribeV2, by version.
        let news = MatchRule(sender: Center.busName, path: Center.path, interface: Center.name)
        return FollowedState(bus: bus, owner: Center.busName, news: news) {
            if (try? await center.call(Center.getDnd, autoStart: false)) == true { return true }
            return try? await center.call(Center.isInhibited, autoStart: false)
        }
    }
}
