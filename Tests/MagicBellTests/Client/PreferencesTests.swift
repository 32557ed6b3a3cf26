import TestSupport
import Testing

@testable import MagicBell

@Suite("Preferences of a user", .timeLimit(.minutes(5)))
struct UserPreferencesTests {
    private static let all = NotificationPreferences(categories: [
        .init(
            slug: "ci",
            label: "Builds",
            channels: [.init(slug: "in_app", isEnabled: true), .init(slug: "email", isEnabled: false)]
        ),
        .init(slug: "ops", channels: [.init(slug: "pager", isEnabled: true)]),
    ])

    private static func world(tellsPreferences: Bool = true) throws -> (ClientWorld, Preferences) {
        let world = try ClientWorld()
        let user = try world.client.connectUser(email: "anna@example.com")
        world.api.set(all)
        return (world, user.preferences)
    }

    @Test("All preferences, and those of one category") func fetch() async throws {
        let (_, preferences) = try Self.world()
        #expect(try await preferences.fetch() == Self.all)
        #expect(try await preferences.fetchPreferences(for: "ci") == Self.all.categories[0])
        let error = await #expect(throws: MagicBellError.self) { try await preferences.fetchPreferences(for: "x") }
        #expect(error?.kind == .notFound)
        #expect(error?.message.contains("\"x\"") == true)
    }

    @Test("A change is one request that contains what changed, and returns everything") func update() async throws {
        let (world, preferences) = try Self.world()
        var change = NotificationPreferences.Category(slug: "ci")
        change.email = true
        let after = try await preferences.update(NotificationPreferences(categories: [change]))
        #expect(after["ci"]?.email == true)
        #expect(after["ci"]?.inApp == true)
        #expect(world.api.calls == [.update(NotificationPreferences(categories: [change]))])
        let category = try await preferences.updatePreferences([.init(slug: "in_app", isEnabled: false)], for: "ci")
        #expect(category.inApp == false && category.email == true)
        #expect(
            try await preferences.update(categorySlug: "ops", channelSlug: "pager", enabled: false)["ops"]?[
                channel: "pager"
            ] == false
        )
        #expect(world.api.calls.count == 3)
    }

    @Test("A change of nothing is refused without a request") func empty() async throws {
        let (world, preferences) = try Self.world()
        for changes in [NotificationPreferences(), NotificationPreferences(categories: [.init(slug: "ci")])] {
            let error = await #expect(throws: MagicBellError.self) { try await preferences.update(changes) }
            #expect(error?.kind == .invalidArgument)
        }
        #expect(world.api.calls == [])
    }

    @Test("Changes are sent one after the other, in the order of the calls") func order() async throws {
        let (world, preferences) = try Self.world()
        world.api.hold()
        let first = Task { try await preferences.update(categorySlug: "ci", channelSlug: "email", enabled: true) }
        await world.api.waitForCalls(1)
        let second = Task { try await preferences.update(categorySlug: "ci", channelSlug: "email", enabled: false) }
        #expect(world.api.calls.count == 1)
        world.api.release()
        #expect(try await first.value["ci"]?.email == true)
        #expect(try await second.value["ci"]?.email == false)
    }

    @Test("Where the service does not tell the result, it is loaded") func silentService() async throws {
        let api = FakeInboxAPI(tellsPreferences: false)
        api.set(Self.all)
        let preferences = Preferences(api: api, scope: CallScope())
        #expect(
            try await preferences.update(categorySlug: "ci", channelSlug: "email", enabled: true)["ci"]?.email == true
        )
        #expect(api.calls.last == .preferences)
    }

    @Test("The common channels have names, and every other one its slug") func channels() {
        var category = NotificationPreferences.Category(slug: "ci")
        category.email = true
        category.inApp = false
        category.mobilePush = true
        category.webPush = false
        category.slack = true
        category[channel: "sms"] = true
        #expect(category.channels.map(\.slug) == ["email", "in_app", "mobile_push", "slack", "sms", "web_push"])
        #expect(category.channels.map(\.isEnabled) == [true, false, true, true, true, false])
        #expect((category.email, category.inApp, category.slack) == (true, false, true))
        category.email = nil
        category[channel: "sms"] = nil
        category[channel: "none"] = nil
        #expect(category.email == nil && category.channels.count == 4)
    }
}
