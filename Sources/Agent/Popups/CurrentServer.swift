import Synchronization

/// The notification server that popups are sent to.
final class CurrentServer: Sendable {
    private let name = Mutex("")

    func set(_ server: String) { name.withLock { $0 = server } }

    func isCurrent(_ server: String) -> Bool { name.withLock { $0 == server } }
}
