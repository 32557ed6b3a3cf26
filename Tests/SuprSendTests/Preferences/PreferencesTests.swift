import ClientKit
import Sandbox
import TestSupport
import Testing

@testable import SuprSend

/// The actor: the times of requests, its events and its end, with the sandbox's rules and a manual clock.
@Suite(.timeLimit(.minutes(5))) struct PreferencesTests {
    let service = FakePreferences(tenants: ["default", "acme"])
    let clock = ManualClock()

    private func client() async throws -> SuprSendClient {
        let client = SuprSendClient(try .test(http: service, environment: environment(clock: clock)))
        try await client.identify("user-1", createUser: false)
        return client
    }

    private func loaded() async throws -> SuprSendClient {
        let client = try await client()
        try await client.preferences.getPreferences()
        return client
    }

    /// `androidpush email inbox whatsapp` of "refund-news", 1 for opted in.
    private func channels(_ data: PreferenceData?) -> String? {
        data?.category("refund-news")?.channels.map { $0.preference == .optIn ? "1" : "0" }.joined()
    }

    private func opt(_ preferences: Preferences, _ channel: String, _ preference: PreferenceOption)
        async throws(SuprSendError)
    {
        try await preferences.updateChannelPreferenceInCategory(
            channel: channel,
            preference: preference,
            category: "refund-news"
        )
    }

    // MARK: Examples with a clock

    @Test("Changes of a category within a second are one request") func mergedChanges() async throws {
        let client = try await loaded()
        try await withRunning(client) {
            try await opt(client.preferences, "inbox", .optOut)
            await clock.sleeper(for: .seconds(1))
            clock.advance(by: .milliseconds(400))
            try await opt(client.preferences, "whatsapp", .optIn)
            await clock.sleeper(for: .seconds(1))
            clock.advance(by: .milliseconds(500))
            try await client.preferences.updateCategoryPreference(category: "refund-news", preference: .optOut)
            await clock.sleeper(for: .seconds(1))
            clock.advance(by: .milliseconds(999))
            await clock.sleeper(for: .milliseconds(1))
            #expect(await service.count("PATCH") == 0)
            clock.advance(by: .milliseconds(1))
            try await client.preferences.flush()
        }
        #expect(await service.patches == [#"{"opt_out_channels":["inbox"],"preference":"opt_out"}"#])
        #expect(await channels(client.preferences.data) == "0000")
    }

    // MARK: Known mistakes of other clients

    @Test("Errors of any form are errors") func errorForms() async throws {
        let client = try await loaded()
        let before = await client.preferences.data
        for answer in [
            response(404, #"{"code":404,"message":"category 'nope' not found"}"#),
            response(200, #"{"status":"error","error":{"type":"X","message":"no"}}"#), response(200, "<html>"),
        ] {
            await service.fail("PATCH", .refused(.success(answer)))
            try await opt(client.preferences, "inbox", .optOut)
            await #expect(throws: SuprSendError.self) { try await client.preferences.flush() }
            #expect(await client.preferences.data == before)
            await service.fail("GET", .refused(.success(answer)))
            await #expect(throws: SuprSendError.self) { try await client.preferences.getPreferences() }
            #expect(await client.preferences.data == before)
        }
    }

    @Test("A false showOptOutChannels is sent in all requests") func falseIsSent() async throws {
        let client = try await client()
        try await client.preferences.getPreferences(args: .init(showOptOutChannels: false))
        try await opt(client.preferences, "inbox", .optOut)
        try await client.preferences.flush()
        _ = try await client.preferences.getCategories(args: .init(showOptOutChannels: false))
        _ = try await client.preferences.getCategory("builds", args: .init(showOptOutChannels: false))
        let urls = await service.requests.map(\.url)
        #expect(urls.count == 5)
        // The request with true loads the channels that the change must not switch on.
        #expect(urls.map { $0.contains("show_opt_out_channels=false") } == [true, false, true, true, true])
        #expect(urls[1].hasSuffix("/category/refund-news/?show_opt_out_channels=true"))
    }

    @Test("Each call returns what was requested") func returnValues() async throws {
        let client = try await client()
        let page = try await client.preferences.getCategories(limit: 2, offset: 1)
        #expect(page.categories.map(\.slug) == ["maintenance", "builds"])
        #expect((page.count, page.limit, page.offset) == (4, 2, 1))
        let category = try await client.preferences.getCategory("builds")
        #expect(category.digestSchedule?.frequency == .weekly)
        #expect(category.properties.map(\.key) == ["min_minutes", "branches"])
        let channels = try await client.preferences.getOverallChannelPreferences()
        #expect(channels.map(\.channel) == ["email", "inbox", "androidpush", "whatsapp"])
        // It returned no data, and a new listener receives no earlier event.
        #expect(await client.preferences.data == nil)
        try await client.preferences.getPreferences()
        try await opt(client.preferences, "inbox", .optOut)
        try await client.preferences.flush()
        let (first, second) = (await client.preferences.events(), await client.preferences.events())
        try await opt(client.preferences, "inbox", .optIn)
        try await client.preferences.flush()
        for events in [first, second] {
            guard case .preferencesUpdated(let data)? = await events.next() else {
                Issue.record("no update")
                return
            }
            #expect(self.channels(data) == "1110")
        }
    }

    // MARK: Overall channels, digests, properties

    @Test("A change of an overall channel loads the preferences again") func overallChangeReloads() async throws {
        let client = try await client()
        try await client.preferences.getPreferences(args: .init(tags: .text("all"), locale: "es"))
        let events = await client.preferences.events()
        try await client.preferences.updateOverallChannelPreference(channel: "email", preference: .required)
        // The service decides how categories change with it.
        await service.change { $0.sections = .array([]) }
        try await client.preferences.flush()
        #expect(await client.preferences.data?.sections == [])
        guard case .preferencesUpdated(let data)? = await events.next() else {
            Issue.record("no update")
            return
        }
        #expect(data.sections == [] && data.channel("email")?.level == .required)
        let urls = await service.requests.suffix(2).map(\.url)
        #expect(urls[0] == "https://hub.suprsend.com/v2/subscriber/user-1/channel_preference/")
        #expect(urls[1].hasSuffix("full_preference/?show_opt_out_channels=true&tags=all&locale=es"))
    }

    @Test("A change of overall channels is reported even if the reload fails")
    func overallChange() async throws {
        let client = try await loaded()
        let events = await client.preferences.events()
        try await client.preferences.updateOverallChannelPreference(channel: "email", preference: .required)
        await service.fail("GET", .refused(.unreachable))
        try await client.preferences.flush()
        guard case .preferencesUpdated(let data)? = await events.next() else {
            Issue.record("no update")
            return
        }
        #expect(data.channel("email")?.isRestricted == true)
    }

    @Test("Digests and properties are sent at once") func details() async throws {
        let client = try await loaded()
        let events = await client.preferences.events()
        try await withRunning(client) {
            try await client.preferences.updateDigestScheduleInCategory(
                category: "builds",
                digestSchedule: .init(id: "weekly", time: "18:00", weekdays: [.friday])
            )
            try await client.preferences.updatePropertiesInCategory(
                category: "builds",
                properties: [.init(key: "min_minutes", value: 30)]
            )
            _ = await events.next()
            _ = await events.next()
        }
        #expect(await client.preferences.data?.category("builds")?.digestSchedule?.time?.value == "18:00")
        #expect(try await client.preferences.data == service.truth())
    }

    @Test("A refused property is reverted") func refusedProperty() async throws {
        let client = try await loaded()
        try await client.preferences.updatePropertiesInCategory(
            category: "builds",
            properties: [.init(key: "branches", value: "no list")]
        )
        #expect(await client.preferences.data?.category("builds")?.properties.last?.value == "no list")
        let error = await #expect(throws: SuprSendError.self) { try await client.preferences.flush() }
        #expect(error?.kind == .serverFailure)
        #expect(try await client.preferences.data == service.truth())
    }

    // MARK: Flush

    @Test("flush() waits for changes in flight") func flushInFlight() async throws {
        let client = try await loaded()
        await service.hold("PATCH")
        try await withRunning(client) {
            try await opt(client.preferences, "inbox", .optOut)
            await clock.sleeper(for: .seconds(1))
            clock.advance(by: .seconds(1))
            await service.wait(for: "PATCH")
            try await opt(client.preferences, "whatsapp", .optIn)
            async let flushed: Void = client.preferences.flush()
            #expect(await client.preferences.pending == 2)
            await service.release()
            try await flushed
        }
        #expect(await client.preferences.pending == 0)
        #expect(await service.count("PATCH") == 2)
        #expect(try await channels(service.truth()) == "1101")
    }

    @Test("flush() throws the first failure and sends the other changes")
    func flushFailure() async throws {
        let client = try await loaded()
        await service.fail("PATCH", .refused(.success(response(403, #"{"code":403,"message":"no"}"#))))
        try await opt(client.preferences, "inbox", .optOut)
        try await client.preferences.updateCategoryPreference(category: "builds", preference: .optIn)
        try await client.preferences.updateOverallChannelPreference(channel: "email", preference: .required)
        let error = await #expect(throws: SuprSendError.self) { try await client.preferences.flush() }
        #expect(error?.kind == .forbidden)
        #expect(await service.count("PATCH") == 3)
        #expect(await client.preferences.pending == 0)
        #expect(try await client.preferences.data == service.truth())
    }

    @Test("flush() of one target sends only its changes and throws its failure") func flushOfOneTarget() async throws {
        let client = try await loaded()
        await service.fail("PATCH", .refused(.success(response(403, #"{"code":403,"message":"no"}"#))))
        try await opt(client.preferences, "inbox", .optOut)
        try await opt(client.preferences, "whatsapp", .optIn)
        try await client.preferences.updateCategoryPreference(category: "builds", preference: .optIn)
        let error = await #expect(throws: SuprSendError.self) {
            try await client.preferences.flush(.category("refund-news"))
        }
        #expect(error?.kind == .forbidden)
        #expect(await service.count("PATCH") == 1)
        #expect(await client.preferences.pending == 1)
        try await client.preferences.flush(.channel("email"))
        try await client.preferences.flush(.category("builds"), tenantID: "acme")
        #expect(await service.count("PATCH") == 1)
        try await client.preferences.flush(.category("builds"))
        #expect(await service.count("PATCH") == 2)
        #expect(await client.preferences.pending == 0)
    }

    /// The service did what it could not confirm. The shown value is the old one, and choosing it is no reason to send
    /// nothing.
    @Test("After an unknown result, a change back to the old value is sent")
    func unverified() async throws {
        let client = try await loaded()
        await service.fail("PATCH", .lost)
        try await opt(client.preferences, "inbox", .optOut)
        await #expect(throws: SuprSendError.self) { try await client.preferences.flush() }
        #expect(await channels(client.preferences.data) == "1110")
        try await opt(client.preferences, "inbox", .optIn)
        #expect(await client.preferences.pending == 1)
        try await client.preferences.flush()
        #expect(try await channels(service.truth()) == "1110")
        try await opt(client.preferences, "inbox", .optIn)
        #expect(await client.preferences.pending == 0, "confirmed: no doubt any more")
        await service.fail("PATCH", .lost)
        try await opt(client.preferences, "inbox", .optOut)
        await #expect(throws: SuprSendError.self) { try await client.preferences.flush() }
        try await client.preferences.getPreferences()
        try await opt(client.preferences, "inbox", .optOut)
        #expect(await client.preferences.pending == 0, "loaded: no doubt any more")
    }

    /// A run that ends during a request does not lose the change.
    @Test("A change in flight is sent again after an interrupted run()") func resend() async throws {
        let client = try await loaded()
        await service.hold("PATCH")
        await withRunning(client) {
            try? await opt(client.preferences, "inbox", .optOut)
            await clock.sleeper(for: .seconds(1))
            clock.advance(by: .seconds(1))
            await service.wait(for: "PATCH")
        }
        #expect(await client.preferences.pending == 1)
        await service.release()
        await client.shutdown()
        #expect(await service.count("PATCH") == 2)
        #expect(try await channels(service.truth()) == "1100")
    }

    @Test("A cancelled flush() keeps its changes pending") func cancelledFlush() async throws {
        let client = try await loaded()
        await service.hold("PATCH")
        try await opt(client.preferences, "inbox", .optOut)
        let result = await withTaskGroup(of: SuprSendError?.self) { group in
            group.addTask {
                do throws(SuprSendError) { try await client.preferences.flush() } catch { return error }
                return nil
            }
            await service.wait(for: "PATCH")
            group.cancelAll()
            return await group.next() ?? nil
        }
        #expect(result == .cancelled)
        #expect(await client.preferences.pending == 1)
        #expect(await channels(client.preferences.data) == "1100")
    }

    // MARK: Users and tenants

    @Test("reset() sends pending changes and discards the preferences") func reset() async throws {
        let client = try await loaded()
        try await opt(client.preferences, "inbox", .optOut)
        await client.reset()
        #expect(try await channels(service.truth()) == "1100")
        #expect(await client.preferences.data == nil)
        #expect(await client.preferences.pending == 0)
        let gone = "No user is identified; call identify() first, then repeat the call."
        let count = await service.requests.count
        await #expect(throws: SuprSendError.validation(.invalidState, gone)) {
            try await client.preferences.getPreferences()
        }
        await #expect(throws: SuprSendError.validation(.invalidState, gone)) {
            try await opt(client.preferences, "inbox", .optIn)
        }
        #expect(await service.requests.count == count)
        try await client.preferences.flush()
    }

    @Test("An answer for the previous user is discarded") func previousUser() async throws {
        let client = try await client()
        await service.hold("GET")
        async let late = client.preferences.getPreferences()
        await service.wait(for: "GET")
        await client.reset()
        try await client.identify("user-2", createUser: false)
        await service.release()
        do {
            _ = try await late
            Issue.record("no failure")
        } catch {
            #expect((error as? SuprSendError)?.kind == .cancelled)
        }
        #expect(await client.preferences.data == nil)
        let error = await #expect(throws: SuprSendError.self) { try await opt(client.preferences, "inbox", .optOut) }
        #expect(error?.message.contains("are not loaded") == true)
    }

    @Test("Calls use the active tenant, and changes use the tenant of the load") func activeTenant() async throws {
        let client = try await client()
        try await client.changeTenant("acme")
        try await client.preferences.getPreferences()
        _ = try await client.preferences.getCategories()
        _ = try await client.preferences.getCategory("builds")
        _ = try await client.preferences.getOverallChannelPreferences()
        #expect(await service.requests.allSatisfy { $0.url.contains("?tenant_id=acme") })
        // Loaded preferences keep their tenant.
        try await client.changeTenant("default")
        try await opt(client.preferences, "inbox", .optOut)
        try await client.preferences.flush()
        #expect(await service.requests.last?.url.contains("tenant_id=acme") == true)
        _ = try await client.preferences.getOverallChannelPreferences(tenantID: "acme")
        #expect(await service.requests.last?.url.contains("tenant_id=acme") == true)
    }

    // MARK: Invalid input

    @Test("Invalid input fails before a request is sent") func invalidInput() async throws {
        let client = try await client()
        let preferences = client.preferences
        func message(_ body: () async throws(SuprSendError) -> Void) async -> String? {
            do throws(SuprSendError) { try await body() } catch {
                return error.kind == .invalidArgument ? error.message : "\(error.kind)"
            }
            return nil
        }
        let messages = [
            await message { () async throws(SuprSendError) in
                _ = try await preferences.getPreferences(args: .init(tags: .text("")))
            },
            await message { () async throws(SuprSendError) in
                _ = try await preferences.getCategories(args: .init(locale: ""))
            },
            await message { () async throws(SuprSendError) in _ = try await preferences.getCategories(limit: 0) },
            await message { () async throws(SuprSendError) in _ = try await preferences.getCategories(offset: -1) },
            await message { () async throws(SuprSendError) in _ = try await preferences.getCategory("") },
            await message { () async throws(SuprSendError) in
                _ = try await preferences.updateOverallChannelPreference(channel: "", preference: .all)
            },
        ]
        let named = [
            "tag", "locale", "limit 0", "offset -1", "category is empty", "channel is empty",
        ]
        for (message, name) in zip(messages, named) { #expect(message?.contains(name) == true, "\(message ?? "none")") }
        #expect(await service.requests.isEmpty)
    }
}
