import AgentInterface
import Basics
import DBus
import Logging

/// An agent has the state file and the bus name, in this order: two that are connected at the same time would show
/// notifications twice.
extension Agent {
    /// The time that a replaced agent may take to end after SIGTERM, or after its name was taken.
    private static let endTimeout = Duration.seconds(3)
    /// The time that a process may take to release the state file.
    private static let lockTimeout = Duration.seconds(5)

    /// Ends the agent that is running.
    ///
    /// - Parameter replacing: Without it, a running agent is an error.
    func endPredecessor(replacing: Bool) async throws {
        guard let predecessor = try await bus.nameOwner(of: AgentNames.busName) else { return }
        guard replacing else { throw AgentFailure.alreadyRunning }
        guard let process = try await RunningProcess(of: predecessor, on: bus) else {
            return try await replaceName(of: predecessor)
        }
        logger.notice("ending the agent that is running", metadata: ["process": "\(process.id)"])
        guard await process.end(killAfter: Self.endTimeout) else { return try await replaceName(of: predecessor) }
    }

    /// Replaces an agent whose process is not known: it ends because it loses its name.
    private func replaceName(of predecessor: BusName) async throws {
        let owners = try await bus.nameOwnerChanges(of: predecessor)
        _ = try await bus.requestName(
            AgentNames.busName,
            flags: [.doNotQueue, .allowReplacement, .replaceExisting]
        )
        await withTimeLimit(Self.endTimeout, clock: environment.clock) {
            for await change in owners where change.new == nil { break }
        }
    }

    /// The state shows whose inbox an account has, if only its token names the user. With a running agent, which has
    /// the state, this must wait for its end.
    func lockStateEarly() async {
        guard configuration.accounts.contains(where: \.isNamedByToken) else { return }
        ownsState = await store.lock() == .taken
    }

    func lockState() async throws(AgentFailure) {
        let lock = await store.lock(atMost: Self.lockTimeout, clock: environment.clock)
        if case .held(let path, let process, let host) = lock {
            throw .stateInUse(path: path, process: process, host: host)
        }
        ownsState = true
    }

    /// The bus name signals readiness, so all objects are exported before, and the state file is this agent's.
    func takeNames(replacing: Bool) async throws {
        try await takeApplicationName(replacing: replacing)
        guard try await bus.requestName(AgentNames.busName, flags: [.doNotQueue, .allowReplacement]).isOwner else {
            throw AgentFailure.alreadyRunning
        }
        report(.ready)
        reportStatus()
        logger.notice("ready", metadata: ["version": "\(version)", "accounts": "\(accounts.count)"])
    }
}
