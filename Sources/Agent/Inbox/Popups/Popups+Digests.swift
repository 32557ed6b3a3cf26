import Basics

/// Digests: notifications that a rule collects for a while and then shows as one summary. They wait as all others do,
/// so what was collected when the agent ends is collected again by the next run.
extension Popups {
    /// When the digest of each rule that collects notifications is due.
    var digests: [Int: Timestamp] {
        guard policy.rules.hasDigests else { return [:] }
        var due: [Int: Timestamp] = [:]
        for waiting in waiting {
            guard let rule = waiting.rule, let interval = effects(of: waiting)?.digest else { continue }
            let end = waiting.arrived.advanced(milliseconds: Int64(interval / .milliseconds(1)))
            due[rule] = min(due[rule] ?? end, end)
        }
        return due
    }

    /// Whether a notification waits for a digest that is not due.
    func isCollected(_ waiting: Waiting, _ digests: [Int: Timestamp], _ now: Timestamp) -> Bool {
        waiting.rule.flatMap { digests[$0] }.map { $0 > now } ?? false
    }

    /// Whether a notification waits for nothing but a server.
    ///
    /// - Parameter now: nil: unknown.
    func hasReady(now: Timestamp?) -> Bool {
        let digests = digests
        return waiting.contains { waiting in
            !isHeld(waiting) && !(now.map { isCollected(waiting, digests, $0) } ?? false)
        }
    }

    mutating func startDigestTimer(_ digests: [Int: Timestamp], now: Timestamp) -> [Effect] {
        let next = digests.values.filter { $0 > now }.min()
        guard next != nextDigest else { return [] }
        nextDigest = next
        return next.map { [.wait(.digest, min(now.duration(to: $0), Self.longestWait))] } ?? []
    }

    /// Shows the digests of this urgency that are due. A single notification is shown as itself.
    mutating func show(_ digests: [Int: Timestamp], _ urgency: UInt8, now: Timestamp) -> [Effect] {
        var effects: [Effect] = []
        for (rule, due) in digests.sorted(by: { $0.key < $1.key }) where due <= now {
            let group = waiting.filter { $0.rule == rule && self.urgency(of: $0) == urgency }
            guard let first = group.first, !isHeld(first) else { continue }
            waiting = waiting.filter { $0.rule != rule || self.urgency(of: $0) != urgency }
            let count = group.count + omitted[urgency, default: 0]
            let replaced = placement(of: count, urgency).replaced
            if count == 1 {
                effects += single(first, urgency, now: now)
            } else {
                summarize(group, urgency, count: count, replacing: replaced)
            }
        }
        return effects
    }
}
