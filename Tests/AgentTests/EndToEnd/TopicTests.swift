import AgentInterface
import DBus
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Following a topic, and leaving it: the command, the agent and the service.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct TopicTests {
    @Test("A topic is left and followed again, on disk first, and the service is asked once for each") func topic()
        async throws
    {
        try await Sandbox.with(TestedService.magicBell.options) { sandbox in
            let work = TestedService.magicBell.account(at: sandbox.baseURL)
            try await BuiltAgent.with(work) { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
                let fields: JSON = ["title": "Build 4711", "content": "x", "topic": "build-4711"]
                try await sandbox.perform(TestedService.magicBell.publish([fields]))
                try await agent.waitForList(count: 1)
                for (state, path) in [("off", "/unsubscribe"), ("on", "/subscriptions")] {
                    let outcome = try await Programs.run(
                        "feedbell",
                        ["preferences", "topic", "build-4711", state, "--wait"]
                    )
                    #expect(outcome.status == .exited(0), "\(outcome.errors)")
                    #expect(await sandbox.requests.filter { $0.method == "POST" && $0.path.hasSuffix(path) }.count == 1)
                }
                try await agent.account.wait(AgentPreferences.pending, is: 0)
            }
        }
    }

    @Test("A service without topics refuses, with a sentence", .builtAgent()) func refusal() async throws {
        let agent = BuiltAgent.current
        try await agent.account.wait(AgentAccount.state, is: "online")
        let outcome = try await Programs.run("feedbell", ["preferences", "topic", "x", "off"])
        #expect(outcome.status == .exited(6) && outcome.errors.contains("does not support subscriptions to topics"))
        let error = await #expect(throws: DBusError.self) {
            try await agent.account.call(AgentPreferences.setTopic, "x", false)
        }
        #expect(error?.name == AgentErrors.notSupported)
    }
}
