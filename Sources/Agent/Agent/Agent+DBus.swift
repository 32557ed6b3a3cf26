import AgentInterface
import Basics
import DBus
import Inbox

/// The agent's object on the bus.
extension Agent {
    func export() async throws(DBusError) {
        var object = ExportedObject(AgentNames.agentPath)
        object.set(AgentRoot.version, version)
        object.set(AgentRoot.accounts, [])
        object.set(AgentRoot.unreadCount, 0)
        object.set(AgentRoot.attentionNeeded, false)
        object.set(AgentRoot.paused, false)
        object.set(AgentRoot.pausedUntil, 0)
        object.set(AgentRoot.heldBack, [])
        object.set(AgentRoot.textHidden, false)
        object.set(AgentRoot.configurationError, "")
        object.set(AgentRoot.inboxKeys, [:])
        object.handle(AgentRoot.pause) { until in try await self.pause(until: until) }
        object.handle(AgentRoot.resume) { await self.resume() }
        object.handle(AgentRoot.hideText) { isHidden in try await self.hideText(isHidden) }
        object.handle(AgentRoot.reload) { try await self.reload() }
        object.handle(AgentRoot.reconnect) { try await self.reconnect() }
        object.handle(AgentRoot.signOut) { name in try await self.signOut(of: name) }
        object.handle(AgentRoot.signIn) { name, options in
            try await self.startSignIn(to: name, try SignInOptions(options))
        }
        object.handle(AgentRoot.cancelSignIn) { name in try await self.cancelSignIn(to: name) }
        object.handle(AgentRoot.undo) { name in try await self.undo(name) }
        object.handle(AgentRoot.undoAll) { try await self.undoAll() }
        addRules(to: &object)
        try await bus.export(object)
        await bus.exportObjectManager(at: AgentNames.agentPath)
        try await bus.export(applicationObject())
        try await bus.export(searchObject())
    }

    /// Publishes what is the sum of the accounts: it changes with every notification.
    func publishSums() {
        var changes = PropertyChanges()
        setSums(in: &changes)
        bus.assumeIsolated { $0.set(changes, at: AgentNames.agentPath) }
        presenceChanged()
    }

    private var unread: Int { accounts.reduce(0) { $0 + $1.summary.unread } }

    /// The number that badges show.
    var shownUnread: Int { accounts.reduce(0) { $0 + $1.summary.shownUnread } }

    /// Why the configuration is not used as it is in its files, in sentences on a line each; empty: it is.
    var configurationError: String {
        guard configurationProblem.isEmpty else { return configurationProblem }
        return configuration.problems.map(\.description).joined(separator: "\n")
    }

    var needsAttention: Bool { !configurationError.isEmpty || accounts.contains(where: \.summary.needsAttention) }

    private func setSums(in changes: inout PropertyChanges) {
        changes.set(AgentRoot.unreadCount, UInt32(clamping: unread))
        changes.set(AgentRoot.attentionNeeded, needsAttention)
    }

    /// Publishes all properties.
    func publish() {
        let heldBack = holds.reasons.map(\.name).sorted() + (isServerFull ? ["server-full"] : [])
        var changes = PropertyChanges()
        changes.set(AgentRoot.accounts, accounts.map(\.session.path))
        setSums(in: &changes)
        changes.set(AgentRoot.paused, pause.isOn)
        changes.set(AgentRoot.pausedUntil, pause.until?.milliseconds ?? 0)
        changes.set(AgentRoot.heldBack, heldBack)
        changes.set(AgentRoot.textHidden, hidesText)
        let problems = [configurationError] + exceedingRules
        changes.set(AgentRoot.configurationError, problems.filter { !$0.isEmpty }.joined(separator: "\n"))
        changes.set(AgentRoot.inboxKeys, configuration.inboxKeys)
        bus.assumeIsolated { $0.set(changes, at: AgentNames.agentPath) }
        reportStatus()
        presenceChanged()
    }

    /// - Throws: The error of the first account whose service asks for a pause.
    private func reconnect() async throws(DBusError) {
        var failure: DBusError?
        for account in accounts {
            do throws(DBusError) { try await account.session.reconnectOnRequest() } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}
