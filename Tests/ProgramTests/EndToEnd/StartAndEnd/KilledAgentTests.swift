import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Glibc
import Sandbox
import TestSupport
import Testing

/// The agent is killed repeatedly while it works; no user action is lost.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct KilledAgentTests {
    private static let rounds = 8

    @Test("Every acknowledged action reaches the service despite kills", arguments: TestedService.allCases)
    func kills(service: TestedService) async throws {
        try await Sandbox.with(service.options) { sandbox in
            var generator = SeededGenerator(seed: 1)
            var ids: [String] = []
            for number in 0..<(2 * Self.rounds) { ids.append(try await sandbox.publish(service.fields("\(number)"))) }
            try await TemporaryFile.with(service.account(at: sandbox.baseURL)) { file in
                for round in 0..<Self.rounds {
                    let delay = Int.random(in: 0...6_000, using: &generator)
                    try await BuiltAgent.keepingState(beside: file) { agent in
                        try await agent.account.call(AgentInbox.markRead, [ids[2 * round]])
                        try await agent.account.call(AgentInbox.archive, [ids[2 * round + 1]])
                        try await Task.sleep(for: .microseconds(delay))
                        agent.program.send(SIGKILL)
                        await agent.program.ended()
                    }
                }
                let all = ids
                try await BuiltAgent.keepingState(beside: file) { agent in
                    _ = try await sandbox.wait { state in
                        let isDone = all.enumerated().allSatisfy { index, id in
                            let row = service.row(id, in: state)
                            return index.isMultiple(of: 2) ? row?.isRead == true : row?.isArchived == true
                        }
                        return isDone ? true : nil
                    }
                    try await agent.account.wait(AgentAccount.pendingActions, is: 0)
                }
            }
            // A kill between the service's confirmation and its being noted makes a change once more, and no oftener.
            let actions = await sandbox.requests.filter { $0.path.hasSuffix("/read") || $0.path.hasSuffix("/archive") }
            let repeated = Dictionary(grouping: actions, by: \.path).mapValues { $0.count - 1 }
            #expect(repeated.count == ids.count)
            #expect(repeated.values.reduce(0, +) <= 2 * Self.rounds, "\(repeated)")
            #expect(await sandbox.violations.isEmpty)
        }
    }
}
