package import AgentInterface
import VisibleText

/// Whether popups are shown, for the bell of the header.
extension PopupPause {
    /// - Parameter now: Milliseconds since the Unix epoch.
    package func title(now: Int64) -> String {
        guard isPaused else { return translated("Popups are shown") }
        if until == 0 { return translated("Popups are paused") }
        return translated("Popups are paused until {time}", ["time": LocalTime(until).shown(now: now)])
    }

    package var icon: String {
        isPaused ? "notifications-disabled-symbolic" : "preferences-system-notifications-symbolic"
    }
}
