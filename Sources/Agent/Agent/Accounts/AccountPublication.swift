import AgentInterface
import Basics
import DBus
import Inbox
import Logging

/// Publishes an account's properties on the bus, and signals about its notifications, in the order of the calls.
struct AccountPublication {
    /// The values of the properties that change with the inbox.
    struct Figures: Equatable {
        var counts = ShownCounts()
        var lastEvent: Timestamp?
        var pendingActions = 0
        /// The failure of the oldest action that is being retried.
        var pendingError: ServiceFailure?
    }

    let path: ObjectPath
    private let bus: Bus
    private let account: String
    private let tabs: [InboxTab]
    /// Reads the addresses of notifications, of any scheme.
    private let reader: LinkReader
    private let logger: Logger
    private var figures = Figures()
    private var texts: PlainTextCache
    /// The last notification that a signal had: one that is added usually arrives as well.
    private var recent: Recent?
    private var changes = SignalledChanges()
    /// The emissions that are collected, and how many are collecting them; see ``collect()``.
    private var (outgoing, collectors) = ([Emission](), 0)

    typealias Emission = @Sendable (isolated Bus, ObjectPath) throws(DBusError) -> Void

    /// A class: a notification takes long to copy.
    private final class Recent: Sendable {
        let notification: Notification
        let arguments: Result<EncodedBody, DBusError>

        init(_ notification: Notification, _ arguments: Result<EncodedBody, DBusError>) {
            self.notification = notification
            self.arguments = arguments
        }
    }

    init(account: String, tabs: [InboxTab], reader: LinkReader, bus: Bus, logger: Logger) {
        path = AgentNames.accountPath(account)
        self.account = account
        self.tabs = tabs
        self.bus = bus
        self.reader = reader
        self.logger = logger
        texts = PlainTextCache(reader)
    }

    // MARK: Properties

    /// Sets the properties that change with the inbox, before the object is exported.
    func setFigures(of object: inout ExportedObject) {
        Self.set(figures.counts, tabs, in: &object)
        object.set(AgentInbox.asOf, 0)
        object.set(AgentAccount.lastEvent, 0)
        object.set(AgentAccount.pendingActions, 0)
        object.set(AgentAccount.pendingError, Structure("", ""))
    }

    mutating func publish(_ new: Figures) {
        let old = figures
        guard new != old else { return }
        figures = new
        // The counts first: a LastEvent other than 0 shows that they are known.
        if new.counts != old.counts {
            update { [tabs] in Self.set(new.counts, since: old.counts, tabs, in: &$0) }
        }
        update { changes in
            if new.lastEvent != old.lastEvent {
                changes.set(AgentAccount.lastEvent, new.lastEvent?.milliseconds ?? 0)
            }
            if new.pendingActions != old.pendingActions {
                changes.set(AgentAccount.pendingActions, UInt32(clamping: new.pendingActions))
            }
            if new.pendingError != old.pendingError {
                let error = new.pendingError.map { Structure($0.errorName.text, $0.sentence) }
                changes.set(AgentAccount.pendingError, error ?? Structure("", ""))
            }
        }
    }

    mutating func publish(_ connection: Connection) { update { $0.set(connection) } }

    mutating func publish(capabilities: [String]) { update { $0.set(AgentAccount.capabilities, capabilities) } }

    /// - Parameter asOf: When the list was last what the service has; nil: it is.
    mutating func publish(asOf: Timestamp?) { update { $0.set(AgentInbox.asOf, asOf?.milliseconds ?? 0) } }

    private mutating func update(_ body: (inout PropertyChanges) -> Void) {
        var collected = PropertyChanges()
        body(&collected)
        let changes = collected
        emit { (bus, path) in bus.set(changes, at: path) }
    }

    /// - Parameter old: Counts that need not be set again.
    private static func set(
        _ counts: ShownCounts,
        since old: ShownCounts? = nil,
        _ tabs: [InboxTab],
        in sink: inout some PropertySink
    ) {
        if counts.unread != old?.unread { sink.set(AgentInbox.unreadCount, UInt32(clamping: counts.unread)) }
        if counts.unseen != old?.unseen { sink.set(AgentInbox.unseenCount, UInt32(clamping: counts.unseen)) }
        if counts.badge != old?.badge { sink.set(AgentInbox.badgeCount, UInt32(clamping: counts.badge)) }
        if counts.total != old?.total { sink.set(AgentInbox.totalCount, UInt32(clamping: counts.total)) }
        if counts.hiddenUnread != old?.hiddenUnread {
            let hidden = counts.hiddenUnread.map { ($0.map { tabs[$0].id } ?? "", UInt32(clamping: $1)) }
            sink.set(AgentInbox.hiddenUnread, Dictionary(hidden, uniquingKeysWith: +))
        }
        guard counts.tabs != old?.tabs else { return }
        let unread = counts.tabs.isEmpty ? tabs.map { _ in 0 } : counts.tabs
        sink.set(AgentInbox.tabs, zip(tabs, unread).map { Structure($0.id, $0.label, UInt32(clamping: $1)) })
    }

    // MARK: Notifications

    /// Emits the signal of a difference.
    mutating func emit(_ difference: InboxTable.Difference) {
        switch difference {
        case .added(let notification):
            emit(AgentInbox.notificationAdded, notification)
        case .changed(let notification):
            guard changes.isNew(notification) else { return }
            emit(AgentInbox.notificationChanged, notification)
        case .removed(let id), .unloaded(let id):
            changes.remove(id)
            emit { (bus, path) throws(DBusError) in
                try bus.emit(AgentInbox.notificationRemoved, id.rawValue, from: path)
            }
        }
    }

    mutating func emit(
        _ signal: InterfaceSignal<AgentInbox, (String, [String: Value])>,
        _ notification: Notification
    ) {
        let arguments = recentArguments(notification)
        emit { (bus, path) throws(DBusError) in try bus.emit(signal, encoded: arguments.get(), from: path) }
    }

    /// The notification that the last signal was about, if it has this id: as it is, but for the times of its states.
    func lastSignalled(_ id: NotificationID) -> Notification? {
        recent.flatMap { $0.notification.id == id ? $0.notification : nil }
    }

    /// The arguments of the signals about a notification.
    private mutating func recentArguments(_ notification: Notification) -> Result<EncodedBody, DBusError> {
        if let recent, recent.notification == notification { return recent.arguments }
        let arguments = (notification.id.rawValue, dictionary(notification))
        let encoded = Result { () throws(DBusError) in try AgentInbox.notificationAdded.encode(arguments) }
        recent = Recent(notification, encoded)
        return encoded
    }

    /// Calls `body` on the bus's executor, after what was emitted before.
    mutating func emit(_ body: @escaping Emission) {
        outgoing.append(body)
        passCollected()
    }

    /// Passes all that `body` emits to the bus's loop at once; see ``collect()``.
    mutating func together(_ body: (inout AccountPublication) -> Void) {
        collect()
        body(&self)
        endCollecting()
    }

    /// Collects what is emitted until ``endCollecting()``: each time that something is passed to the bus's loop wakes
    /// its thread.
    mutating func collect() { collectors += 1 }

    mutating func endCollecting() {
        collectors -= 1
        passCollected()
    }

    private mutating func passCollected() {
        if collectors > 0 || outgoing.isEmpty { return }
        let emissions = outgoing
        outgoing = []
        bus.loop.execute { [bus, logger, path] in
            for emission in emissions {
                bus.sendSignals(logger) { (bus) throws(DBusError) in try emission(bus, path) }
            }
        }
    }

    mutating func dictionary(_ notification: Notification) -> [String: Value] {
        notification.dictionary(account: account, texts.text(of: notification), reader)
    }
}
