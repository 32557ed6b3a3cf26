import AgentInterface
import Basics
import DBus
import Inbox
import Logging

/// The effects of the configured rules on the inbox.
extension AccountSession {
    /// The maximum number of times that the copy is read again because it changed meanwhile.
    private static let readingLimit = 5

    /// Applies other rules to the inbox.
    func apply(_ rules: Rules) {
        let inboxRules =
            rules.concernInbox
            ? InboxRules(rules, of: identity.key, localTime: environment.localTime) : nil
        guard inbox.muteRules?.rules != inboxRules?.rules else { return }
        publish(inbox.apply(inboxRules))
        uncountedCopy.signal()
    }

    /// Determines which notifications of the copy badges leave out, whenever that is unknown, until the task is
    /// cancelled.
    func countCopy() async {
        while !Task.isCancelled {
            await uncountedCopy.wait(clock: environment.clock)
            for attempt in 1...Self.readingLimit where inbox.muteRules != nil && !Task.isCancelled {
                let version = copyVersion
                let unread = await unreadOfCopy()
                guard version == copyVersion || attempt == Self.readingLimit else { continue }
                inbox.setUncounted(inCopy: unread)
                publish()
                break
            }
        }
    }

    private func unreadOfCopy() async -> [Notification] {
        var unread: [Notification] = []
        await readKept(isArchived: false) { notification, _ in
            if notification.read == nil, !inbox.isLoaded(notification.id) { unread.append(notification) }
            return true
        }
        return unread
    }

    /// The newest notifications of the inbox, loaded or kept.
    ///
    /// - Parameter count: The maximum number.
    func newest(_ count: Int) async -> [Notification] {
        let kept = await keptPage(of: .inbox, after: nil, size: count).notifications
        let loaded = inbox.list(.inbox)
        let ids = Set(loaded.map(\.id))
        let all = loaded + kept.filter { !ids.contains($0.id) }.compactMap(inbox.present)
        return Array(all.sorted { SortKey(of: $0) < SortKey(of: $1) }.prefix(count))
    }

    /// Marks what has arrived as read, if a rule says so.
    func readByRules(_ arrived: [Notification]) {
        guard let rules = inbox.muteRules, service.capabilities.contains(Change.read("").requirement) else { return }
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
        for account in accounts { account.session.assumeIsolated { $0.apply(policy.rules) } }
        if policy.rules != appliedRules {
            appliedRules = policy.rules
            bus.assumeIsolated { try? $0.emit(AgentRoot.rulesChanged, from: AgentNames.agentPath) }
        }
        endOfRule.set(after: policy.rules.nextEnd(after: now).map { min(now.duration(to: $0), Self.longestWait) })
    }
}
