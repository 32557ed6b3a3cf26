import DBus

/// The openings of the last second: many requests open one window, as one click does.
struct RecentOpenings {
    enum Opening: Hashable, Sendable {
        case terminal(CommandTerminal.Command)
        case page(String)
    }

    /// How long a request after an opening is answered with its result.
    static let interval = Duration.seconds(1)

    private var results: [Opening: (result: Result<Void, DBusError>, end: Duration)] = [:]

    /// The result of the last opening for a request that came before its end or a moment later; nil: the request has to
    /// open something.
    ///
    /// - Parameter time: When the request came.
    func result(of opening: Opening, requestedAt time: Duration) -> Result<Void, DBusError>? {
        guard let (result, end) = results[opening], time < end + Self.interval else { return nil }
        return result
    }

    /// The opening has ended.
    mutating func record(_ result: Result<Void, DBusError>, of opening: Opening, at time: Duration) {
        results = results.filter { time < $0.value.end + Self.interval }
        results[opening] = (result, time)
    }
}
