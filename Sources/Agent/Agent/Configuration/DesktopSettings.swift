/// How the agent is present on the desktop besides its popups (`[desktop]`).
package struct DesktopSettings: Equatable, Sendable {
    /// When the launcher's badge is sent.
    package enum Badge: String, Sendable, CaseIterable {
        /// If a program says that it reads badges.
        case auto
        case always
        case never
    }

    /// Whether a tray that exists has an icon.
    package var trayIcon = true
    package var launcherBadge = Badge.auto

    package init(trayIcon: Bool = true, launcherBadge: Badge = .auto) {
        self.trayIcon = trayIcon
        self.launcherBadge = launcherBadge
    }

    init(_ table: ConfigurationTable) throws(ConfigurationError) {
        var table = table
        self.init()
        trayIcon = try table.boolean("tray_icon") ?? trayIcon
        launcherBadge = try table.choice("launcher_badge") ?? launcherBadge
        try table.finish()
    }
}
