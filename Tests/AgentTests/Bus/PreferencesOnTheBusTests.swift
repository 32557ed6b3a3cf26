import Agent
import AgentInterface
import DBus
import Inbox
import TestSupport
import Testing

@Suite(.sessionBus, .timeLimit(.minutes(1))) struct PreferencesOnTheBusTests {
    private func withPreferences(
        _ body: @Sendable (RunningAgent, FakePreferences, Proxy) async throws -> Void
    ) async throws {
        try await RunningAgent.with { agent in
            try await body(agent, agent.provider().fakePreferences, agent.account())
        }
    }

    @Test func categoriesAndChannels() async throws {
        try await withPreferences { (_, _, account) async throws in
            #expect(
                try await account.call(AgentPreferences.list) == [
                    [
                        "section": .string("Offers"), "section-description": .string("Deals"),
                        "category": .string("refund-news"), "name": .string("Refund news"),
                        "description": .string("Refund status"), "preference": .string("opt_in"),
                        "editable": .bool(false), "channels": Value([Structure("inbox", "opt_out", true)]),
                    ]
                ]
            )
            #expect(
                try await account.call(AgentPreferences.listChannels) == [
                    Structure("email", "required"), Structure("inbox", "all"),
                ]
            )
        }
    }

    @Test func changes() async throws {
        try await withPreferences { _, preferences, account in
            try await account.call(AgentPreferences.setCategory, "refund-news", "opt_out")
            try await account.call(AgentPreferences.setCategoryChannel, "refund-news", "inbox", "opt_in")
            try await account.call(AgentPreferences.setChannel, "email", "all")
            try await account.call(AgentPreferences.flush)
            try await account.call(AgentPreferences.refresh)
            #expect(
                await preferences.changes == [
                    .category("refund-news", isOn: false), .channel("inbox", inCategory: "refund-news", isOn: true),
                    .overall(channel: "email", onlyRequired: false),
                ]
            )
            #expect(await preferences.refreshes == 1)
        }
    }

    @Test func refusals() async throws {
        try await withPreferences { _, preferences, account in
            func error(_ body: () async throws -> Void) async -> DBusError? {
                await #expect(throws: DBusError.self) { try await body() }
            }
            let odd = await error { try await account.call(AgentPreferences.setCategory, "refund-news", "on") }
            #expect(odd?.name == .invalidArgs && odd?.message.contains("\"on\"") == true)
            #expect(
                await error { try await account.call(AgentPreferences.setChannel, "email", "none") }?.name
                    == .invalidArgs
            )
            await preferences.fail(ProviderFailure(.notEditable, "It is fixed."), ProviderFailure(.transient, "down"))
            let fixed = await error { try await account.call(AgentPreferences.setCategory, "refund-news", "opt_out") }
            #expect(fixed?.name == AgentErrors.notEditable && fixed?.message == "It is fixed.")
            #expect(await error { _ = try await account.call(AgentPreferences.list) }?.name == AgentErrors.offline)
            #expect(await preferences.changes.isEmpty)
        }
    }

    @Test func signalsAndPending() async throws {
        try await withPreferences { agent, preferences, account in
            let signals = try await account.signals(of: AgentPreferences.self)
            await preferences.set(pending: 2)
            preferences.send(.updated)
            try await agent.wait(AgentPreferences.pending, account, is: 2)
            preferences.send(.failed(target: "refund-news", ProviderFailure(.rejected, "No.")))
            var iterator = signals.makeAsyncIterator()
            #expect(await iterator.next()?.member == AgentPreferences.updated.name)
            let failed = try #require(await iterator.next())
            let (target, error, message) = try #require(try AgentPreferences.updateFailed.decode(failed))
            #expect(target == "refund-news" && error == AgentErrors.rejected.text && message == "No.")
        }
    }
}
