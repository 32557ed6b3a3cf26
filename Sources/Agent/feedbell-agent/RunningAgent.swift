import AgentInterface
import DBus

/// The agent that runs in this session, for the commands that change its accounts.
enum RunningAgent {
    /// Lets it revoke the sign-in of an account, and end one that is under way. Where none runs, nobody can.
    static func endSignIn(to account: String) async {
        guard let bus = try? await Bus.connect(to: .session, loop: AgentMain.loop) else { return }
        let agent = Proxy(bus, AgentNames.busName, AgentNames.agentPath)
        try? await agent.call(AgentRoot.signOut, account, autoStart: false)
    }

    /// Whether the agent has a sign-in of an account.
    static func isSignedIn(to account: String) async -> Bool {
        guard let bus = try? await Bus.connect(to: .session, loop: AgentMain.loop) else { return false }
        let object = Proxy(bus, AgentNames.busName, AgentNames.accountPath(account))
        let status = try? await object.get(AgentAccount.signInStatus, timeout: .seconds(5), autoStart: false)
        return status.flatMap { SignInRecord($0) }.map { $0.since > 0 } ?? false
    }
}
