import AgentInterface
import Basics
import DBus
import Inbox
import Logging

/// The effects of the configured rules on the inbox.
extension AccountSession {
    /// The maximum number of times that the copy is read again because it changed meanwhile.
    private static let readingLimit = 5
    /// Lets the loop do other things before more notifications are compared with the rules.
    private static let pause = Duration.milliseconds(1)

    /// Applies other rules to the inbox.
    func apply(_ rules: Rules) {
        let inboxRules =
            rules.concernInbox
            ? InboxRules(rules, of: identity.key, localTime: environment.localTime) : nil
        guard inbox.muteRules?.rules != inboxRules?.rules else { return }
        publishChecked(inbox.apply(inboxRules))
        uncountedCopy.signal()
    }

    private func publishChecked(_ differences: [InboxState.Difference]) {
        publish(differences)
        if !inbox.exceedingPatterns.isEmpty { popups.post(.exceeded(inbox.exceedingPatterns)) }
    }

    /// Applies other rules to the rest of the loaded notifications, and determines which ones of the copy badges leave
    /// out, whenever that is unknown, until the task is cancelled.
    func applyToRest() async {
        while !Task.isCancelled {
            await uncountedCopy.wait(clock: environment.clock)
            while !inbox.isChecked, (try? await environment.clock.sleep(for: Self.pause)) != nil {
                publishChecked(inbox.checkNext())
            }
            for attempt in 1...Self.readingLimit where inbox.muteRules != nil && !Task.isCancelled {
                let version = copyVersion
                let leftOut = await leftOutOfCopy()
                guard version == copyVersion || attempt == Self.readingLimit else { continue }
                inbox.setUncounted(inCopy: leftOut)
                publish()
                break
            }
        }
    }

    private func leftOutOfCopy() async -> [Notification] {
        var unread: [Notification] = []
        await readKept(isArchived: false) { notification, _ in
            if notification.read == nil, !inbox.isLoaded(notification.id) { unread.append(notification) }
            return true
        }
        guard let rules = inbox.muteRules else { return [] }
        // There may be many, and the loop must not block.
        return await runBlocking { [unread] in unread.filter(rules.leavesOut) } ?? []
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
            if !exceedingPatterns.isEmpty {
                exceedingPatterns = []
                publish()
            }
            bus.assumeIsolated { try? $0.emit(AgentRoot.rulesChanged, from: AgentNames.agentPath) }
        }
        endOfRule.set(after: policy.rules.nextEnd(after: now).map { min(now.duration(to: $0), Self.longestWait) })
    }
}
