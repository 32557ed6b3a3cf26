import AgentInterface
import Basics
import DBus
import Inbox
import TestSupport
import Testing

@testable import Agent

@Suite(.sessionBus, .timeLimit(.minutes(5))) struct PreferencesOnTheBusTests {
    private static let one = PreferenceChange.category("refund-news", isOn: false)

    /// The second category as `List` returns it.
    private static let builds: [String: Value] = [
        "section": .string(""), "section-description": .string(""), "category": .string("builds"),
        "name": .string("Builds"), "description": .string(""), "preference": .string("opt_out"),
        "editable": .bool(true), "channels": Value([Structure<String, String, Bool>]()),
        "digest": Value(
            [
                "id": .string("weekly"), "label": .string("Weekly"), "frequency": .string("weekly"),
                "interval": .uint32(1), "default": .bool(true), "selected": .bool(false), "time": .string("09:00"),
                "start": .string("2025-08-04"), "weekdays": Value(["mo"]), "editable": Value(["time", "weekdays"]),
            ] as [String: Value]
        ),
        "properties": Value(
            [
                [
                    "property": .string("min_minutes"), "label": .string("Shortest build"), "type": .string("integer"),
                    "value": .int64(5), "choices": Value([Structure<String, Value>]()), "editable": .bool(true),
                    "optional": .bool(false), "overridden": .bool(false),
                ],
                [
                    "property": .string("branches"), "label": .string(""), "type": .string("list"),
                    "default": Value(["main"]),
                    "choices": Value([Structure("Main", Value("main")), Structure("Release", Value("release"))]),
                    "editable": .bool(true), "optional": .bool(true), "overridden": .bool(false),
                ],
                [
                    "property": .string("owner"), "label": .string(""), "type": .string("string"),
                    "value": .string("anna"), "choices": Value([Structure<String, Value>]()), "editable": .bool(false),
                    "optional": .bool(false), "overridden": .bool(true),
                ],
            ] as [[String: Value]]
        ),
    ]

    private func withPreferences(
        store: StateStore = StateStore(),
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: @Sendable (InProcessAgent, FakePreferences, Proxy) async throws -> Void
    ) async throws {
        try await InProcessAgent.with(environment: AgentEnvironment(clock: clock), store: store) { agent in
            try await body(agent, agent.service().fakePreferences, agent.account)
        }
    }

    private func error(_ body: () async throws -> Void) async -> DBusError? {
        await #expect(throws: DBusError.self) { try await body() }
    }

    /// The preference of the only category and its channels, as `List` returns them.
    private func shown(_ account: Proxy) async throws -> [Value?] {
        let category = try #require(try await account.call(AgentPreferences.list).first)
        return [category["preference"], category["channels"]]
    }

    @Test("List and ListChannels return the loaded preferences") func categoriesAndChannels() async throws {
        try await withPreferences { (_, _, account) async throws in
            #expect(
                try await account.call(AgentPreferences.list) == [
                    [
                        "section": .string("Offers"), "section-description": .string("Deals"),
                        "category": .string("refund-news"), "name": .string("Refund news"),
                        "description": .string("Refund status"), "preference": .string("opt_in"),
                        "editable": .bool(true),
                        "channels": Value([Structure("inbox", "opt_out", true), Structure("email", "opt_in", false)]),
                        "digest": Value([String: Value]()), "properties": Value([[String: Value]]()),
                    ],
                    Self.builds,
                ]
            )
            #expect(
                try await account.call(AgentPreferences.listChannels) == [
                    Structure("email", "required"), Structure("inbox", "all"),
                ]
            )
        }
    }

    /// Those of a category go together when nothing more comes for a second; what shows at once is what was wanted.
    @Test("Changes of one category are sent together after a second, and show at once") func changes() async throws {
        let clock = ManualClock()
        try await withPreferences(clock: clock) { agent, preferences, account in
            try await account.call(AgentPreferences.setCategory, "refund-news", "opt_out")
            try await account.call(AgentPreferences.setCategoryChannel, "refund-news", "inbox", "opt_in")
            try await account.call(AgentPreferences.setChannel, "email", "all")
            #expect(try await account.get(AgentPreferences.pending) == 3)
            #expect(
                try await shown(account) == [
                    .string("opt_in"),
                    Value([Structure("inbox", "opt_in", true), Structure("email", "opt_in", false)]),
                ]
            )
            #expect(try await account.call(AgentPreferences.listChannels).map(\.elements.1) == ["all", "all"])
            // Each change begins a wait of its own, and the last one counts.
            await clock.sleepers(3, for: .seconds(1))
            clock.advance(by: .seconds(1))
            var applied = preferences.applied.makeAsyncIterator()
            let requests: Set = [await applied.next(), await applied.next()]
            #expect(
                requests == [
                    [Self.one, .channel("inbox", inCategory: "refund-news", isOn: true)],
                    [.overall(channel: "email", onlyRequired: false)],
                ]
            )
            try await account.wait(AgentPreferences.pending, is: 0)
            #expect(await preferences.loads == 2, "once more after the change of a channel's level")
            try await account.call(AgentPreferences.refresh)
            #expect(await preferences.loads == 3)
        }
    }

    @Test("Invalid changes of preferences fail at once") func invalidArguments() async throws {
        try await withPreferences { (_, preferences, account) async throws in
            let down = ServiceFailure(.transient, "down")
            await preferences.failLoading(down, down)
            #expect(await error { _ = try await account.call(AgentPreferences.list) }?.name == AgentErrors.offline)
            let offline = await error {
                try await account.call(AgentPreferences.setCategory, "refund-news", "opt_out")
            }
            #expect(offline?.name == AgentErrors.offline)
            let invalid = await error { try await account.call(AgentPreferences.setCategory, "refund-news", "on") }
            #expect(invalid?.name == .invalidArgs && invalid?.message.contains("\"on\"") == true)
            #expect(
                await error { try await account.call(AgentPreferences.setChannel, "email", "none") }?.name
                    == .invalidArgs
            )
            let fixed = await error {
                try await account.call(AgentPreferences.setCategoryChannel, "refund-news", "email", "opt_out")
            }
            #expect(fixed?.name == AgentErrors.notEditable)
            #expect(
                fixed?.message == "Cannot change the channel \"email\" of \"refund-news\": the sender requires it."
            )
            let unknown = await error { try await account.call(AgentPreferences.setCategory, "nope", "opt_out") }
            #expect(unknown?.name == AgentErrors.notFound)
            #expect(try await account.get(AgentPreferences.pending) == 0)
        }
    }

    @Test("A refused change of preferences is reverted and reported")
    func refusedChange() async throws {
        let store = StateStore()
        try await withPreferences(store: store) { agent, preferences, account in
            let signals = try await account.signals(of: AgentPreferences.self)
            await preferences.fail(ServiceFailure(.rejected, "No."))
            try await account.call(AgentPreferences.setCategory, "refund-news", "opt_out")
            let refused = await error { try await account.call(AgentPreferences.flush) }
            #expect(refused?.name == AgentErrors.rejected && refused?.message == "No.")
            #expect(try await shown(account).first == .string("opt_in"))
            #expect(try await account.get(AgentPreferences.pending) == 0)
            #expect(try await store.rows(in: .preferences, of: "work").isEmpty)
            var members: [MemberName?] = []
            let failure = try await signals.pick { signal in
                members.append(signal.member)
                return try AgentPreferences.updateFailed.decode(signal)
            }
            let (target, error, message) = try #require(failure)
            #expect(target == "refund-news" && error == AgentErrors.rejected.text && message == "No.")
            #expect(members == [AgentPreferences.updated.name, AgentPreferences.updateFailed.name])
            try await account.call(AgentPreferences.flush)
        }
    }

    /// A change that could not be sent is kept across a restart, shown, and sent.
    @Test("Pending changes of preferences are sent after a restart")
    func pendingChanges() async throws {
        let store = StateStore()
        let down = ServiceFailure(.transient, "The service is down.")
        try await withPreferences(store: store, clock: ManualClock()) { _, preferences, account in
            await preferences.fail(down, ServiceFailure(.unauthorized, "Who are you?"))
            try await account.call(AgentPreferences.setCategory, "refund-news", "opt_out")
            try await account.call(AgentPreferences.setChannel, "inbox", "required")
            try await account.call(AgentPreferences.setChannel, "inbox", "all")
            let offline = await error { try await account.call(AgentPreferences.flush) }
            #expect([AgentErrors.offline, AgentErrors.unauthorized].contains(offline?.name))
            #expect(offline?.message.hasSuffix(" The changes are kept and retried.") == true)
            #expect(try await shown(account).first == .string("opt_out"))
            #expect(try await account.get(AgentPreferences.pending) == 2)
            #expect(
                try await store.rows(in: .preferences, of: "work").map { [$0.method] + $0.arguments } == [
                    ["SetCategory", "refund-news", "opt_out"], ["SetChannel", "inbox", "all"],
                ]
            )
        }
        try await store.replace(
            [],
            by: [.init(number: 1 << 40, method: "FromTheFuture", arguments: [])],
            in: .preferences,
            of: "work"
        )
        try await store.replace(
            [],
            by: [.init(number: 1, method: "SetChannel", arguments: ["inbox", "required"])],
            in: .preferences,
            of: "bob"
        )
        try await withPreferences(store: store) { agent, preferences, account in
            var applied = preferences.applied.makeAsyncIterator()
            let requests: Set = [await applied.next(), await applied.next()]
            #expect(requests == [[Self.one], [.overall(channel: "inbox", onlyRequired: false)]])
            try await account.wait(AgentPreferences.pending, is: 0)
            #expect(try await shown(account).first == .string("opt_out"))
            #expect(try await store.rows(in: .preferences, of: "work").map(\.method) == ["FromTheFuture"])
            #expect(try await store.rows(in: .preferences, of: "bob").count == 1)
        }
    }

    /// A change that is no longer possible after a restart is reverted, and the others of the category are sent.
    @Test("A restored change that is no longer possible is reverted")
    func impossibleChange() async throws {
        let store = StateStore()
        let rows: [StateStore.OutboxRow] = [
            .init(number: 1, method: "SetCategoryChannel", arguments: ["refund-news", "email", "opt_out"]),
            .init(number: 2, method: "SetCategoryChannel", arguments: ["refund-news", "inbox", "opt_in"]),
            .init(number: 3, method: "SetCategory", arguments: ["gone", "opt_in"]),
        ]
        try await store.replace([], by: rows, in: .preferences, of: "work")
        try await withPreferences(store: store) { agent, preferences, account in
            var applied = preferences.applied.makeAsyncIterator()
            #expect(await applied.next() == [.channel("inbox", inCategory: "refund-news", isOn: true)])
            try await account.wait(AgentPreferences.pending, is: 0)
            #expect(try await store.rows(in: .preferences, of: "work").isEmpty)
        }
    }

    @Test("Preferences are loaded again when they are older than a minute and the account is online")
    func reload() async throws {
        let clock = ManualClock()
        try await withPreferences(clock: clock) { agent, preferences, account in
            _ = try await account.call(AgentPreferences.list)
            clock.advance(by: .seconds(61))
            _ = try await account.call(AgentPreferences.list)
            #expect(await preferences.loads == 1, "not online")
            try agent.service().send(.connection(Connection(state: .online, since: Timestamp(milliseconds: 1))))
            try await account.wait(AgentAccount.state, is: "online")
            async let channels = account.call(AgentPreferences.listChannels)
            _ = try await account.call(AgentPreferences.list)
            _ = try await channels
            #expect(await preferences.loads == 2, "callers at the same time share a request")
            clock.advance(by: .seconds(59))
            _ = try await account.call(AgentPreferences.list)
            #expect(await preferences.loads == 2)
            try await account.call(AgentPreferences.refresh)
            #expect(await preferences.loads == 3)
            clock.advance(by: .seconds(59))
            _ = try await account.call(AgentPreferences.list)
            #expect(await preferences.loads == 3)
        }
    }

    @Test("Preferences older than a minute are loaded again before a change is sent") func staleChange() async throws {
        let clock = ManualClock()
        try await withPreferences(clock: clock) { _, preferences, account in
            _ = try await account.call(AgentPreferences.list)
            await preferences.changeElsewhere(isReported: false) { $0.categories[0].channels[1].isOn = false }
            clock.advance(by: .seconds(61))
            try await account.call(AgentPreferences.setCategory, "refund-news", "opt_out")
            try await account.call(AgentPreferences.flush)
            #expect(await preferences.loads == 2)
            #expect(
                try await shown(account) == [
                    .string("opt_out"),
                    Value([Structure("inbox", "opt_out", true), Structure("email", "opt_out", false)]),
                ]
            )
        }
    }

    @Test("Loaded preferences are shown while a reload fails or takes long") func shownAsLoaded() async throws {
        let clock = ManualClock()
        try await withPreferences(clock: clock) { agent, preferences, account in
            try agent.service().send(.connection(Connection(state: .online, since: Timestamp(milliseconds: 1))))
            try await account.wait(AgentAccount.state, is: "online")
            let loaded = try await account.call(AgentPreferences.list)
            clock.advance(by: .seconds(61))
            await preferences.failLoading(ServiceFailure(.transient, "down"))
            #expect(try await account.call(AgentPreferences.list) == loaded)
            await preferences.holdLoad()
            async let shown = account.call(AgentPreferences.list)
            await clock.sleeper(for: .seconds(3))
            clock.advance(by: .seconds(3))
            #expect(try await shown == loaded)
            #expect(await preferences.loads == 3)
        }
    }
}
