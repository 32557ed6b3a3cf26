import Agent
import AgentInterface
import Basics
import DBus
import Inbox
import TestSupport
import Testing

/// Digest schedules, properties, and the signal of what changed.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct PreferenceDetailsTests {
    private func withPreferences(
        store: StateStore = StateStore(),
        clock: any Clock<Duration> = ManualClock(),
        _ body: @Sendable (InProcessAgent, FakePreferences, Proxy) async throws -> Void
    ) async throws {
        try await InProcessAgent.with(environment: AgentEnvironment(clock: clock), store: store) { agent in
            try await body(agent, agent.service().fakePreferences, agent.account)
        }
    }

    /// The second category, which has a digest schedule and properties.
    private func builds(_ account: Proxy) async throws -> CategoryRecord {
        CategoryRecord(try #require(try await account.call(AgentPreferences.list).last))
    }

    private func minutes(_ category: CategoryRecord) -> Value? {
        category.properties.map(PropertyRecord.init).first { $0.id == "min_minutes" }?.value
    }

    @Test("A digest schedule and properties are changed in the request of their category") func changes() async throws {
        try await withPreferences { _, preferences, account in
            try await account.call(AgentPreferences.setDigest, "builds", ["time": .string("07:30")])
            try await account.call(AgentPreferences.setDigest, "builds", ["weekdays": Value(["mo", "th"])])
            try await account.call(AgentPreferences.setProperty, "builds", "min_minutes", Value(UInt32(10)))
            try await account.call(AgentPreferences.setProperty, "builds", "branches", Value(["release"]))
            #expect(try await account.get(AgentPreferences.pending) == 4)
            let shown = try await builds(account)
            let digest = DigestRecord(shown.digest)
            #expect(digest.time == "07:30" && digest.weekdays == ["mo", "th"] && digest.isSelected)
            #expect(minutes(shown) == .int64(10))
            try await account.call(AgentPreferences.flush)
            var applied = preferences.applied.makeAsyncIterator()
            #expect(
                await applied.next() == [
                    .digest(.init(id: "weekly", time: "07:30"), inCategory: "builds"),
                    .digest(.init(id: "weekly", weekdays: ["mo", "th"]), inCategory: "builds"),
                    .property("min_minutes", .integer(10), inCategory: "builds"),
                    .property("branches", .list(["release"]), inCategory: "builds"),
                ]
            )
            #expect(try await builds(account) == shown)
        }
    }

    @Test(
        "An invalid digest schedule is rejected",
        arguments: [
            ("refund-news", ["time": .string("09:00")], AgentErrors.notSupported, "no digest schedule"),
            ("nope", ["time": .string("09:00")], AgentErrors.notFound, "\"nope\""),
            (
                "builds", ["start": .string("2026-01-01")], AgentErrors.notEditable,
                "What can be changed: time, weekdays."
            ),
            ("builds", ["monthdays": Value([DigestMonthDay(1)])], AgentErrors.notEditable, "\"monthdays\""),
            ("builds", [:], .invalidArgs, "empty"), ("builds", ["tine": .string("09:00")], .invalidArgs, "\"tine\""),
            ("builds", ["time": .uint32(9)], .invalidArgs, "time"),
            ("builds", ["time": .string("9:00")], .invalidArgs, "\"9:00\""),
            ("builds", ["time": .string("24:00")], .invalidArgs, "\"24:00\""),
            ("builds", ["id": .string("")], .invalidArgs, "no id"),
            ("builds", ["weekdays": Value(["monday"])], .invalidArgs, "\"monday\""),
            ("builds", ["weekdays": Value(["mo", "mo"])], .invalidArgs, "twice"),
            ("builds", ["weekdays": Value([String]())], .invalidArgs, "no weekday"),
            ("builds", ["monthdays": Value([DigestMonthDay(32)])], .invalidArgs, "32"),
            ("builds", ["monthdays": Value([DigestMonthDay(1, weekdays: ["xx"])])], .invalidArgs, "\"xx\""),
            ("builds", ["start": .string("next week")], .invalidArgs, "\"next week\""),
        ] as [(String, [String: Value], ErrorName, String)]
    )
    func invalidDigest(category: String, schedule: [String: Value], name: ErrorName, part: String) async throws {
        try await withPreferences { (_, _, account) async throws in
            let error = await #expect(throws: DBusError.self) {
                try await account.call(AgentPreferences.setDigest, category, schedule)
            }
            #expect(error?.name == name)
            #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
            #expect(try await account.get(AgentPreferences.pending) == 0)
        }
    }

    @Test(
        "An invalid value of a property is rejected",
        arguments: [
            ("builds", "nope", .int64(1), AgentErrors.notFound, "Its properties: min_minutes, branches, owner."),
            ("refund-news", "x", .int64(1), AgentErrors.notFound, "It has none."),
            ("builds", "owner", .string("bob"), AgentErrors.notEditable, "\"owner\""),
            ("builds", "min_minutes", .string("5"), .invalidArgs, "an integer"),
            ("builds", "branches", .string("main"), .invalidArgs, "a list of texts"),
            ("builds", "branches", Value(["main", "dev"]), .invalidArgs, "Its values: main, release."),
            ("builds", "min_minutes", .double(5), .invalidArgs, "type \"d\""),
            ("builds", "min_minutes", .uint64(.max), .invalidArgs, "type \"t\""),
            ("builds", "owner", .string(String(repeating: "x", count: 5000)), .invalidArgs, "5000 bytes"),
        ] as [(String, String, Value, ErrorName, String)]
    )
    func invalidProperty(category: String, property: String, value: Value, name: ErrorName, part: String) async throws {
        try await withPreferences { (_, _, account) async throws in
            let error = await #expect(throws: DBusError.self) {
                try await account.call(AgentPreferences.setProperty, category, property, value)
            }
            #expect(error?.name == name)
            #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
            #expect(try await account.get(AgentPreferences.pending) == 0)
        }
    }

    /// The categories of the signal `Updated`; nil: another signal.
    private static func updated(_ signal: Message?) throws -> [CategoryRecord]? {
        try signal.flatMap { try AgentPreferences.updated.decode($0) }?.map(CategoryRecord.init)
    }

    @Test("Updated has exactly the categories that changed") func updated() async throws {
        try await withPreferences { _, preferences, account in
            var signals = try await account.signals(of: AgentPreferences.self).makeAsyncIterator()
            try await account.call(AgentPreferences.setCategory, "refund-news", "opt_out")
            let local = try Self.updated(await signals.next())
            #expect(local?.map(\.id) == ["refund-news"] && local?.first?.preference == .off)
            let listed = try await account.call(AgentPreferences.list).first
            #expect(local?.first?.values == listed)

            try await account.call(AgentPreferences.setProperty, "builds", "min_minutes", Value(Int64(7)))
            #expect(try Self.updated(await signals.next())?.map(\.id) == ["builds"])
            try await account.call(AgentPreferences.flush)
            try await account.call(AgentPreferences.refresh)

            // Confirmed as shown: no signal. The next one is that of a change elsewhere.
            await preferences.changeElsewhere { $0.categories[1].isOn = true }
            let elsewhere = try Self.updated(await signals.next())
            #expect(elsewhere?.map(\.id) == ["builds"] && elsewhere?.first?.preference == .on)
            await preferences.changeElsewhere { $0.categories.removeLast() }
            #expect(try Self.updated(await signals.next())?.isEmpty == true, "a category is gone")
        }
    }

    @Test("A rejected digest schedule is reverted: UpdateFailed, then Updated with the old value")
    func rejectedDigest() async throws {
        try await withPreferences { _, preferences, account in
            var signals = try await account.signals(of: AgentPreferences.self).makeAsyncIterator()
            await preferences.fail(ServiceFailure(.rejected, "No."))
            try await account.call(AgentPreferences.setDigest, "builds", ["time": .string("07:30")])
            let local = try AgentPreferences.updated.decode(try #require(await signals.next()))
            #expect(local?.map { DigestRecord(CategoryRecord($0).digest).time } == ["07:30"])
            await #expect(throws: DBusError.self) { try await account.call(AgentPreferences.flush) }
            let failed = try AgentPreferences.updateFailed.decode(try #require(await signals.next()))
            #expect(failed?.0 == "builds" && failed?.1 == AgentErrors.rejected.text && failed?.2 == "No.")
            let reverted = try AgentPreferences.updated.decode(try #require(await signals.next()))
            #expect(reverted?.map { DigestRecord(CategoryRecord($0).digest).time } == ["09:00"])
        }
    }
}
