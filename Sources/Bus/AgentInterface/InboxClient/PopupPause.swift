package import DBus

/// Whether popups are paused.
package struct PopupPause: Equatable, Sendable {
    package var isPaused: Bool
    /// In milliseconds since the Unix epoch; 0: until resumed.
    package var until: Int64

    package init(isPaused: Bool = false, until: Int64 = 0) { (self.isPaused, self.until) = (isPaused, until) }

    package init(_ root: PropertyValues<AgentRoot>) {
        self.init(isPaused: root[AgentRoot.paused] ?? false, until: root[AgentRoot.pausedUntil] ?? 0)
    }
}
