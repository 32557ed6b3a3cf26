package import Basics

/// Applying the rules of the configuration.
extension Popups {
    package var rules: Rules { policy.rules }

    /// The rules until the first one that applies to a notification if it arrives now, with the reason why the others
    /// do not.
    package func ruleChecks(_ notification: Notification, of account: String, now: Timestamp) -> [Rules.Check] {
        policy.rules.checks(notification, of: account, at: localTime(now))
    }

    func effects(of waiting: Waiting) -> RuleEffects? { waiting.rule.map { policy.rules.rules[$0].effects } }

    func urgency(of waiting: Waiting) -> UInt8 {
        effects(of: waiting)?.urgency?.level ?? policy.urgency(of: waiting.notification)
    }

    /// Whether a reason to suppress popups holds it back.
    func isHeld(_ waiting: Waiting) -> Bool {
        holds.suppresses(urgency(of: waiting), ignoringQuiet: effects(of: waiting)?.ignoresQuiet == true)
    }

    /// The settings that all of these share, for their summary; nil: there are no rules.
    func commonEffects(of group: [Waiting]) -> RuleEffects? {
        policy.rules.isEmpty ? nil : .common(group.map(effects))
    }

    /// Finds the rule of each notification, and removes those that are muted.
    ///
    /// - Returns: The muted ones, and what is to be reported.
    mutating func applyRules(to waiting: inout [Waiting]) -> (muted: [Waiting], reports: [Effect]) {
        guard !policy.rules.isEmpty else { return ([], []) }
        var exceeding: [Rules.ExceedingPattern] = []
        waiting = waiting.map { ruled($0, &exceeding) }
        return (removeMuted(from: &waiting), report(exceeding))
    }

    private func removeMuted(from waiting: inout [Waiting]) -> [Waiting] {
        let muted = waiting.filter { effects(of: $0)?.isMuted == true }
        if !muted.isEmpty { waiting.removeAll { effects(of: $0)?.isMuted == true } }
        return muted
    }

    /// Reports each pattern once.
    mutating func report(_ exceeding: some Sequence<Rules.ExceedingPattern>) -> [Effect] {
        exceeding.filter { reportedPatterns.insert($0).inserted }.map { .respond(.patternExceedsLimit($0)) }
    }

    /// The notification with its rule. The patterns that exceed a limit are appended to `exceeding`.
    private func ruled(_ waiting: Waiting, _ exceeding: inout [Rules.ExceedingPattern]) -> Waiting {
        var waiting = waiting
        (waiting.rule, waiting.thread) = (nil, nil)
        guard !policy.rules.isEmpty else { return waiting }
        let time = localTime(waiting.arrived)
        let match = policy.rules.firstMatch(waiting.notification, of: waiting.account, at: time)
        waiting.rule = match.rule
        exceeding += match.exceeding
        waiting.thread = thread(of: waiting)
        return waiting
    }

    /// Applies the rules of another policy to the notifications that are not shown yet.
    mutating func change(to policy: PopupPolicy) -> [Effect] {
        let isSame = policy.rules == self.policy.rules
        self.policy = policy
        guard !isSame else { return [] }
        reportedPatterns = []
        var exceeding: [Rules.ExceedingPattern] = []
        for index in calls.indices { calls[index].waiting = calls[index].waiting.map { ruled($0, &exceeding) } }
        var all = waiting.map { ruled($0, &exceeding) }
        let muted = removeMuted(from: &all)
        waiting = all
        let reports = report(exceeding)
        guard let now else { return reports }
        return reports + (muted.isEmpty ? [] : deliver(muted, now: now)) + showWaiting(now: now)
    }

    // MARK: Threads

    private func thread(of waiting: Waiting) -> String? {
        guard let key = effects(of: waiting)?.replace else { return nil }
        let value =
            switch key {
            case .topic: waiting.notification.topic
            case .category: waiting.notification.category
            case .title: RichText(title: waiting.notification.title).plain
            case .rule: "\(waiting.rule ?? 0)"
            }
        return value.isEmpty ? nil : "\(key.rawValue) \(waiting.account) \(value)"
    }

    /// The threads that have a popup, or will have it when the server has answered.
    var openThreads: Set<String> {
        guard policy.rules.hasThreads else { return [] }
        return shown.threads.union(calls.compactMap(\.kept.open.thread))
    }

    /// Whether the notification is not shown with others: it belongs to a digest, or to the thread of an open popup.
    func isApart(_ waiting: Waiting, _ openThreads: Set<String>) -> Bool {
        guard let effects = effects(of: waiting) else { return false }
        return effects.digest != nil || waiting.thread.map(openThreads.contains) ?? false
    }

    /// Of each thread only the newest notification is shown, and it replaces the open popup. One that is being sent has
    /// no id yet, so what follows it waits for the server's answer.
    mutating func updateThreads(_ urgency: UInt8, now: Timestamp) -> [Effect] {
        guard policy.rules.hasThreads else { return [] }
        var effects = supersede(now: now)
        let called = Set(calls.compactMap(\.kept.open.thread))
        var updates: Set<NotificationReference> = []
        for waiting in waiting where self.urgency(of: waiting) == urgency && burst.count(urgency) < policy.groupAbove {
            guard let thread = waiting.thread, !called.contains(thread), !isHeld(waiting),
                let id = shown.newest(of: thread)
            else { continue }
            updates.insert(waiting.reference)
            effects += single(waiting, urgency, replacing: id, now: now)
            effects += countShown(1, urgency)
        }
        if !updates.isEmpty { waiting.removeAll { updates.contains($0.reference) } }
        return effects
    }

    /// Removes all notifications of a thread but the newest. They count as shown.
    private mutating func supersede(now: Timestamp) -> [Effect] {
        var newest: [String: NotificationReference] = [:]
        for waiting in waiting {
            if let thread = waiting.thread { newest[thread] = waiting.reference }
        }
        let earlier = waiting.filter { waiting in waiting.thread.map { newest[$0] != waiting.reference } ?? false }
        guard !earlier.isEmpty else { return [] }
        waiting = waiting.filter { waiting in waiting.thread.map { newest[$0] == waiting.reference } ?? true }
        return deliver(earlier, now: now)
    }
}
