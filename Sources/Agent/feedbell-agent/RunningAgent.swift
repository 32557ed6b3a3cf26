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
}
