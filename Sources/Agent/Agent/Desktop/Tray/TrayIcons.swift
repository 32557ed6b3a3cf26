/// The icons of the tray, as hosts can find them.
package struct TrayIcons: Equatable, Sendable {
    package var read: String
    package var unread: String
    package var attention: String
    package var paused: String
    /// A directory with icon themes in which hosts look for the icons, too; empty: none.
    package var themePath: String

    /// - Parameter icon: The symbolic application icon, which is installed together with the other ones. Where it is
    ///   not, names of the Icon Naming Specification are used.
    package init(_ icon: ApplicationIcon) {
        guard let path = icon.path else {
            (read, unread, attention, paused) = ("mail-read", "mail-unread", "dialog-warning", "mail-read")
            themePath = ""
            return
        }
        let suffix = "-symbolic"
        let base = icon.name.hasSuffix(suffix) ? String(icon.name.dropLast(suffix.count)) : icon.name
        read = "\(base)-read\(suffix)"
        unread = icon.name
        attention = "\(base)-attention\(suffix)"
        paused = "\(base)-paused\(suffix)"
        themePath =
            icon.isInTheme ? "" : path.ranges(of: "/hicolor/").first.map { String(path[..<$0.lowerBound]) } ?? ""
    }
}
