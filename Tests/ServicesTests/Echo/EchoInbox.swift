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

    let tabs: [InboxTab] = []
    let pageSize = 1

    func run(after marks: DeliveryMarks, _ report: @escaping @Sendable (ProviderEvent) -> Void) async {
        report(.connection(Connection(state: .online, since: now())))
        report(.contents(InboxUpdate(changed: [notification])))
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

    func page(
        of predicate: InboxPredicate,
        after place: ListPlace?,
        size: Int,
        skipsTies: Bool
    ) async throws(ProviderFailure) -> InboxPage {
        InboxPage(predicate.matches(notification) && place == nil ? [notification] : [], hasMore: false)
    }

    func refresh() async throws(ProviderFailure) {}

    func reconnect() async {}
    func suspend() async {}
    func reconnectNow() async {}
    func wallClockChanged(by change: Duration) async {}
    func setNetworkUnavailable(_ isAway: Bool) async {}
}
