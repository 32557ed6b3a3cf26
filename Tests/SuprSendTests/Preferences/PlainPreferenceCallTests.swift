import ClientKit
import Testing

@testable import SuprSend

/// The calls below the optimistic layer.
@Suite struct PlainPreferenceCallTests {
    private static let known = PreferenceCategory(
        name: "Builds",
        slug: "builds",
        preference: .optIn,
        channels: [
            ChannelPreference(channel: "email", preference: .optOut),
            ChannelPreference(channel: "inbox", preference: .optIn),
        ]
    )
    private static var off: PreferenceCategory {
        var category = known
        category.preference = .optOut
        return category
    }

    @Test(
        "One request has all changes of a category",
        arguments: [
            ([.category("builds", .optOut)], known, #"{"opt_out_channels":["email"],"preference":"opt_out"}"#),
            ([.category("builds", .optIn)], off, #"{"preference":"opt_in"}"#),
            ([.category("builds", .optIn)], known, #"{"opt_out_channels":["email"],"preference":"opt_in"}"#),
            (
                [.category("builds", .optOut), .category("builds", .optIn)], known,
                #"{"opt_out_channels":["email"],"preference":"opt_in"}"#
            ),
            (
                [.channel("inbox", .optOut, category: "builds"), .category("builds", .optIn)], off,
                #"{"opt_out_channels":["email","inbox"],"preference":"opt_in"}"#
            ),
            (
                [.channel("email", .optIn, category: "builds")], off,
                #"{"opt_out_channels":[],"preference":"opt_in"}"#
            ),
            (
                [
                    .digest(.init(id: "weekly", time: "09:00"), category: "builds"),
                    .digest(.init(id: "weekly", time: "10:00", weekdays: [.monday]), category: "builds"),
                    .properties([.init(key: "min", value: 1)], category: "builds"),
                    .properties([.init(key: "min", value: 2), .init(key: "a", value: ["b"])], category: "builds"),
                ], known,
                #"{"digest_schedule":{"id":"weekly","time":"10:00","weekdays":["mo"]},"opt_out_channels":["email"],"#
                    + #""preference":"opt_in","properties":[{"key":"min","value":2},{"key":"a","value":["b"]}]}"#
            ),
            (
                [
                    .digest(.init(id: "weekly", time: "09:00"), category: "builds"),
                    .digest(.init(id: "daily"), category: "builds"),
                    .category("builds", .optIn),
                ], off, #"{"digest_schedule":{"id":"daily"},"preference":"opt_in"}"#
            ),
        ] as [([PreferenceEdit], PreferenceCategory, String)]
    )
    func body(edits: [PreferenceEdit], category: PreferenceCategory, expected: String) throws {
        #expect(PreferenceEdit.body(of: edits, on: category) == (try JSONValue(parsing: expected)))
    }

    @Test("The calls return the service's answers, in the language that is asked for, and change nothing here")
    func answers() async throws {
        let service = FakePreferences()
        let client = try SuprSendClient.test(http: service)
        let calls = client.preferenceCalls
        let loaded = try await calls.load(locale: "es-AR")
        #expect(loaded.category("refund-news")?.name == "Devoluciones")
        let category = try #require(loaded.category("refund-news"))
        let answer = try await calls.send([.category("refund-news", .optOut)], of: category, locale: "es")
        #expect(answer.category?.name == "Reembolsos" && answer.category?.preference == .optOut)
        #expect(answer.category?.channels.allSatisfy { $0.preference == .optOut } == true)
        let level = try await calls.send(.required, ofChannel: "email")
        #expect(level.channels?.first { $0.channel == "email" }?.isRestricted == true)
        #expect(await client.preferences.data == nil)
        #expect(await service.requests.map(\.method) == ["GET", "PATCH", "PATCH"])
    }

    @Test("An invalid change is rejected before a request") func invalid() async throws {
        let service = FakePreferences()
        let calls = try SuprSendClient.test(http: service).preferenceCalls
        for edit in [
            PreferenceEdit.digest(.init(id: ""), category: "builds"),
            .properties([.init(key: "min", value: .null)], category: "builds"),
        ] {
            let error = await #expect(throws: SuprSendError.self) { _ = try await calls.send([edit], of: Self.known) }
            #expect(error?.kind == .invalidArgument)
        }
        await #expect(throws: SuprSendError.self) { _ = try await calls.load(locale: "") }
        #expect(await service.requests.isEmpty)
    }
}
