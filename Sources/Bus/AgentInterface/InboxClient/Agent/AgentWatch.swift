import Basics
package import DBus
import VisibleText

/// Follows the agent on the bus: whether it runs, its accounts, and what changes.
package struct AgentWatch: Sendable {
    private let bus: Bus
    private let root: Proxy

    package init(bus: Bus) {
        self.bus = bus
        root = Proxy(bus, AgentNames.busName, AgentNames.agentPath)
    }

    private enum Input: Sendable {
        case owner(BusName?)
        case signal(Message)
    }

    /// Reports the agent and what changes, until the task is cancelled. It starts no agent.
    ///
    /// - Parameter report: Called on the bus's loop.
    /// - Throws: The bus's error, if the connection ended.
    package func run(_ report: @Sendable (AgentReport) -> Void) async throws(DBusError) {
        let inputs = Mailbox<Input>()
        let rule = MatchRule(sender: AgentNames.busName, pathNamespace: AgentNames.agentPath)
        // Signals are taken at once, so their buffer stays small.
        let signals = try await bus.signals(matching: rule, buffering: .unbounded)
        let owners = try await bus.nameOwnerChanges(of: AgentNames.busName)
        await withTaskGroup { group in
            group.addTask { for await signal in signals { inputs.send(.signal(signal)) } }
            group.addTask {
                for await change in owners { inputs.send(.owner(change.new)) }
                inputs.close()
            }
            await follow(inputs, report)
            group.cancelAll()
        }
        throw DBusError(.disconnected, "The connection to the session bus ended.")
    }

    private func follow(_ inputs: Mailbox<Input>, _ report: (AgentReport) -> Void) async {
        var state: AgentState?
        for await input in inputs.messages {
            switch input {
            case .owner(nil):
                state = nil
                report(.missing)
            case .owner(.some): state = await read(report) ?? state
            case .signal(let message):
                switch state?.receive(message) {
                case .report(let change): report(change)
                case .readAgain: state = await read(report) ?? state
                case nil: break
                }
            }
        }
    }

    /// Reads all, as soon as the agent answers.
    ///
    /// - Returns: nil: it has ended meanwhile, which the bus reports.
    private func read(_ report: (AgentReport) -> Void) async -> AgentState? {
        while true {
            do throws(DBusError) {
                guard let snapshot = try await AgentSnapshot(root) else { continue }
                let state = AgentState(snapshot)
                for change in state.reports { report(change) }
                return state
            } catch {
                guard error.name == .timeout, !Task.isCancelled else { return nil }
                report(.silent)
            }
        }
    }
}
