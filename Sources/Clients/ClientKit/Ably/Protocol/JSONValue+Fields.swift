extension JSONValue {
    /// An object of the members that are not nil.
    static func object(members: [String: JSONValue?]) -> JSONValue { .object(members.compactMapValues { $0 }) }

    static func milliseconds(_ duration: Duration) -> JSONValue {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooMuch) = seconds.multipliedReportingOverflow(by: 1000)
        guard !isTooMuch else { return .integer(.max) }
        let (sum, isAlsoTooMuch) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return .integer(isAlsoTooMuch ? .max : sum)
    }

    var int: Int? { integer.flatMap { Int(exactly: $0) } }

    /// An id, a key, a name or a position; nil if it is too long.
    var shortText: String? { string?.unlessLonger(than: ProtocolMessage.maximumIDSize) }

    /// A time of zero or more milliseconds.
    var milliseconds: Duration? { integer.flatMap { $0 < 0 ? nil : .milliseconds($0) } }
}
