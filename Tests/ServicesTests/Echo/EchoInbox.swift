import Basics
import Inbox

/// One notification, with the account's text.
struct EchoInbox: InboxService {
    let text: String
    let now: @Sendable () -> Timestamp

    let capabilities: Capabilities = []
    let rules = ServiceRules()
    let preferences: (any PreferencesService)? = nil

    private var notification: Notification { Notification(id: "1", title: text, created: Timestamp(milliseconds: 1)) }

    let tabs: [InboxTab] = []
    let pageSize = 1

    func run(after marks: DeliveryMarks, _ report: @escaping @Sendable (ServiceEvent) -> Void) async {
        report(.connection(Connection(state: .online, since: now())))
        report(.contents(InboxUpdate(changed: [notification])))
        await Completion().wait()
    }

    var serviceTime: Timestamp { get async { now() } }

    func apply(_ made: TimestampedChange, isDelayed: Bool) async throws(ServiceFailure) {
        throw ServiceFailure(.unsupported, "Echo keeps nothing.")
    }

    func notification(_ id: NotificationID) async throws(ServiceFailure) -> Notification {
        guard id == notification.id else { throw ServiceFailure(.notFound, "Echo has one notification.") }
        return notification
    }

    func newest() async throws(ServiceFailure) -> (notifications: [Notification], isAll: Bool) {
        ([notification], true)
    }

    func page(
        of predicate: InboxPredicate,
        after place: ListPlace?,
        size: Int,
        skipsTies: Bool
    ) async throws(ServiceFailure) -> InboxPage {
        InboxPage(predicate.matches(notification) && place == nil ? [notification] : [], hasMore: false)
    }

    func refresh() async throws(ServiceFailure) {}

    func reconnect() async {}
    func suspend() async {}
    func reconnectNow() async {}
    func wallClockChanged(by change: Duration) async {}
    func setNetworkUnavailable(_ isAway: Bool) async {}
}
