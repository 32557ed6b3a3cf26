import AgentInterface
import DBus
import VisibleText

/// The state of the agent, from D-Bus, systemd and the agent itself.
struct AgentFacts: Equatable {
    /// Whether the agent owns its bus name.
    var isRunning = false
    /// Whether D-Bus can activate it.
    var isActivatable = false
    /// The state of its systemd unit, such as `enabled`; nil: no systemd, or no such unit.
    var unitState: String?
    /// Whether the user's sessions start it; nil: unknown.
    var startsWithSession: Bool?
    /// The id of its process; nil: unknown.
    var process: Int32?
    /// The error if it did not answer.
    var error: DBusError?
    /// The agent's answer.
    var status = StatusReport()

    /// - Parameter now: Milliseconds since the Unix epoch.
    func findings(now: Int64) -> [Finding] {
        (isRunning ? answerFindings(now: now) : [notRunning]) + startFindings
    }

    private var notRunning: Finding {
        let start = unitState != nil || isActivatable ? Failure.startCommand : AgentProgram.name
        let remedy = translated("Start it with: {command}", ["command": start])
        return Finding(.agent, .problem, Failure.noAgentRunning, remedy: remedy)
    }

    /// Whether the agent starts with the session.
    private var startFindings: [Finding] {
        guard let startsWithSession else { return [] }
        let install = translated("Install Feedbell with packaging/install.")
        guard startsWithSession else {
            if unitState == nil, !isActivatable {
                let sentence = translated(
                    "The agent is not set up to start: systemd unit, autostart file and D-Bus service file are missing."
                )
                return [Finding(.agent, .warning, sentence, remedy: install)]
            }
            let sentence = translated("Your sessions do not start the agent.")
            let remedy = translated("To change that: {command}", ["command": "feedbell autostart on"])
            return [Finding(.agent, .warning, sentence, remedy: remedy)]
        }
        if isActivatable { return [Finding(.agent, .ok, translated("Your sessions start the agent."))] }
        let sentence = translated(
            "The agent starts with the session, but D-Bus cannot activate it: the file {file} is missing.",
            ["file": "\(AgentNames.busName).service"]
        )
        return [Finding(.agent, .warning, sentence, remedy: install)]
    }

    private func answerFindings(now: Int64) -> [Finding] {
        if let error {
            let reason = error.message
            let sentence =
                process.map { process in
                    translated(
                        "The agent (process {process}) runs but does not answer: {reason}",
                        ["process": "\(process)", "reason": reason]
                    )
                } ?? translated("The agent runs but does not answer: {reason}", ["reason": reason])
            return [Finding(.agent, .problem, sentence, remedy: restart)]
        }
        var findings = [
            Finding(.agent, .ok, translated("The agent is running, version {version}.", ["version": status.version]))
        ]
        if status.version != AgentNames.version {
            let sentence = translated(
                "The agent has version {version}, this command {own}.",
                ["version": status.version, "own": AgentNames.version]
            )
            findings = [Finding(.agent, .warning, sentence, remedy: restart)]
        }
        if !status.configurationError.isEmpty {
            let sentence = translated(
                "The agent does not use all of the configuration: {reason}",
                ["reason": status.configurationError]
            )
            let remedy = translated("Correct the file. The agent reads it when it is saved.")
            findings.append(Finding(.agent, .problem, sentence, remedy: remedy))
        }
        if status.accounts.isEmpty {
            let remedy = translated(
                "Add one with: feedbell accounts add. If the configuration has one: feedbell reload"
            )
            findings.append(Finding(.agent, .problem, translated("The agent has no account."), remedy: remedy))
        }
        if status.isPaused {
            let remedy = translated("Show them: feedbell resume")
            findings.append(
                Finding(.notifications, .warning, translated("Popups are held back now."), remedy: remedy)
            )
        }
        if status.heldBack.contains("server-full") {
            let sentence = translated(
                "Popups wait: the notification server has reached its limit and rejects further ones."
            )
            findings.append(Finding(.notifications, .warning, sentence, remedy: NotificationServerFacts.clearing))
        }
        // The check of its token reports an account that is signed out.
        let signedIn = status.accounts.filter { !$0.isSignedOut }
        return findings + signedIn.map { finding($0, now) } + status.accounts.compactMap { signInFinding($0, now) }
            + status.accounts.compactMap(pendingFinding)
    }

    /// Why the last attempt to sign in failed; nil: it did not, or the account's error says it.
    private func signInFinding(_ account: StatusReport.Account, _ now: Int64) -> Finding? {
        guard let signIn = account.signIn, !signIn.message.isEmpty, !account.error.contains(signIn.message) else {
            return nil
        }
        let isPassing = signIn.since > 0 && signIn.error == AgentErrors.offline.text
        return Finding(
            .agent,
            .warning,
            account: account.name,
            translated(
                "The last attempt to sign in ({time}) failed: {reason}",
                ["time": LocalTime(signIn.attempted).text(now: now), "reason": signIn.message]
            ),
            remedy: isPassing
                ? translated("It retries by itself; at once with: feedbell reconnect")
                : AddAccount.signInAdvice(account.name)
        )
    }

    private func pendingFinding(_ account: StatusReport.Account) -> Finding? {
        guard !account.pendingError.isEmpty else { return nil }
        return Finding(
            .agent,
            .warning,
            account: account.name,
            translated(
                "{count} action waits for the service: {reason}",
                plural: "{count} actions wait for the service, one because it failed: {reason}",
                count: Int(account.pending),
                ["reason": account.pendingError]
            ),
            remedy: translated("They are retried. If the account is not online, retry now with: feedbell reconnect")
        )
    }

    private func finding(_ account: StatusReport.Account, _ now: Int64) -> Finding {
        let sentence = Self.sentence(account, now)
        switch (account.state, account.needsAttention) {
        case ("online", false): return Finding(.agent, .ok, account: account.name, sentence)
        case (_, true):
            let remedy = translated("Fix the problems below, if there are any, then: feedbell reconnect")
            return Finding(.agent, .problem, account: account.name, sentence, remedy: remedy)
        case ("connecting", _), ("suspended", _):
            return Finding(
                .agent,
                .warning,
                account: account.name,
                sentence,
                remedy: translated("Check again in a moment.")
            )
        default:
            let remedy = translated("It retries by itself; at once with: feedbell reconnect")
            return Finding(.agent, .problem, account: account.name, sentence, remedy: remedy)
        }
    }

    /// `The agent is offline since 09:12: The server is unreachable.`
    private static func sentence(_ account: StatusReport.Account, _ now: Int64) -> String {
        let values = [
            "state": AccountText.state(account.state), "time": LocalTime(account.since).text(now: now),
        ]
        // Unauthorized: the service refused the credentials, or they could not be obtained.
        let sentence =
            switch (account.state, account.since > 0) {
            case ("unauthorized", true): translated("The agent cannot sign in since {time}", values)
            case ("unauthorized", false): translated("The agent cannot sign in")
            case ("connecting", true): translated("The agent has been connecting since {time}", values)
            case ("connecting", false): translated("The agent is connecting")
            case (_, true): translated("The agent is {state} since {time}", values)
            case (_, false): translated("The agent is {state}", values)
            }
        let isWell = account.error.isEmpty || (account.state == "online" && !account.needsAttention)
        return sentence + (isWell ? "." : ": \(account.error)")
    }

    private var restart: String {
        let command = unitState != nil ? "systemctl --user restart feedbell" : "\(AgentProgram.name) --replace"
        return translated("Restart it: {command}", ["command": command])
    }
}
