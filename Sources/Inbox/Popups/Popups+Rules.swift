package import Basics

/// What the rules of the configuration change.
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

    /// What a summary of these has in common; nil: there are no rules.
    func commonEffects(of group: [Waiting]) -> RuleEffects? {
        policy.rules.isEmpty ? nil : .common(group.map(effects))
    }

    /// Finds the rule of each notification, and removes those that are muted.
    ///
    /// - Returns: The muted ones.
    func applyRules(to waiting: inout [Waiting]) -> [Waiting] {
        guard !policy.rules.isEmpty else { return [] }
        for index in waiting.indices { waiting[index].rule = rule(of: waiting[index]) }
        let muted = waiting.filter { effects(of: $0)?.isMuted == true }
        if !muted.isEmpty { waiting.removeAll { effects(of: $0)?.isMuted == true } }
        return muted
    }

    private func rule(of waiting: Waiting) -> Int? {
        guard !policy.rules.isEmpty else { return nil }
        let time = localTime(waiting.arrived)
        return policy.rules.firstMatch(waiting.notification, of: waiting.account, at: time)
    }

    /// Applies the rules of another policy to the notifications that are not shown yet.
    mutating func change(to policy: PopupPolicy) -> [Effect] {
        let isSame = policy.rules == self.policy.rules
        self.policy = policy
        guard !isSame else { return [] }
        for (request, call) in inFlight {
            for (index, waiting) in call.waiting.enumerated() {
                let rule = rule(of: waiting)
                inFlight[request]?.waiting[index].rule = rule
            }
        }
        var all = waiting
        for index in all.indices { all[index].rule = nil }
        let muted = applyRules(to: &all)
        waiting = all
        guard let now else { return [] }
        return (muted.isEmpty ? [] : deliver(muted, now: now)) + showWaiting(now: now)
    }

    // MARK: Threads

    /// What later notifications that replace its popup have in common with this one; nil: none replaces it.
    func thread(of waiting: Waiting) -> String? {
        guard let key = effects(of: waiting)?.replace else { return nil }
        let value =
            switch key {
            case .topic: waiting.notification.topic
            case .category: waiting.notification.category
            case .title: RichText(line: waiting.notification.title).plain
            case .rule: "\(waiting.rule ?? 0)"
            }
        return value.isEmpty ? nil : "\(key.rawValue) \(waiting.account) \(value)"
    }

    /// Whether it is not shown with the others: it belongs to a digest, or to the thread of an open popup.
    func isApart(_ waiting: Waiting) -> Bool {
        guard let effects = effects(of: waiting) else { return false }
        return effects.digest != nil || thread(of: waiting).map(isOpen) ?? false
    }

    private func isOpen(_ thread: String) -> Bool {
        shown.newest(of: thread) != nil || inFlight.values.contains { $0.kept.open.thread == thread }
    }

    /// Of each thread only the newest notification is shown, and it replaces the open popup. One that is being sent has
    /// no id yet, so what follows it waits for the server's answer.
    mutating func updateThreads(_ urgency: UInt8, now: Timestamp) -> [Effect] {
        guard policy.rules.hasThreads else { return [] }
        var effects: [Effect] = []
        var newest: [String: Waiting] = [:]
        for waiting in waiting where self.urgency(of: waiting) == urgency {
            if let thread = thread(of: waiting) { newest[thread] = waiting }
        }
        for (thread, waiting) in newest.sorted(by: { $0.key < $1.key }) {
            effects += supersede(thread, by: waiting, now: now)
            guard let id = shown.newest(of: thread), burst.count(urgency) < policy.groupAbove,
                !inFlight.values.contains(where: { $0.kept.open.thread == thread })
            else { continue }
            self.waiting.removeAll { $0.reference == waiting.reference }
            effects.append(single(waiting, urgency, replacing: id))
            effects += countShown(1, urgency)
        }
        return effects
    }

    /// Removes the earlier notifications of a thread. They count as shown.
    private mutating func supersede(_ thread: String, by newest: Waiting, now: Timestamp) -> [Effect] {
        let earlier = waiting.filter { $0.reference != newest.reference && self.thread(of: $0) == thread }
        guard !earlier.isEmpty else { return [] }
        let references = Set(earlier.map(\.reference))
        waiting.removeAll { references.contains($0.reference) }
        return deliver(earlier, now: now)
    }
}
