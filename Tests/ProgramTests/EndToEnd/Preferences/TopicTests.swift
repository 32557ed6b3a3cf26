import AgentInterface
import AgentTestSupport
import DBus
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Following a topic, and leaving it: the command, the agent and the service.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct TopicTests {
    @Test(
        "A topic is followed and left, and the service is asked once for each",
        .sandbox(TestedService.magicBell.options)
    ) func topic() async throws {
        let sandbox = Sandbox.current
        try await BuiltAgent.with(TestedService.magicBell.account(at: sandbox.baseURL)) { agent in
            try await agent.account.wait(AgentAccount.state, is: "online")
            for (state, path) in [("on", "/subscriptions"), ("off", "/subscriptions/build-4711/unsubscribe")] {
                let words = ["preferences", "topic", "build-4711", state, "--wait"]
                let outcome = try await Programs.run("feedbell", words)
                #expect(outcome.status == .exited(0), "\(outcome.errors)")
                #expect(await sandbox.requests.filter { $0.method == "POST" && $0.path == path }.count == 1)
            }
            try await agent.account.wait(AgentPreferences.pending, is: 0)
        }
    }

    @Test("What the service refuses is reported, and the agent goes on", .sandbox(TestedService.magicBell.options))
    func unknown() async throws {
        try await BuiltAgent.with(TestedService.magicBell.account(at: Sandbox.current.baseURL)) { agent in
            let failures = try await agent.account.signals(of: AgentPreferences.self)
            let words = ["preferences", "topic", "unknown", "off", "--wait"]
            let outcome = try await Programs.run("feedbell", words)
            #expect(outcome.status != .exited(0) && outcome.errors.contains("no such subscription"))
            let failure = try await failures.next { try AgentPreferences.updateFailed.decode($0) != nil }
            #expect(failure != nil)
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
