import Basics
import Inbox

/// One notification, with the account's text.
struct EchoInbox: InboxProvider {
    let text: String
    let now: @Sendable () -> Timestamp

    let capabilities: Capabilities = []
    let rules = ServiceRules()
    let preferences: (any PreferencesProvider)? = nil

    private var notification: Notification { Notification(id: "1", title: text, created: Timestamp(milliseconds: 1)) }

    func run(after marks: DeliveryMarks, _ emit: @escaping @Sendable (ProviderEvent) async -> Void) async {
        await emit(.connection(Connection(state: .online, since: now())))
        await emit(.contents(await contents()))
        await Completion().wait()
    }

    var serviceTime: Timestamp { get async { now() } }

    func apply(_ made: TimestampedChange, isDelayed: Bool) async throws(ProviderFailure) {
        throw ProviderFailure(.unsupported, "Echo keeps nothing.")
    }

    func notification(_ id: NotificationID) async throws(ProviderFailure) -> Notification {
        guard id == notification.id else { throw ProviderFailure(.notFound, "Echo has one notification.") }
        return notification
    }

    func newest() async throws(ProviderFailure) -> (notifications: [Notification], isAll: Bool) {
        ([notification], true)
    }

    func contents() async -> InboxContents { InboxContents(notifications: [notification]) }

    func fetchMore() async throws(ProviderFailure) -> Int { 0 }

    func refresh() async throws(ProviderFailure) {}

    func setActiveStore(_ id: String) async throws(ProviderFailure) {
        throw ProviderFailure(.notFound, "Echo has no stores.")
    }

    func reconnect() async {}
    func suspend() async {}
    func reconnectNow() async {}
    func wallClockChanged(by change: Duration) async {}
    func setNetworkUnavailable(_ isAway: Bool) async {}
}
