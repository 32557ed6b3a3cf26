import Basics
import Inbox
import VisibleText

/// The state of the agent as the tray icon and its tool tip show it.
struct TrayContents: Equatable, Sendable {
    struct Account: Equatable, Sendable {
        var name: String
        var unread: Int
        var needsAttention: Bool
    }

    /// The maximum number of accounts that the tool tip names.
    private static let accountLimit = 10

    var accounts: [Account] = []
    var hasConfigurationProblem = false
    /// nil: popups are not paused.
    var pause: PauseText?

    var unread: Int { accounts.reduce(0) { $0 + $1.unread } }

    var needsAttention: Bool { hasConfigurationProblem || accounts.contains(where: \.needsAttention) }

    /// The tray icon. It is never passive: Xfce, waybar and GNOME's extension hide a passive icon, and with it the menu
    /// (StatusNotifierItem Specification, "Status").
    func item(_ icons: TrayIcons) -> TrayItem {
        let toolTip = TrayItem.ToolTip(title: Self.heading(unread: unread), lines: lines)
        if needsAttention { return TrayItem(status: .needsAttention, icon: icons.attention, toolTip: toolTip) }
        if pause != nil { return TrayItem(status: .active, icon: icons.paused, toolTip: toolTip) }
        if unread > 0 { return TrayItem(status: .active, icon: icons.unread, toolTip: toolTip) }
        return TrayItem(status: .active, icon: icons.read, toolTip: toolTip)
    }

    static func heading(unread: Int) -> String {
        guard unread > 0 else { return translated("No unread notifications") }
        return translated("{count} unread notification", plural: "{count} unread notifications", count: unread)
    }

    private var lines: [String] {
        var lines: [String] = []
        if accounts.count > 1 {
            lines += accounts.filter { $0.unread > 0 }.prefix(Self.accountLimit)
                .map { account in
                    // Translators: The number of unread notifications of an account.
                    translated(
                        "{account}: {count} unread",
                        plural: "{account}: {count} unread",
                        count: account.unread,
                        ["account": account.name.onOneLine]
                    )
                }
        }
        lines += accounts.filter(\.needsAttention).prefix(Self.accountLimit)
            .map { translated("The account \"{account}\" needs your attention.", ["account": $0.name.onOneLine]) }
        if hasConfigurationProblem { lines.append(translated("The configuration has a mistake.")) }
        if let pause { lines.append(pause.sentence) }
        return lines
    }
}

/// The end of a pause in words.
struct PauseText: Equatable, Sendable {
    /// The local time, such as "15:30" or "Mon 15:30"; nil: until the user resumes popups, or in more than a week.
    var end: String?

    init(end: String? = nil) { self.end = end }

    /// - Parameter localTime: Converts a moment to local time.
    init(until: Timestamp?, now: Timestamp, localTime: (Timestamp) -> WeeklyHours.LocalTime) {
        guard let until, now.duration(to: until) < .seconds(7 * 86_400) else { return }
        let time = localTime(until)
        let clock = WeeklyHours.text(time.minute)
        end = now.duration(to: until) < .seconds(86_400) ? clock : "\(time.weekday.abbreviation) \(clock)"
    }

    var sentence: String {
        end.map { translated("Popups are paused until {time}.", ["time": $0]) } ?? translated("Popups are paused.")
    }
}

extension WeeklyHours.Weekday {
    /// `Mon`, in the user's language.
    fileprivate var abbreviation: String {
        switch self {
        case .monday: translated("Mon")
        case .tuesday: translated("Tue")
        case .wednesday: translated("Wed")
        case .thursday: translated("Thu")
        case .friday: translated("Fri")
        case .saturday: translated("Sat")
        case .sunday: translated("Sun")
        }
    }
}
