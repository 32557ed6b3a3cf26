import AgentTestSupport
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The threads of the built programs. Each of them may use a worker for a while; the tests wait until it has ended.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct ThreadTests {
    /// The threads of a process, by name. A thread of the process's name is the first one, or has no name of its own.
    private func threads(of process: Int32) -> [String] {
        let directory = "/proc/\(process)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return threads.compactMap { thread in
            FileManager.default.contents(atPath: "\(directory)/\(thread)/comm")
                .map { String(decoding: $0.dropLast(), as: UTF8.self) }
        }.sorted()
    }

    /// Waits until the process has only these threads.
    private func wait(for expected: [String], of process: Int32) async throws {
        try await waiting(for: "only the threads \(expected)", every: .milliseconds(20)) {
            threads(of: process)
        } until: {
            $0 == expected
        }
    }

    @Test(
        "After a token command, a popup and an opened link, the agent has three threads",
        .sandbox(users: ["anna"])
    )
    func agent() async throws {
        try await TemporaryFile.with("") { file in
            let state: [Environment.Key: String?] = ["XDG_STATE_HOME": file.directory + "/state"]
            try await BuiltAgent.with(environment: state) { agent in
                let notification: JSON = ["header": "Sale", "text": "x", "url": "https://example.com/sale"]
                let id = try await Sandbox.current.publish(notification)
                try await agent.server.invoke(id: agent.popup().id)
                try await agent.waitForRequest("interacted", of: id)
                try await wait(for: ["descriptors", "disk", "feedbell-agent"], of: agent.program.processID)
            }
        }
    }

    @Test("The command that follows the agent has one thread, and one for its output") func command() async throws {
        try await TemporaryFile.with("") { file in
            try await BuiltAgent.alone(file) { _ in
                try await RunningProgram.with("feedbell", ["follow"]) { command in
                    try await wait(for: ["feedbell", "output"], of: command.processID)
                }
            }
        }
    }
}
