import Basics
import ClientKit
import Testing

@testable import SuprSend

/// The requests of preferences.
@Suite struct PreferenceCallTests {
    private let args = PreferenceArgs(showOptOutChannels: true, tags: .or(["sales", "ops"]), locale: "es-AR")
    private static let all = PreferenceArgs()

    @Test("An empty tenant id in the arguments of preferences is no tenant")
    func emptyTenant() async throws {
        #expect(PreferenceArgs(tenantID: "") == PreferenceArgs())
        var args = PreferenceArgs(tenantID: "acme")
        args.tenantID = ""
        #expect(args.tenantID == nil)
        let service = FakePreferences(tenants: ["default", "acme"])
        let preferences = try SuprSendClient.test(http: service, tenantID: "acme").preferences
        try await preferences.getPreferences(args: args)
        _ = try await preferences.getOverallChannelPreferences(tenantID: "")
        try await preferences.updateOverallChannelPreference(channel: "email", preference: .required, tenantID: "")
        try await preferences.flush(.channel("email"), tenantID: "")
        #expect(await service.count("PATCH") == 1)
        let urls = await service.requests.map(\.url)
        #expect(urls.allSatisfy { $0.contains("tenant_id=acme") }, "\(urls)")
    }

    private func url(
        _ operation: PreferenceCall.Operation,
        _ routes: PreferenceRoutes,
        user: String = "user-1",
        tenant: String? = "acme"
    ) -> String {
        let scope = RequestScope(hosts: Hosts(), distinctID: user, tenantID: tenant)
        return PreferenceCall(operation, routes: routes).url(in: scope)
    }

    @Test(
        "Each operation has its method and URL in both route families",
        arguments: [
            (
                .full(all), "GET", "full_preference/?tenant_id=acme&show_opt_out_channels=true",
                "?tenant_id=acme&show_opt_out_channels=true"
            ),
            (
                .categories(all, limit: 5, offset: 0), "GET",
                "category/?tenant_id=acme&show_opt_out_channels=true&limit=5&offset=0", nil
            ),
            (
                .category("refund-news", .init(tags: .text("x"), locale: "es")), "GET",
                "category/refund-news/?tenant_id=acme&show_opt_out_channels=true&locale=es", nil
            ),
            (.channels, "GET", "channel_preference/?tenant_id=acme", nil),
            (
                .patchCategory("refund-news", .init(tags: .text("x")), body: [:]), "PATCH",
                "category/refund-news/?tenant_id=acme&show_opt_out_channels=true&tags=x", nil
            ),
            (.patchChannels(body: [:]), "PATCH", "channel_preference/?tenant_id=acme", nil),
        ] as [(PreferenceCall.Operation, String, String, String?)]
    )
    func routes(operation: PreferenceCall.Operation, method: String, first: String, second: String?) {
        let hub = "https://hub.suprsend.com"
        #expect(PreferenceCall(operation, routes: .user).method == method)
        #expect(url(operation, .subscriber) == "\(hub)/v2/subscriber/user-1/\(first)")
        #expect(url(operation, .user) == "\(hub)/v1/user/user-1/preference/\(second ?? first)")
    }

    @Test("Tags and locale are encoded in the query") func queryEncoding() {
        // Brackets and colons are encoded, too: the service decodes either.
        #expect(
            url(.full(args), .subscriber).percentDecoded
                == """
                https://hub.suprsend.com/v2/subscriber/user-1/full_preference/?tenant_id=acme&\
                show_opt_out_channels=true&tags={"or":["sales","ops"]}&locale=es-AR
                """
        )
        #expect(
            url(.full(args), .subscriber).hasSuffix(
                "&tags=%7B%22or%22%3A%5B%22sales%22%2C%22ops%22%5D%7D&locale=es-AR"
            )
        )
    }

    @Test(
        "Ids are percent-encoded in paths and queries",
        arguments: [
            ("team/anna b", "team%2Fanna%20b"), ("anna+test@example.com", "anna%2Btest%40example.com"),
            ("a?b#c", "a%3Fb%23c"), ("ü", "%C3%BC"),
        ]
    )
    func idsAreEncoded(id: String, encoded: String) {
        #expect(
            url(.channels, .user, user: id, tenant: nil)
                == "https://hub.suprsend.com/v1/user/\(encoded)/preference/channel_preference/"
        )
        #expect(
            url(.category(id, args), .subscriber, tenant: id).hasPrefix(
                "https://hub.suprsend.com/v2/subscriber/user-1/category/\(encoded)/?tenant_id=\(encoded)&"
            )
        )
    }

    @Test(
        "Tags are sent as text or as JSON",
        arguments: [
            (.text("sales ops"), "sales ops"), (.or(["a", "b"]), #"{"or":["a","b"]}"#), (.and([]), #"{"and":[]}"#),
            (.not("\"/+"), #"{"not":"\"/+"}"#), (.exists(true), #"{"exists":true}"#),
            (
                .or([.and(["sales", "manager"]), .not(.or(["a", "b"]))]),
                #"{"or":[{"and":["sales","manager"]},{"not":{"or":["a","b"]}}]}"#
            ),
            (.exists(false), #"{"exists":false}"#),
        ] as [(PreferenceTags, String)]
    )
    func tags(tags: PreferenceTags, parameter: String) {
        #expect(tags.parameter == parameter)
        #expect(
            url(.full(.init(tags: tags)), .user, tenant: nil)
                == """
                https://hub.suprsend.com/v1/user/user-1/preference/?show_opt_out_channels=true&\
                tags=\(parameter.percentEncoded)
                """
        )
    }

    @Test("A false showOptOutChannels is sent") func falseIsSent() {
        for routes in [PreferenceRoutes.subscriber, .user] {
            #expect(url(.full(.init(showOptOutChannels: false)), routes).contains("&show_opt_out_channels=false"))
            let patch = PreferenceCall.Operation.patchCategory("c", .init(showOptOutChannels: false), body: [:])
            #expect(url(patch, routes).contains("&show_opt_out_channels=false"))
        }
    }

    @Test("Changes of digests and properties have their documented bodies") func detailBodies() throws {
        var category = PreferenceCategory(name: "c", slug: "c", preference: .optIn)
        category.channels = [
            ChannelPreference(channel: "email", preference: .optOut),
            ChannelPreference(channel: "inbox", preference: .optIn),
        ]
        func body(_ edit: PreferenceEdit) -> String { PreferenceEdit.body(of: [edit], on: category).text }
        let digest = DigestSchedule.Update(
            id: "monthly",
            dtstart: "2025-08-04",
            weekdays: [.monday, .friday],
            monthdays: [.init(position: 15), .init(position: -1, weekdays: [.sunday])]
        )
        #expect(
            body(.digest(digest, category: "c"))
                == #"""
                {"digest_schedule":{"dtstart":"2025-08-04","id":"monthly","monthdays":[{"pos":15},{"day":["su"],\#
                "pos":-1}],"weekdays":["mo","fr"]},"opt_out_channels":["email"],"preference":"opt_in"}
                """#
        )
        let properties: [CategoryProperty.Update] = [
            .init(key: "min_amount", value: 100), .init(key: "list", value: ["a", "b"]), .init(key: "text", value: "t"),
        ]
        #expect(
            body(.properties(properties, category: "c"))
                == #"""
                {"opt_out_channels":["email"],"preference":"opt_in","properties":[{"key":"min_amount",\#
                "value":100},{"key":"list","value":["a","b"]},{"key":"text","value":"t"}]}
                """#
        )
        category.preference = .optOut
        #expect(
            body(.digest(.init(id: "daily"), category: "c"))
                == #"{"digest_schedule":{"id":"daily"},"preference":"opt_out"}"#
        )
    }
}
