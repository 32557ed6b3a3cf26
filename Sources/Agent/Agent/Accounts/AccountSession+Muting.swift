import AgentInterface
import Basics
import DBus
import Inbox
import Logging

/// The effects of the configured rules on the inbox.
extension AccountSession {
    /// Lets the thread do other things before more notifications are compared with the rules.
    private static let pause = Duration.milliseconds(1)

    /// Applies other rules to the inbox.
    func apply(_ rules: Rules) {
        let inboxRules =
            rules.concernInbox
            ? InboxRules(rules, of: identity.key, localTime: environment.localTime) : nil
        guard inbox.muting?.rules != inboxRules?.rules else { return }
        inbox.muting = inboxRules
        if isRestored { applyRules(after: .min) }
        rulesChanged.signal()
    }

    /// Applies the rules to the next notifications.
    private func applyRules(after last: Int64) {
        uncheckedAfter = nil
        var exceeding: Set<Rules.ExceedingPattern> = []
        publish { (table) throws(StoreError) in
            let result = try table.applyRules(after: last)
            (uncheckedAfter, exceeding) = (result.last, result.exceeding)
            return result.differences
        }
        if !exceeding.isEmpty { post(.exceeded(exceeding)) }
    }

    /// Applies other rules to the rest of the notifications, whenever they change, until the task is cancelled.
    func applyToRest() async {
        applyRules(after: .min)
        while !Task.isCancelled {
            while let last = uncheckedAfter, (try? await environment.clock.sleep(for: Self.pause)) != nil {
                applyRules(after: last)
            }
            await rulesChanged.wait(clock: environment.clock)
        }
    }

    /// The newest notifications of the inbox, listed or kept.
    ///
    /// - Parameter count: The maximum number.
    func newest(_ count: Int) -> [Notification] {
        (try? inbox.list(.inbox, NotificationFilter(limit: count, takesKept: true))) ?? []
    }

    /// Marks what has arrived as read, if a rule says so.
    func readByRules(_ arrived: [Notification]) {
        guard let rules = inbox.muting, service.capabilities.contains(Change.read("").requirement) else { return }
        let read = arrived.filter { rules.effects(of: $0)?.marksRead == true }
        if !read.isEmpty { readArrivals.send(read.map(\.id)) }
    }

    func runReadArrivals() async {
        for await ids in readArrivals.messages {
            do throws(DBusError) { try await submit(ids.map(Change.read), isChecked: false) } catch {
                logger.error("cannot mark as read what a rule says", metadata: ["reason": "\(error.message)"])
            }
        }
    }
}

extension Agent {
    /// Then the rules are looked at again.
    private static let longestWait = Duration.seconds(86_400)

    /// Applies the rules whose end has not come, and schedules the next end.
    func updateRules() {
        let now = environment.now()
        let policy = policy(configuration.popups)
        popups.post(.policyChanged(policy))
        for account in accounts {
            let session = account.session
            session.inboxes.executor.execute { session.assumeIsolated { $0.apply(policy.rules) } }
        }
        if policy.rules != appliedRules {
            appliedRules = policy.rules
            if !exceedingPatterns.isEmpty {
                exceedingPatterns = []
                publish()
            }
            bus.assumeIsolated { try? $0.emit(AgentRoot.rulesChanged, from: AgentNames.agentPath) }
        }
        endOfRule.set(after: policy.rules.nextEnd(after: now).map { min(now.duration(to: $0), Self.longestWait) })
    }
}
