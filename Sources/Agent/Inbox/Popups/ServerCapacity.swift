/// Whether the server has reached its limit of popups, which also counts popups that are no longer on the screen.
enum ServerCapacity: Equatable, Sendable {
    /// The server rejected no popup since it accepted one.
    case available
    /// The server rejected a popup although an older one was closed: nothing is sent.
    case full
    /// The server did not show a popup of this urgency: none of it and of lower ones is sent.
    case taken(UInt8)
    /// The server was full: waiting popups are sent once more.
    case retrying

    /// Whether the server was reported as full.
    var isReportedAsFull: Bool { self != .available }

    /// Whether popups of this urgency wait for room.
    func excludes(_ urgency: UInt8) -> Bool {
        switch self {
        case .available, .retrying: false
        case .full: true
        case .taken(let limit): urgency <= limit
        }
    }

    /// Whether waiting popups are sent once more when one is closed.
    var isExhausted: Bool { excludes(Popup.low) }
}
