/// The user's last actions that can be taken back, from whichever program they came.
package struct UndoHistory: Equatable, Sendable {
    /// The effect of one request of the user.
    package enum Action: Equatable, Sendable {
        /// All ``Change/archive(_:)`` or all ``Change/delete(_:)``.
        case removal([Change])
        /// The notifications that ``Change/allRead`` marked as read; nil: they are not known, or too many.
        case allRead([NotificationID]?)
        case snooze([Snoozing])
    }

    /// A notification that was snoozed.
    package struct Snoozing: Equatable, Sendable {
        package var id: NotificationID
        /// nil: it was not snoozed before.
        package var earlier: Snoozes.Snooze?
        package var new: Snoozes.Snooze

        package init(id: NotificationID, earlier: Snoozes.Snooze?, new: Snoozes.Snooze) {
            self.id = id
            self.earlier = earlier
            self.new = new
        }
    }

    package struct Step: Equatable, Sendable {
        /// Since the start of the agent, on the monotonic clock, so that steps of several accounts have an order;
        /// negative: of a previous run.
        package var time: Duration
        package var action: Action
        /// Who made it: the unique name of a program on the bus; empty: unknown, in the previous run; nil: a single
        /// click in the desktop.
        package var caller: String?
    }

    /// How a step is taken back.
    package struct Reversal: Equatable, Sendable {
        /// Pending changes that are not sent.
        package var withdrawn: [Change] = []
        /// Changes that reverse what was sent.
        package var submitted: [Change] = []
        /// Changes that were sent and cannot be reversed.
        package var lost: [Change] = []
    }

    /// The maximum number of steps.
    package static let limit = 100
    /// The longest time between two steps of one caller that are one act.
    package static let pauseOfAct = Duration.seconds(1)
    /// The maximum number of notifications that are marked as unread again.
    package static let unreadLimit = 50

    private var steps: [Step] = []

    package init() {}

    /// The last step; nil: there is none.
    package var last: Step? { steps.last }

    /// The user made these changes with one request.
    ///
    /// - Parameters:
    ///   - unread: The notifications that were unread before, if all of them are known.
    ///   - caller: See ``Step/caller``.
    package mutating func add(
        _ changes: [Change],
        unread: [NotificationID]?,
        by caller: String? = nil,
        at time: Duration
    ) {
        // A change that brings a notification back ends its removal.
        forget(changes.compactMap { if case .unarchive(let id) = $0 { .archive(id) } else { nil } })
        let removing = changes.filter(\.removes)
        if !removing.isEmpty {
            forget(removing)
            append(Step(time: time, action: .removal(removing), caller: caller))
        }
        if changes.contains(.allRead), unread != [] {
            let known = unread.flatMap { $0.count <= Self.unreadLimit ? $0 : nil }
            append(Step(time: time, action: .allRead(known), caller: caller))
        }
    }

    /// The user snoozed notifications with one request.
    package mutating func add(_ snoozings: [Snoozing], by caller: String?, at time: Duration) {
        append(Step(time: time, action: .snooze(snoozings), caller: caller))
    }

    /// The last step is no snooze that has ended. An earlier one of the same notification may be present again later.
    ///
    /// - Parameter isPresent: Whether a snooze has neither ended nor changed.
    package mutating func forgetLastSnoozes(except isPresent: (Snoozing) -> Bool) {
        while case .snooze(let snoozings)? = steps.last?.action, !snoozings.contains(where: isPresent) { removeLast() }
    }

    private mutating func append(_ step: Step) {
        steps.append(step)
        if steps.count > Self.limit { steps.removeFirst() }
    }

    package mutating func removeLast() { _ = steps.popLast() }

    /// The steps of the newest act in each account's history, newest first. An act is what one caller did in the same
    /// way, without a longer pause than ``pauseOfAct``: one command may concern several accounts, and more
    /// notifications than fit into a call.
    package static func newestAct(of histories: [UndoHistory]) -> [[Step]] {
        var act = histories.map { _ in [Step]() }
        var earliest: Step?
        while true {
            var next: (index: Int, step: Step)?
            for (index, history) in histories.enumerated() {
                guard let step = history.steps.dropLast(act[index].count).last, earliest?.continues(step) ?? true,
                    next.map({ $0.step.time <= step.time }) ?? true
                else { continue }
                next = (index, step)
            }
            guard let (index, step) = next else { return act }
            act[index].append(step)
            earliest = step
        }
    }

    /// These changes were rejected, taken back or overtaken.
    package mutating func forget(_ changes: [Change]) {
        guard !changes.isEmpty, !steps.isEmpty else { return }
        let forgotten = Set(changes)
        for index in steps.indices {
            guard case .removal(let changes) = steps[index].action else { continue }
            steps[index].action = .removal(changes.filter { !forgotten.contains($0) })
        }
        steps.removeAll { step in
            switch step.action {
            case .removal(let changes): changes.isEmpty
            case .allRead: forgotten.contains(.allRead)
            case .snooze: false
            }
        }
    }

    /// Whether a notification was archived or deleted since a time, and not taken back.
    package func removed(_ id: NotificationID, since time: Duration) -> Bool {
        steps.contains { step in
            guard step.time >= time, case .removal(let changes) = step.action else { return false }
            return changes.contains { $0.ids.contains(id) }
        }
    }

    /// How the changes of the last step are taken back; empty for a snooze.
    ///
    /// - Parameters:
    ///   - waiting: The pending changes that are not in flight.
    ///   - canUnarchive: Whether the service can take notifications out of the archive.
    package func reversal(waiting: Set<Change>, canUnarchive: Bool) -> Reversal {
        var reversal = Reversal()
        switch last?.action {
        case .removal(let changes):
            for change in changes {
                switch change {
                case _ where waiting.contains(change): reversal.withdrawn.append(change)
                case .archive(let id) where canUnarchive: reversal.submitted.append(.unarchive(id))
                default: reversal.lost.append(change)
                }
            }
        case .allRead where waiting.contains(.allRead): reversal.withdrawn = [.allRead]
        case .allRead(let ids?): reversal.submitted = ids.map(Change.unread)
        case .allRead(nil): reversal.lost = [.allRead]
        case .snooze, nil: break
        }
        return reversal
    }
}

extension UndoHistory.Step {
    /// Whether this step and an earlier one are one act.
    fileprivate func continues(_ earlier: UndoHistory.Step) -> Bool {
        guard let caller, caller == earlier.caller,
            time - earlier.time <= UndoHistory.pauseOfAct
        else { return false }
        return switch (action, earlier.action) {
        case (.removal(let changes), .removal(let others)): changes.first?.name == others.first?.name
        case (.allRead, .allRead), (.snooze, .snooze): true
        default: false
        }
    }
}

extension Change {
    /// Whether the change takes notifications out of the inbox.
    fileprivate var removes: Bool {
        switch self {
        case .archive, .delete: true
        default: false
        }
    }

    /// Whether a service can reverse it once it was sent.
    package func isReversible(_ capabilities: Capabilities) -> Bool {
        switch self {
        case .archive: capabilities.contains(.unarchive)
        case .delete: false
        default: true
        }
    }
}
