import Inbox
import MagicBell
import Testing

@testable import Agent

@Suite struct MagicBellPreferencesTests {
    private static let all = NotificationPreferences(categories: [
        .init(
            slug: "ci",
            label: "Builds",
            channels: [.init(slug: "email", isEnabled: false), .init(slug: "in_app", isEnabled: true)]
        ),
        .init(slug: "news", channels: [.init(slug: "email", isEnabled: false)]),
    ])

    @Test("A category is on while one of its channels is, and only channels can be changed") func contents()
        async throws
    {
        let service = FakeMagicBell()
        service.setPreferences(Self.all)
        let contents = try await MagicBellPreferences(service).load()
        #expect(contents.categories.map(\.id) == ["ci", "news"] && contents.levels.isEmpty)
        #expect(contents.categories.map(\.name) == ["Builds", "news"])
        #expect(contents.categories.map(\.isOn) == [true, false])
        #expect(contents.categories.allSatisfy { !$0.isEditable && $0.channels.allSatisfy(\.isEditable) })
        #expect(throws: ServiceFailure.self) { try contents.checked(.category("ci", isOn: false)) }
        _ = try contents.checked(.channel("email", inCategory: "ci", isOn: true))
    }

    @Test("Only what the user changed is sent, the last change of each channel", arguments: [true, false])
    func changes(answers: Bool) async throws {
        let service = FakeMagicBell()
        service.setPreferences(Self.all, answers: answers)
        let preferences = MagicBellPreferences(service)
        let contents = try await preferences.load()
        let answer = try await preferences.apply(
            [
                .channel("in_app", inCategory: "ci", isOn: true), .channel("in_app", inCategory: "ci", isOn: false),
                .channel("email", inCategory: "ci", isOn: true),
            ],
            to: contents
        )
        #expect(service.calls.last == "update ci.email=true,ci.in_app=false")
        guard answers else {
            #expect(answer == .accepted)
            return
        }
        var expected = contents.categories[0]
        expected.channels[0].isOn = true
        expected.channels[1].isOn = false
        #expect(answer == .category(expected))
    }

    @Test("A topic is one request, and the last change of it counts") func topic() async throws {
        let service = FakeMagicBell()
        let preferences = MagicBellPreferences(service)
        let changes = [true, false].map { PreferenceChange.topic("build-1", isSubscribed: $0) }
        #expect(changes[0].isSuperseded(by: changes[1]) && changes[0].target == .topic("build-1"))
        #expect(try await preferences.apply(changes, to: PreferencesContents()) == .accepted)
        #expect(service.calls == ["unsubscribe build-1 *"])
        _ = try await preferences.apply([changes[0]], to: PreferencesContents())
        #expect(service.calls.last == "subscribe build-1 *")
        service.fail("unsubscribe", MagicBellError(.notFound, "There is no such subscription.", status: 404))
        await #expect(throws: ServiceFailure.self) {
            try await preferences.apply([changes[1]], to: PreferencesContents())
        }
    }

    @Test("A refused change says what was refused") func refusal() async throws {
        let service = FakeMagicBell()
        service.setPreferences(Self.all)
        service.fail("update", MagicBellError(.notFound, "There is no category \"x\".", status: 404))
        let failure = await #expect(throws: ServiceFailure.self) {
            let change = PreferenceChange.channel("email", inCategory: "x", isOn: true)
            return try await MagicBellPreferences(service).apply([change], to: PreferencesContents())
        }
        #expect(failure == ServiceFailure(.notFound, "There is no category \"x\"."))
    }
}
