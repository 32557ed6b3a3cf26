import DBus

extension NotificationRecord {
    /// The keys that no list shows.
    private static let unused: Set = ["tags", "interacted", "extra"]

    /// A notification for a list of thousands: without values that are not shown, or that a missing one means, too.
    init(listed values: [String: Value]) {
        self.init(values.filter { !Self.unused.contains($0.key) && !$0.value.isDefault })
    }
}

extension Value {
    /// Whether the value is the default of a notification's key of its type.
    fileprivate var isDefault: Bool {
        switch self {
        case .string(let text): text.isEmpty
        case .int64(let number): number == 0
        case .bool(let bool): !bool
        case .array(_, let values): values.isEmpty
        default: false
        }
    }
}
