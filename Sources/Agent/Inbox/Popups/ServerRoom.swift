/// Whether the server has reached its limit of popups, which also counts popups that are no longer on the screen.
enum ServerRoom: Equatable, Sendable {
    /// It rejected no popup since it accepted one.
    case available
    /// It rejected a popup although an older one was closed: nothing is sent.
    case full
    /// It was full: waiting popups are sent once more.
    case retrying

    /// Whether the server was reported as full.
    var isReportedAsFull: Bool { self != .available }
}
