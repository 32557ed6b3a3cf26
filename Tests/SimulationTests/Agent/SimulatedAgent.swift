import Basics
import Inbox
import TestSupport

@testable import Agent

/// The agent's values for one account, driven as `AccountSession` does: the table, the outbox, the popups.
struct SimulatedAgent {
    /// How long an action is held that the service cannot reverse.
    private static let holdTime = Duration.seconds(11)
    /// In milliseconds: the time in which details arrive that were requested before a change.
    private static let requestTime: Int64 = 60_000

    private let capabilities: Capabilities
    private let rules: ServiceRules
    private let tabs: [InboxTab]
    private(set) var disk = SimulatedDisk()
    private(set) var table: SimulatedTable
    private(set) var outbox = Outbox()
    private(set) var ledger = ActionLedger()
    private(set) var popups: SimulatedPopups
    private var history = UndoHistory()
    private var timers: [(timer: OutboxTimer, end: Timestamp)] = []
    private(set) var isOnline = false
    /// Whether the list was the service's since the last connection.
    private(set) var isComplete = false
    private var newestKnown: Timestamp = 0
    /// The changes to send.
    private var due: [(change: TimestampedChange, isDelayed: Bool)] = []
    /// By how many milliseconds the wall clock is ahead of the service's.
    private var clockOffset: Int64 = 0
    private var lastSubmission: Timestamp = 0

    init(_ mirror: some SimulatedMirror, seed: UInt64, now: Timestamp) {
        (capabilities, rules, tabs) = (type(of: mirror).capabilities, type(of: mirror).rules, mirror.tabs)
        table = SimulatedTable(
            tabs: tabs,
            rules: rules,
            beginsPagesAfterRows: type(of: mirror).beginsPagesAfterRows,
            seed: seed
        )
        popups = SimulatedPopups(seed: seed)
        popups.start(&disk, wall: now, now)
    }

    // MARK: The host

    mutating func kill(now: Timestamp) {
        popups.kill(disk)
        ledger.restart(inFlight: outbox.inFlight, found: disk.saved.changes)
        disk.restart()
        (outbox, history, timers, due) = (Outbox(), UndoHistory(), [], [])
        (isOnline, isComplete) = (false, false)
        popups.start(&disk, wall: wall(now), now)
        let entries = disk.contents.changes.map { PendingChange(number: $0.key, change: $0.value) }
        signal(table.restart(entries.sorted { $0.number < $1.number }, size: 4), now)
        restoreOutbox(now)
    }

    private mutating func restoreOutbox(_ now: Timestamp) {
        let entries = disk.contents.changes.sorted { $0.key < $1.key }
            .map { PendingChange(number: $0.key, change: $0.value) }
        var holds: [Int64: Duration] = [:]
        for entry in entries {
            guard !entry.change.change.isReversible(capabilities) else { continue }
            let age = entry.change.time.duration(to: wall(now))
            let rest = Self.holdTime - age
            if rest > .zero { holds[entry.number] = min(rest, Self.holdTime) }
            history.add([entry.change.change], unread: nil, at: .milliseconds(now.milliseconds) - max(.zero, age))
        }
        process(.restored(entries, last: disk.contents.lastNumber, holds: holds), now)
    }

    mutating func set(_ fault: Fault, isOn: Bool) {
        if fault == .fullDisk {
            disk.set(isFull: isOn)
        }
        if fault == .silentPopupServer { popups.set(isSilent: isOn) }
    }

    mutating func setClock(by milliseconds: Int64) { clockOffset += milliseconds }

    private func wall(_ now: Timestamp) -> Timestamp { now.advanced(milliseconds: clockOffset) }

    mutating func connected(_ isOnline: Bool, now: Timestamp) {
        self.isOnline = isOnline
        guard isOnline else {
            isComplete = false
            table.change { (table) throws(StoreError) in
                table.disconnected()
                return []
            }
            return
        }
        signal(table.change { (table) throws(StoreError) in try table.connected() }, now)
        post(.accountOnline(SimulatedPopups.account), now)
        process(.reachable, now)
    }

    var nextDeadline: Timestamp? { (timers.map { $0.end } + [popups.nextDeadline].compactMap { $0 }).min() }

    /// Handles timers, the notification server, and clicks.
    mutating func work(now: Timestamp) {
        while let index = timers.firstIndex(where: { $0.end <= now }) {
            process(.timerFired(timers.remove(at: index).timer), now)
        }
        popups.work(&disk, wall: wall(now), now)
        for response in popups.takeResponses() {
            switch response {
            case .activated(let reference, _, _, _): submit([.interacted(reference.id)], now: now)
            case .seen(let references):
                submit(Change.seen(references.map(\.id), atOnce: rules.seenAtOnce), now: now)
            case .chosen, .openInbox, .revalidate, .serverIsFull, .patternExceedsLimit: break
            }
        }
    }

    // MARK: Reports of the service

    mutating func receive(_ event: ServiceEvent, now: Timestamp) {
        switch event {
        case .contents(let update):
            learn(of: update.changed)
            archivedElsewhere(update.removed, now)
            for id in update.removed { post(.withdrawn(reference(id)), now) }
            signal(table.change { (table) throws(StoreError) in try table.apply(update) }, now)
            if update.isComplete { isComplete = true }
        case .arrived(let notifications, let isCatchUp):
            learn(of: notifications)
            let account = SimulatedPopups.account
            post(.arrived(account: account, notifications, isCatchUp: isCatchUp, now: wall(now)), now)
        case .caughtUp(let newest): post(.caughtUp(account: SimulatedPopups.account, newest: newest), now)
        case .updated(let notification): updated(notification, now)
        case .seen(let ids):
            for id in ids { post(.seenElsewhere(reference(id)), now) }
            made(TimestampedChange(.seen(ids), at: wall(now)), now)
        case .allRead:
            post(.allRead(account: SimulatedPopups.account), now)
            made(TimestampedChange(.allRead, at: wall(now)), now)
        case .connection, .identified, .refused, .delayed: break
        }
    }

    private mutating func made(_ made: TimestampedChange, _ now: Timestamp) {
        signal(table.change { (table) throws(StoreError) in try table.apply(made) }, now)
    }

    private mutating func learn(of notifications: [Notification]) {
        for notification in notifications { newestKnown = max(newestKnown, notification.created) }
    }

    private mutating func archivedElsewhere(_ ids: [NotificationID], _ now: Timestamp) {
        let held = outbox.heldArchives.intersection(ids)
        guard !held.isEmpty else { return }
        history.forget(held.map(Change.archive))
        process(.archivedElsewhere(held), now)
    }

    private mutating func updated(_ notification: Notification, _ now: Timestamp) {
        let id = notification.id
        let since = Duration.milliseconds(now.milliseconds - Self.requestTime)
        if !notification.isArchived, history.removed(id, since: since), !outbox.heldArchives.contains(id) { return }
        if notification.isArchived { archivedElsewhere([id], now) }
        signal(table.change { (table) throws(StoreError) in try table.apply(changed: notification) }, now)
        if !table.table.isListed(id) { withdrawPopup(of: notification, now) }
    }

    /// Withdraws popups that are no longer needed.
    private mutating func signal(_ differences: [InboxTable.Difference], _ now: Timestamp) {
        for case .changed(let notification) in differences { withdrawPopup(of: notification, now) }
    }

    private mutating func withdrawPopup(of notification: Notification, _ now: Timestamp) {
        if notification.isArchived {
            post(.withdrawn(reference(notification.id)), now)
        } else if notification.read != nil {
            post(.read(reference(notification.id)), now)
        } else if notification.seen != nil {
            post(.seenElsewhere(reference(notification.id)), now)
        }
    }

    private func reference(_ id: NotificationID) -> NotificationReference {
        NotificationReference(account: SimulatedPopups.account, id: id)
    }

    private mutating func post(_ event: Popups.Event, _ now: Timestamp) { popups.receive(event, &disk, now) }

    /// The user scrolls, or a program lists a view.
    mutating func page(_ list: [Notification]) { table.page(list, isOnline: isOnline) }

    /// All of the table's views are listed to their ends, at rest.
    ///
    /// - Parameter newest: The newest part of the service's list.
    mutating func loadAll(_ list: [Notification], newest: [Notification]) { table.loadAll(list, newest: newest) }

    mutating func takeSignalled() -> Set<String> { table.takeSignalled() }

    // MARK: Faces and the user

    /// Answers a request of a face.
    mutating func answer(_ face: inout SimulatedFace, _ index: Int) {
        face.answer(index) { [self] predicate, filter in table.list(predicate, filter) }
    }

    mutating func submit(_ changes: [Change], now: Timestamp) {
        let changes = changes.filter { capabilities.contains($0.requirement) }
        // Each action has a time of its own, by which it is known.
        lastSubmission = max(wall(now), lastSubmission.advanced(milliseconds: 1))
        let made = changes.map { change in
            let isAboutAll = change == .allRead || change == .badgeReset
            return TimestampedChange(change, at: isAboutAll ? max(now, newestKnown) : lastSubmission)
        }
        let unread = changes.contains(.allRead) ? (try? table.table.allUnread) ?? nil : nil
        history.add(changes, unread: unread, at: .milliseconds(now.milliseconds))
        for change in made where change.change.isReversible(capabilities) {
            process(.submitted(change, isOnline: isOnline), now)
        }
        let held = made.filter { !$0.change.isReversible(capabilities) }
        if !held.isEmpty { process(.held(held, for: Self.holdTime), now) }
        for change in changes {
            switch change {
            case .read, .interacted: for id in change.ids { post(.read(reference(id)), now) }
            case .archive, .delete: for id in change.ids { post(.withdrawn(reference(id)), now) }
            case .allRead: post(.allRead(account: SimulatedPopups.account), now)
            case .seen, .unread, .unarchive, .badgeReset: break
            }
        }
    }

    /// Takes the last archive or deletion back. Returns the notifications that are back.
    mutating func undo(now: Timestamp) -> [NotificationID] {
        guard case .removal? = history.last?.action else { return [] }
        let reversal = history.reversal(waiting: outbox.waiting, canUnarchive: capabilities.contains(.unarchive))
        history.removeLast()
        if !reversal.withdrawn.isEmpty { process(.withdrawn(reversal.withdrawn), now) }
        if !reversal.submitted.isEmpty { submit(reversal.submitted, now: now) }
        return (reversal.withdrawn + reversal.submitted).flatMap(\.ids)
    }

    mutating func usePopup(_ chance: inout SeededGenerator, now: Timestamp) {
        popups.act(&chance, &disk, wall: wall(now), now)
    }

    // MARK: The outbox

    mutating func takeDue() -> [(change: TimestampedChange, isDelayed: Bool)] {
        defer { due = [] }
        return due
    }

    /// The change in flight ended.
    mutating func finish(_ outcome: ChangeOutcome, now: Timestamp) {
        guard outbox.inFlight == outcome.change else { return }
        if outcome.isUnneeded { ledger.perform(ChangeStep(change: outcome.change)) }
        guard let failure = outcome.failure else { return process(.confirmed, now) }
        process(.failed(failure, now: wall(now), jitter: 0.5), now)
    }

    mutating func perform(_ step: ChangeStep) { ledger.perform(step) }

    mutating func allowRepeat(of change: TimestampedChange) { ledger.allowRepeat(of: change) }

    private mutating func process(_ event: Outbox.Event, _ now: Timestamp) {
        let ended = outbox.inFlight
        let effects = outbox.receive(event)
        ledger.record(effects, ended: ended.map { (change: $0, isConfirmed: event == .confirmed) })
        // On disk before it is shown and sent.
        disk.write { disk in
            for effect in effects {
                if let number = effect.forgotten { disk.changes[number] = nil }
                guard let entry = effect.kept else { continue }
                disk.changes[entry.number] = entry.change
                disk.lastNumber = max(disk.lastNumber, entry.number)
            }
        }
        let added = effects.compactMap(\.kept).filter { outbox.isPending($0.number) }
        let confirmed = event == .confirmed ? ended : nil
        let differences = table.change { (table) throws(StoreError) in
            try table.change(adding: added, ending: effects.compactMap(\.forgotten), confirmed: confirmed)
        }
        if case .delete(let id)? = confirmed?.change { history.forget([.archive(id)]) }
        for effect in effects {
            switch effect {
            case .send(let change, let isDelayed): due.append((change, isDelayed))
            case .startTimer(let timer, let delay):
                timers.append((timer, now.advanced(milliseconds: Int64(delay / .milliseconds(1)))))
            case .rejected(let made, _): history.forget([made.change])
            case .keep, .forget: break
            }
        }
        signal(differences, now)
    }
}
