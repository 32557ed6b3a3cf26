import AgentInterface
import DBus
import VisibleText

/// The output of `feedbell follow --text`: new notifications and changed states, in sentences for a screen reader.
struct FollowedSentences {
    /// The state that was reported last; nil: none yet.
    private var last: State?

    private struct State: Equatable {
        var isRunning = false
        var isPaused = false
        var pausedUntil: Int64 = 0
        /// The connections of the accounts, in words, by their names.
        var connections: [String: String] = [:]

        init(_ agent: FollowedAgent) {
            guard agent.owner != nil else { return }
            isRunning = true
            isPaused = agent.properties[AgentRoot.paused] ?? false
            pausedUntil = agent.properties[AgentRoot.pausedUntil] ?? 0
            for account in agent.accounts.values {
                connections[account.name] = AccountText.state(account.account[AgentAccount.state] ?? "")
            }
        }
    }

    /// The sentences about changed states.
    ///
    /// - Parameter now: Milliseconds since the Unix epoch.
    mutating func after(_ agent: FollowedAgent, now: Int64) -> [String] {
        changes(to: State(agent), agent, now: now).map(\.onOneLine)
    }

    /// The sentence about an event; nil: none is needed.
    static func sentence(_ event: FollowedEvent, _ agent: FollowedAgent) -> String? {
        guard event.name == FollowedEvent.arrived, let notification = event.notification else { return nil }
        return sentence(notification, withAccount: agent.accounts.count > 1).onOneLine
    }

    /// "New: Build 4711 finished".
    static func sentence(_ notification: NotificationRecord, withAccount: Bool) -> String {
        let title = notification.title.isEmpty ? notification.body : notification.title
        return withAccount
            // Translators: A notification has arrived, of one of several accounts.
            ? translated("New in {account}: {title}", ["account": notification.account, "title": title])
            // Translators: A notification has arrived.
            : translated("New: {title}", ["title": title])
    }

    private mutating func changes(to state: State, _ agent: FollowedAgent, now: Int64) -> [String] {
        defer { last = state }
        guard let last, last.isRunning || !state.isRunning else { return firstSentences(state, agent, now: now) }
        guard state.isRunning else {
            return last.isRunning ? [translated("The Feedbell agent is not running.")] : []
        }
        var sentences: [String] = []
        for (name, connection) in state.connections.sorted(by: { $0.key < $1.key })
        where last.connections[name] != connection {
            // Translators: An account and the state of its connection, such as "online".
            sentences.append(translated("{account}: {state}", ["account": name, "state": connection]))
        }
        if (state.isPaused, state.pausedUntil) != (last.isPaused, last.pausedUntil) {
            sentences.append(Self.pause(state, now: now))
        }
        return sentences
    }

    private func firstSentences(_ state: State, _ agent: FollowedAgent, now: Int64) -> [String] {
        guard state.isRunning else { return [translated("The Feedbell agent is not running.")] }
        let accounts = agent.accounts.values
        let unread = accounts.reduce(UInt32(0)) { $0 &+ UInt32(clamping: $1.inbox.shownUnread) }
        let isComplete = accounts.allSatisfy(\.isCounted)
        let count = StatusReport.words(unread: unread, isComplete: isComplete)
        return [count] + (state.isPaused ? [Self.pause(state, now: now)] : [])
    }

    private static func pause(_ state: State, now: Int64) -> String {
        guard state.isPaused else { return translated("Popups are shown again.") }
        guard state.pausedUntil != 0 else { return translated("Popups are paused.") }
        return translated("Popups are paused until {time}", ["time": LocalTime(state.pausedUntil).text(now: now)])
    }
}
