import Basics

/// Reports to the service manager.
extension Agent {
    func report(_ event: ServiceReports.Event) {
        guard let serviceManager else { return }
        for notification in serviceReports.receive(event) { serviceManager.send(notification) }
    }

    /// Reports what the agent does, if that has changed.
    func reportStatus() {
        guard serviceManager != nil else { return }
        let status = AgentStatus(
            accounts: accounts.map { account in
                AgentStatus.Account(
                    name: account.configuration.name,
                    isOnline: account.summary.isOnline,
                    needsAttention: account.summary.needsAttention
                )
            },
            isPaused: pause.isOn,
            isConfigurationRejected: !configurationError.isEmpty
        )
        report(.status(status.sentence))
    }

    /// Reports regularly that the agent's loop works, and at cancellation that the agent ends.
    func runServiceReports() async {
        if let serviceManager, let interval = serviceManager.watchdogInterval {
            while (try? await environment.clock.sleep(for: interval)) != nil { serviceManager.send(.watchdog) }
        } else {
            await Completion().wait()
        }
        report(.stopping)
    }
}
