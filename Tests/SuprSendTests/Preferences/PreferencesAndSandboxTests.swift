import ClientKit
import Logging
import Sandbox
import TestSupport
import Testing

@testable import SuprSend

/// Preferences over HTTP against the stand-in, with both families of URLs.
@Suite(.timeLimit(.minutes(5))) struct PreferencesAndSandboxTests {
    private func withPreferences(
        _ routes: PreferenceRoutes,
        _ body: (SuprSendClient, Sandbox) async throws -> Void
    ) async throws {
        let user = "team/anna+b ü"
        let options = SandboxOptions(users: [user], tenants: ["default", "acme"], requireToken: true)
        try await Sandbox.with(options) { sandbox in
            let url = sandbox.baseURL
            let client = try SuprSendClient(
                publicKey: options.publicKey,
                hosts: Hosts(hub: url, api: url, socket: url),
                preferenceRoutes: routes
            )
            let token = try await sandbox.token(for: Recipient(user, tenant: "acme"))
            try await client.identify(user, userToken: token, tenantID: "acme", createUser: false)
            try await body(client, sandbox)
            await client.shutdown()
            #expect(await sandbox.violations.isEmpty)
            // The preferences shown are those of the service.
            let truth = await sandbox.inbox(user, tenant: "acme").preferences.full.text
            #expect(try await client.preferences.data == preferences(truth))
        }
    }

    @Test("Every call works in both route families", arguments: [PreferenceRoutes.subscriber, .user]) func everyCall(
        routes: PreferenceRoutes
    ) async throws {
        try await withPreferences(routes) { client, sandbox async throws in
            let preferences = client.preferences
            let args = PreferenceArgs(tags: .not(.or(["a/b", "c d"])), locale: "fr-CA")
            let data = try await preferences.getPreferences(args: args)
            #expect(data.sections?.map(\.name) == ["Offers", "Operations", nil])
            #expect(try await preferences.getCategories(args: args, limit: 3).categories.count == 3)
            #expect(try await preferences.getCategory("builds").digestSchedule?.id == "weekly")
            #expect(try await preferences.getOverallChannelPreferences().count == 4)

            try await preferences.updateCategoryPreference(category: "builds", preference: .optIn)
            try await preferences.updateChannelPreferenceInCategory(
                channel: "inbox",
                preference: .optOut,
                category: "maintenance"
            )
            try await preferences.updateOverallChannelPreference(channel: "email", preference: .required)
            try await preferences.updateDigestScheduleInCategory(
                category: "builds",
                digestSchedule: .init(id: "weekly", time: "07:15", weekdays: [.monday, .thursday])
            )
            try await preferences.updatePropertiesInCategory(
                category: "builds",
                properties: [.init(key: "min_minutes", value: 12), .init(key: "branches", value: ["release"])]
            )
            #expect(await preferences.pending == 5)
            try await preferences.flush()
            let shown = try #require(await preferences.data)
            #expect(shown.category("builds")?.preference == .optIn)
            #expect(shown.category("builds")?.properties.map(\.value) == [12, ["release"]])
            #expect(shown.category("maintenance")?.channels.last?.preference == .optOut)
            #expect(shown.channel("email")?.level == .required)

            let paths = Set(await sandbox.requests.map(\.path))
            let base = routes == .user ? "/v1/user/" : "/v2/subscriber/"
            #expect(paths.allSatisfy { $0.hasPrefix(base + "team%2Fanna%2Bb%20%C3%BC/") && $0.hasSuffix("/") })
            await #expect(throws: SuprSendError.self) { try await preferences.getCategory("nope") }
        }
    }

    /// With the real clock.
    @Test("A running client sends a change without flush()") func sentWhileRunning() async throws {
        try await withPreferences(.subscriber) { client, sandbox async throws in
            try await client.preferences.getPreferences()
            let events = await client.preferences.events()
            await withThrowingTaskGroup { group in
                group.addTask { await client.run() }
                _ = try? await client.preferences.updateCategoryPreference(category: "mentions", preference: .optOut)
                guard case .preferencesUpdated(let data)? = await events.first(where: { _ in true }) else {
                    Issue.record("no update")
                    return
                }
                #expect(data.category("mentions")?.preference == .optOut)
                group.cancelAll()
            }
        }
    }

    @Test(
        "Of two quick changes of one category the last one counts",
        arguments: [PreferenceRoutes.subscriber, .user]
    )
    func quickChanges(routes: PreferenceRoutes) async throws {
        try await withPreferences(routes) { client, sandbox async throws in
            let preferences = client.preferences
            try await preferences.getPreferences()
            try await preferences.updateCategoryPreference(category: "refund-news", preference: .optOut)
            try await preferences.updateChannelPreferenceInCategory(
                channel: "inbox",
                preference: .optIn,
                category: "refund-news"
            )
            try await preferences.updateOverallChannelPreference(channel: "email", preference: .required)
            try await preferences.flush()
            let category = try #require(await preferences.data?.category("refund-news"))
            #expect(category.preference == .optIn)
            #expect(category.channels.first { $0.channel == "inbox" }?.preference == .optIn)
            #expect(await sandbox.requests.count { $0.method == "PATCH" } == 2, "one for each target")
        }
    }

    private func states(_ category: PreferenceCategory?) -> [String] {
        category?.channels.filter { $0.preference == .optOut }.map(\.channel) ?? ["no category"]
    }

    @Test(
        "A digest or a property leaves the channels as they are, loaded or not",
        arguments: [PreferenceRoutes.subscriber, .user],
        [true, false]
    )
    func detailsLeaveTheChannels(routes: PreferenceRoutes, isLoadedWhole: Bool) async throws {
        try await withPreferences(routes) { client, sandbox async throws in
            let preferences = client.preferences
            try await preferences.getPreferences()
            try await preferences.updateChannelPreferenceInCategory(
                channel: "inbox",
                preference: .optIn,
                category: "builds"
            )
            try await preferences.flush()
            try await preferences.getPreferences(args: PreferenceArgs(showOptOutChannels: isLoadedWhole))
            #expect(await states(preferences.data?.category("builds")) == (isLoadedWhole ? ["email"] : []))
            try await preferences.updateDigestScheduleInCategory(
                category: "builds",
                digestSchedule: .init(id: "weekly", time: "07:15")
            )
            try await preferences.flush()
            try await preferences.updatePropertiesInCategory(
                category: "builds",
                properties: [.init(key: "min_minutes", value: 12)]
            )
            // Off and on again within a second changes no other channels, either.
            try await preferences.updateCategoryPreference(category: "refund-news", preference: .optOut)
            try await preferences.updateCategoryPreference(category: "refund-news", preference: .optIn)
            try await preferences.flush()
            let kept = try await client.preferences.getPreferences(args: PreferenceArgs(showOptOutChannels: true))
            #expect(states(kept.category("builds")) == ["email"])
            #expect(states(kept.category("refund-news")) == ["whatsapp"])
            #expect(kept.category("builds")?.digestSchedule?.time?.value == "07:15")
            #expect(kept.category("builds")?.properties.first?.value == 12)
        }
    }

    @Test("A change of a channel leaves those that were not loaded as they are")
    func channelsThatWereNotLoaded() async throws {
        try await withPreferences(.subscriber) { client, sandbox async throws in
            let preferences = client.preferences
            try await preferences.getPreferences(args: PreferenceArgs(showOptOutChannels: false))
            try await preferences.updateChannelPreferenceInCategory(
                channel: "inbox",
                preference: .optOut,
                category: "refund-news"
            )
            try await preferences.flush()
            let kept = try await preferences.getPreferences(args: PreferenceArgs(showOptOutChannels: true))
            #expect(states(kept.category("refund-news")) == ["inbox", "whatsapp"])
        }
    }

    private static let faults: [RequestFault] = [
        .status(500, method: "PATCH"), .status(500, method: "PATCH", applied: true),
        RequestFault(.close, method: "PATCH"), RequestFault(.close, method: "PATCH", applied: true),
        RequestFault(.closeMidBody, method: "PATCH", applied: true), RequestFault(.reset, method: "PATCH"),
        RequestFault(.respond(.bare(400, "validation failed")), method: "PATCH"),
    ]

    @Test(
        "After a failed change the service's value is shown, and the next change succeeds",
        arguments: [PreferenceRoutes.subscriber, .user],
        faults
    )
    func requestFaults(routes: PreferenceRoutes, fault: RequestFault) async throws {
        try await withPreferences(routes) { client, sandbox async throws in
            let preferences = client.preferences
            try await preferences.getPreferences()
            let events = await preferences.events()
            await sandbox.inject(fault)
            try await preferences.updateCategoryPreference(category: "mentions", preference: .optOut)
            await withTaskGroup { group in
                group.addTask { await client.run() }
                let error = await events.first { if case .preferencesError = $0 { true } else { false } }
                guard case .preferencesError(let error, target: .category("mentions"))? = error else {
                    Issue.record("no error")
                    return
                }
                #expect([.serverFailure, .unreachable, .unexpectedAnswer, .rejected].contains(error.kind))
                // After an unknown result the preferences are loaded again.
                if error.kind != .rejected { _ = await events.next() }
                group.cancelAll()
            }
            let wasDone = fault.applied
            #expect(
                await preferences.data?.category("mentions")?.preference == (wasDone ? .optOut : .optIn),
                "\(fault)"
            )
            // The next change succeeds.
            try await preferences.updateChannelPreferenceInCategory(
                channel: "inbox",
                preference: wasDone ? .optIn : .optOut,
                category: "mentions"
            )
            try await preferences.flush()
        }
    }
}
