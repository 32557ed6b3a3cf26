/// Keeps the screen from being flooded: within a short window a few popups are shown one by one, and what comes besides waits until the
/// window is over. Each urgency has its own account.
struct Burst: Equatable, Sendable {
    /// How long a window is, from its first popup on.
    static let window = Duration.seconds(2)

    private(set) var isOpen = false
    private var shown: [UInt8: Int] = [:]

    /// How many were shown in this window.
    func count(_ urgency: UInt8) -> Int { shown[urgency, default: 0] }

    /// Takes note of so many popups. True: a window begins with them.
    mutating func add(_ count: Int, _ urgency: UInt8) -> Bool {
        shown[urgency, default: 0] += count
        defer { isOpen = true }
        return !isOpen
    }

    /// The window is over.
    mutating func close() { self = Burst() }
}
