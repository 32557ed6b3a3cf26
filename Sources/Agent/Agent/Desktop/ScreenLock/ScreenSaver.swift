import DBus

/// The screen savers of the session: `org.freedesktop.ScreenSaver` and the variants of several desktops. Bus name and
/// interface name are the same.
enum ScreenSaver {
    private static let desktops = ["freedesktop", "gnome", "cinnamon", "mate", "xfce"]

    /// Whether each is active.
    static func all(_ bus: Bus) -> [FollowedState<Bool>] {
        desktops.compactMap { desktop in
            let text = "org.\(desktop).ScreenSaver"
            guard let name = try? BusName(text), let interface = try? InterfaceName(text) else { return nil }
            let changes = MatchRule(sender: name, interface: interface, member: "ActiveChanged")
            return FollowedState(bus: bus, owner: name, changeSignal: changes) {
                // Some export the object at a legacy path.
                for path in ["/org/\(desktop)/ScreenSaver", "/ScreenSaver", "/"] {
                    guard let path = try? ObjectPath(path) else { continue }
                    let call = Message.methodCall(name, path, interface, "GetActive", autoStart: false)
                    if case .bool(let isActive)? = (try? await bus.call(call))?.body.first { return isActive }
                }
                return nil
            }
        }
    }
}
