/// The badge of the agent's entry in docks and task bars: when it is sent. A value without I/O: events in, effects out.
struct LauncherBadge: Sendable {
    typealias Setting = DesktopSettings.Badge

    struct Contents: Equatable, Sendable {
        /// 0: no badge.
        var count = 0
        var isUrgent = false
    }

    enum Event: Equatable, Sendable {
        case setting(Setting)
        /// A program that reads badges appeared, or all vanished.
        case reader(exists: Bool)
        case changed(Contents)
        /// The time of ``Effect/wait(_:)`` is over.
        case waited
    }

    enum Effect: Equatable, Sendable {
        case send(Contents)
        case wait(Duration)
    }

    private var setting = Setting.never
    private var hasReader = false
    private var contents = Contents()
    /// The last published badge.
    private var sent = Contents()
    private var spacing = ChangeSpacing(interval: .seconds(1))

    /// - Parameter now: The time on a monotonic clock.
    mutating func receive(_ event: Event, now: Duration) -> [Effect] {
        switch event {
        case .setting(let setting): self.setting = setting
        case .reader(let exists):
            hasReader = exists
            // A new reader has not received a badge.
            sent = Contents()
        case .changed(let contents): self.contents = contents
        case .waited:
            spacing.waited(until: now)
            return send()
        }
        guard wanted != sent else { return [] }
        switch spacing.change(at: now) {
        case .announce?: return send()
        case .wait(let time)?: return [.wait(time)]
        case nil: return []
        }
    }

    /// The badge to publish.
    var wanted: Contents {
        switch setting {
        case .auto: hasReader ? contents : Contents()
        case .always: contents
        case .never: Contents()
        }
    }

    private mutating func send() -> [Effect] {
        guard wanted != sent else { return [] }
        sent = wanted
        return [.send(wanted)]
    }
}
