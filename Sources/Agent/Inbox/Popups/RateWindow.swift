/// Rate limit of popups: within a short window a few popups are shown one by one, and further ones wait until the end
/// of the window. Each urgency is counted separately.
struct RateWindow: Equatable, Sendable {
    /// The length of a window, from its first popup.
    static let window = Duration.seconds(2)

    private(set) var isOpen = false
    private var shown: [UInt8: Int] = [:]
    /// The notifications that were shown one by one in this window.
    private(set) var singles: Set<NotificationReference> = []

    /// The number of popups shown in this window.
    func count(_ urgency: UInt8) -> Int { shown[urgency, default: 0] }

    /// Counts popups. Returns true if they start a window.
    mutating func add(_ count: Int, _ urgency: UInt8, singles: [NotificationReference] = []) -> Bool {
        shown[urgency, default: 0] += count
        self.singles.formUnion(singles)
        defer { isOpen = true }
        return !isOpen
    }

    /// Ends the window.
    mutating func close() { self = RateWindow() }
}
