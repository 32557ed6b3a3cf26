/// The contents of an icon in the tray.
package struct TrayItem: Equatable, Sendable {
    package enum Status: String, Sendable {
        case active = "Active"
        /// Hosts show the attention icon.
        case needsAttention = "NeedsAttention"
    }

    /// A part in which two items differ; hosts get a signal for each.
    package enum Change: Hashable, Sendable {
        case status
        case icon
        case toolTip
    }

    package var status: Status
    /// The icon's name in the theme.
    package var icon: String
    package var toolTip: ToolTip

    package struct ToolTip: Equatable, Sendable {
        package var title: String
        /// Plain text, one sentence per line.
        package var lines: [String]

        package init(title: String, lines: [String] = []) {
            self.title = title
            self.lines = lines
        }
    }

    /// - Parameter old: The item before.
    package func changes(since old: TrayItem) -> Set<Change> {
        var changes: Set<Change> = []
        if status != old.status { changes.insert(.status) }
        if icon != old.icon { changes.insert(.icon) }
        if toolTip != old.toolTip { changes.insert(.toolTip) }
        return changes
    }
}
