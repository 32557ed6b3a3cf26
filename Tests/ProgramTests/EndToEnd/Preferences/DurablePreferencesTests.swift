import AgentInterface
import AgentTestSupport
import DBus
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Changed preferences persist across outages of the service and restarts of the agent.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct DurablePreferencesTests {
    private static let paths = "/v2/subscriber/"

    /// Whether the one category of the test is on, as the agent shows it.
    private func shown(_ account: Proxy) async throws -> Value? {
        try await account.call(AgentPreferences.list).first { $0["category"] == .string("refund-news") }?["preference"]
    }

    /// The same as the service has it.
    private static func preference(in state: SandboxState) -> String? {
        state.service[InboxKey(user: "anna")].preferences.category("refund-news")?["preference"]?.string
    }

    private func changes(_ sandbox: Sandbox) async -> [LoggedRequest] {
        await sandbox.requests.filter { $0.method == "PATCH" }
    }

    /// Changed while the service is gone; shown; still there in the next agent; sent as one request when the service is
    /// back.
    @Test("A change made while the service is unreachable is sent after a restart, as one request")
    func changedOffline() async throws {
        var options = SandboxOptions(users: ["anna"])
        options.port = try LastingPort.next()
        let url = "http://127.0.0.1:\(options.port)"
        try await TemporaryFile.with(AgentConfiguration.account(url: url)) { file in
            try await BuiltAgent.keepingState(beside: file, environment: BuiltAgent.shortWaits) { agent in
                try await Sandbox.with(options) { _ in
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    #expect(try await shown(agent.account) == .string("opt_in"))
                }
                try await agent.account.wait(AgentAccount.state, is: "offline")
                for preference in ["opt_out", "opt_in", "opt_out"] {
                    try await agent.account.call(AgentPreferences.setCategory, "refund-news", preference)
                    let error = await #expect(throws: DBusError.self) {
                        try await agent.account.call(AgentPreferences.flush)
                    }
                    #expect(error?.name == AgentErrors.offline)
                    #expect(try await shown(agent.account) == .string(preference))
                }
                #expect(try await agent.account.get(AgentPreferences.pending) == 1)
            }
            try await Sandbox.with(options) { sandbox in
                // The first attempt of the next agent fails, too.
                await sandbox.inject(.status(503, method: "PATCH", path: Self.paths))
                try await BuiltAgent.keepingState(beside: file) { agent in
                    #expect(try await shown(agent.account) == .string("opt_out"))
                    _ = try await sandbox.wait { Self.preference(in: $0) == "opt_out" ? true : nil }
                    try await agent.account.wait(AgentPreferences.pending, is: 0)
                    #expect(try await shown(agent.account) == .string("opt_out"))
                }
                #expect(await changes(sandbox).map(\.status) == [503, 202], "the last value, and no other")
                #expect(await sandbox.violations.isEmpty)
            }
        }
    }

    /// The answer to an applied change is lost, and the user changes the value back before the retry.
    @Test("A change back after a lost answer is sent", .builtAgent()) func changeBackAfterLostAnswer() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        #expect(try await shown(agent.account) == .string("opt_in"))
        // The result cannot be loaded, either, however often the agent retries.
        let never = 1_000_000
        let silent = RequestFault.status(503, method: "GET", path: Self.paths, times: never)
        let lost = RequestFault(.close, method: "PATCH", path: Self.paths, times: never, applied: true)
        for fault in [silent, lost] { await sandbox.inject(fault) }
        try await agent.account.call(AgentPreferences.setCategory, "refund-news", "opt_out")
        await #expect(throws: DBusError.self) { try await agent.account.call(AgentPreferences.flush) }
        _ = try await sandbox.wait { Self.preference(in: $0) == "opt_out" ? true : nil }
        #expect(try await shown(agent.account) == .string("opt_out"))
        try await agent.account.call(AgentPreferences.setCategory, "refund-news", "opt_in")
        try await sandbox.execute("clear-faults")
        // It fails if an earlier attempt is still in flight; the agent then retries.
        try? await agent.account.call(AgentPreferences.flush)
        try await agent.account.wait(AgentPreferences.pending, is: 0)
        #expect(Self.preference(in: await sandbox.state) == "opt_in")
        #expect(try await shown(agent.account) == .string("opt_in"))
    }

    @Test("Switching a category off and on again keeps the settings of its channels", .builtAgent())
    func channelSettings() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        func optedOut() async -> [String] {
            let category = await sandbox.inbox("anna").preferences.category("refund-news")
            return (category?["channels"]?.array ?? []).filter { $0["preference"] == "opt_out" }
                .compactMap { $0["channel"]?.string }
        }
        #expect(try await shown(agent.account) == .string("opt_in"))
        #expect(await optedOut() == ["whatsapp"])
        // The result of the first change is unknown: the second one is sent although it sets the last confirmed value.
        await sandbox.inject(.status(503, method: "GET", path: Self.paths, times: 100))
        await sandbox.inject(RequestFault(.close, method: "PATCH", path: Self.paths))
        try await agent.account.call(AgentPreferences.setCategory, "refund-news", "opt_out")
        await #expect(throws: DBusError.self) { try await agent.account.call(AgentPreferences.flush) }
        try await agent.account.call(AgentPreferences.setCategory, "refund-news", "opt_in")
        try await agent.account.call(AgentPreferences.flush)
        try await sandbox.execute("clear-faults")
        #expect(await optedOut() == ["whatsapp"])
        for words in [["on"], ["inbox", "off"], ["inbox", "on"]] {
            let arguments = ["preferences", "set", "refund-news"] + words + ["--wait"]
            #expect(try await Programs.run("feedbell", arguments).status == .exited(0))
        }
        #expect(await optedOut() == ["whatsapp"])
        let category = await sandbox.inbox("anna").preferences.category("refund-news")
        #expect(category?["preference"] == "opt_in")
        // Switching it on when it was off is meant to switch its channels on.
        for words in [["off"], ["on"]] {
            let arguments = ["preferences", "set", "refund-news"] + words + ["--wait"]
            #expect(try await Programs.run("feedbell", arguments).status == .exited(0))
        }
        #expect(await optedOut() == ["androidpush", "email"])
    }

    /// Killed between the answer and the request, a moment after the answer, and in the middle of the request.
    @Test(
        "Acknowledged changes of preferences survive a kill",
        .sandbox(users: ["anna"]),
        arguments: [0, 300, 1_000, 1_010] as [Int]
    ) func killed(milliseconds: Int)
        async throws
    {
        let sandbox = Sandbox.current
        try await TemporaryFile.with(AgentConfiguration.account(url: sandbox.baseURL)) { file in
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await agent.account.call(AgentPreferences.setCategory, "refund-news", "opt_out")
                try await agent.account.call(AgentPreferences.setChannel, "email", "required")
                try await Task.sleep(for: .milliseconds(milliseconds))
                agent.program.send(SIGKILL)
                await agent.program.ended()
            }
            try await BuiltAgent.keepingState(beside: file) { agent in
                _ = try await sandbox.wait { state in
                    let levels = state.service[InboxKey(user: "anna")].preferences.channels.array ?? []
                    let isRequired = levels.contains { $0["channel"] == "email" && $0["is_restricted"] == true }
                    return isRequired && Self.preference(in: state) == "opt_out" ? true : nil
                }
                try await agent.account.wait(AgentPreferences.pending, is: 0)
            }
        }
        #expect(await changes(sandbox).count <= 4, "each once, and once more where the confirmation was not noted")
    }

    @Test(
        "Acknowledged changes of a digest schedule and a property survive a kill",
        .sandbox(users: ["anna"])
    )
    func killedWithDetails() async throws {
        let sandbox = Sandbox.current
        try await TemporaryFile.with(AgentConfiguration.account(url: sandbox.baseURL)) { file in
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await agent.account.call(AgentPreferences.setDigest, "builds", ["time": .string("07:30")])
                try await agent.account.call(AgentPreferences.setProperty, "builds", "branches", Value(["release"]))
                agent.program.send(SIGKILL)
                await agent.program.ended()
            }
            try await BuiltAgent.keepingState(beside: file) { agent in
                let builds = try await sandbox.wait { state in
                    let builds = state.service[InboxKey(user: "anna")].preferences.category("builds")
                    return builds?["properties"]?.array?.last?["value"] == ["release"] ? builds : nil
                }
                #expect(builds["digest_schedule"]?["time"]?["value"] == "07:30")
                try await agent.account.wait(AgentPreferences.pending, is: 0)
            }
        }
        #expect(await sandbox.violations.isEmpty)
    }
}
