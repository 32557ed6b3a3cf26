import Testing

@testable import Sandbox

/// Requests that change preferences, on the category `refund-news` of the sample.
@Suite struct PreferencesTests {
    private var service = SandboxService(options: .open)

    private mutating func patch(_ body: JSON, _ slug: String = "refund-news") -> SandboxService.Answer {
        let target = "/v2/subscriber/user-1/category/\(slug)/?show_opt_out_channels=true"
        return service.handle(Requests.hub("PATCH", target, body), now: Requests.now)
    }

    /// `androidpush email inbox whatsapp`, 1 for opted in.
    private func channels(_ answer: SandboxService.Answer) -> String {
        (answer.json?["channels"]?.array ?? []).map { $0["preference"] == "opt_in" ? "1" : "0" }.joined()
    }

    @Test("A change of a category sets the preferences of its channels") mutating func categoryChanges() {
        var answer = patch(["preference": "opt_in", "opt_out_channels": ["inbox", "whatsapp"]])
        #expect(answer.response.status == 202)
        #expect(channels(answer) == "1100")
        answer = patch(["preference": "opt_out", "opt_out_channels": ["whatsapp"]])
        #expect(answer.json?["preference"] == "opt_out")
        #expect(channels(answer) == "0000")
        // The bodies of the Swift and web clients: editable channels are opted in again.
        #expect(channels(patch(["preference": "opt_in"])) == "0011")
        #expect(channels(patch(["preference": "opt_in", "opt_out_channels": nil])) == "0011")
        answer = patch(["preference": "opt_in", "opt_out_channels": ["androidpush", "email", "inbox", "whatsapp"]])
        #expect((answer.json?["preference"], channels(answer)) == ("opt_in", "0000"))
        answer = patch(["preference": "opt_in", "opt_out_channels": ["androidpush", "email", "inbox"]])
        #expect(channels(answer) == "0001")
        #expect(channels(patch(["preference": "opt_out", "opt_out_channels": ["inbox"]])) == "0000")
        #expect(patch(["preference": "opt_in"]).json?["preference"] == "opt_in")
        // The alternative of the API description
        #expect(channels(patch(["preference": "opt_out", "opt_in_channels": ["inbox"]])) == "0010")
    }

    @Test("A category that is not editable rejects changes except of its editable channels")
    mutating
        func mandatoryCategory()
    {
        let answer = patch(["preference": "opt_out"], "maintenance")
        #expect(answer.response.status == 400)
        #expect(answer.json?["message"] == "validation failed")
        #expect(answer.violations.map(\.kind) == [.body])
        // Its editable channel still works.
        let channel = patch(["preference": "opt_in", "opt_out_channels": ["inbox"]], "maintenance")
        #expect((channel.response.status, channels(channel)) == (202, "10"))
    }

    @Test(
        "An invalid body is rejected with the member at fault",
        arguments: [
            [:], ["preference": "maybe"], ["preference": "opt_in", "opt_out_channels": ["fax"]],
            ["preference": "opt_in", "opt_out_channels": "inbox"], ["preference": "opt_in", "extra": 1],
        ] as [JSON]
    )
    func invalidBodies(body: JSON) {
        var copy = self
        let answer = copy.patch(body)
        #expect(answer.response.status == 400)
        #expect(answer.json?["detail"]?.object?.count == 1)
    }

    @Test("Digests and properties are merged into those that are stored") mutating func digestAndPropertiesAreMerged() {
        let before = service[InboxKey(user: "user-1")].preferences.category("builds")
        let digest: JSON = ["id": "weekly", "time": "18:30"]
        var answer = patch(["digest_schedule": digest, "preference": "opt_out"], "builds")
        #expect(answer.response.status == 202)
        #expect(
            answer.json?["digest_schedule"]?["time"]
                == ["edit_policy": "editable", "default_value": "09:00", "value": "18:30"]
        )
        #expect(answer.json?["digest_schedule"]?["is_user_selected"] == true)
        #expect(answer.json?["digest_schedule"]?["weekdays"] == before?["digest_schedule"]?["weekdays"])
        #expect(answer.json?["channels"] == before?["channels"])

        let properties: JSON = [["key": "min_minutes", "value": 10]]
        answer = patch(["properties": properties, "preference": "opt_out"], "builds")
        let values = answer.json?["properties"]?.array ?? []
        #expect(values.map { $0["value"] } == [10, ["main"]])
        #expect(values.map { $0["is_overridden"] } == [true, false])
        #expect(values.first?["label"] == "Shortest build")
        #expect(answer.json?["digest_schedule"]?["time"]?["value"] == "18:30")
    }

    @Test(
        "Invalid digests and properties are rejected and change nothing",
        arguments: [
            ["digest_schedule": ["id": "daily"]], ["digest_schedule": ["id": "weekly", "time": 9]],
            ["digest_schedule": ["id": "weekly", "time": "9 o'clock"]],
            ["digest_schedule": ["id": "weekly", "weekdays": ["monday"]]],
            ["digest_schedule": ["id": "weekly", "weekdays": [1]]],
            ["properties": [["key": "branches", "value": ["dev"]]]], ["properties": []],
            ["digest_schedule": ["id": "weekly", "dtstart": "2025-01-01"]],
            ["digest_schedule": ["id": "weekly", "monthdays": []]], ["digest_schedule": "weekly"],
            ["properties": ["key": "min_minutes", "value": 1]], ["properties": [["key": "min_minutes"]]],
            ["properties": [["key": "min_minutes", "value": "1"]]],
            ["properties": [["key": "branches", "value": [1]]]],
            ["properties": [["key": "nope", "value": 1]]],
        ] as [JSON]
    )
    func invalidDetails(change: JSON) {
        var copy = self
        var body = change.object ?? [:]
        body["preference"] = "opt_out"
        let answer = copy.patch(.object(body), "builds")
        #expect(answer.response.status == 400)
        #expect(answer.json?["detail"]?.object?.count == 1)
        #expect(copy.service == service)
    }

    @Test("Overall channels can be changed, and unknown ones are rejected") mutating func overallChannels() {
        let change: JSON = ["channel_preferences": [["channel": "email", "is_restricted": true]]]
        let target = "/v1/user/user-1/preference/channel_preference"
        let answer = service.handle(Requests.hub("PATCH", target + "/", change), now: Requests.now)
        #expect(answer.response.status == 202)
        #expect(answer.json?["channel_preferences"]?.array?.first == ["channel": "email", "is_restricted": true])
        #expect(service.handle(Requests.hub("GET", target), now: Requests.now).json == answer.json)

        let wrong: JSON = ["channel_preferences": [["channel": "fax", "is_restricted": true]]]
        let refused = service.handle(Requests.hub("PATCH", target, wrong), now: Requests.now)
        #expect(refused.response.status == 400)
        #expect(refused.json?["detail"]?["channel_preferences[0].channel"] != nil)
    }

    @Test(
        "A digest or property with opt_in and no channel list opts in to the editable channels",
        arguments: [
            ["digest_schedule": ["id": "weekly", "time": "18:30"]],
            ["properties": [["key": "min_minutes", "value": 10]]],
        ] as [JSON]
    )
    func detailsReplaceTheChoice(change: JSON) {
        var copy = self
        #expect(channels(copy.patch(["preference": "opt_in", "opt_out_channels": ["email"]], "builds")) == "01")
        var body = change.object ?? [:]
        body["preference"] = "opt_in"
        body["opt_out_channels"] = ["email"]
        #expect(channels(copy.patch(.object(body), "builds")) == "01")
        body["opt_out_channels"] = nil
        #expect(channels(copy.patch(.object(body), "builds")) == "11")
    }

    @Test(
        "Opted-out channels are in the answer if the request asks for them",
        arguments: [
            ("full_preference", "&show_opt_out_channels=true", "1110"), ("full_preference", "", "1110"),
            ("full_preference", "&show_opt_out_channels=false", "111"),
            ("category/refund-news", "&show_opt_out_channels=true", "1110"), ("category/refund-news", "", "111"),
            ("category/refund-news", "&show_opt_out_channels=false", "111"),
            ("category", "&limit=1&show_opt_out_channels=true", "1110"), ("category", "&limit=1", "111"),
        ]
    )
    func optedOutChannels(route: String, query: String, shown: String) {
        var service = service
        let request = Requests.hub("GET", "/v2/subscriber/user-1/\(route)/?tenant_id=default\(query)")
        let json = service.handle(request, now: Requests.now).json
        let category =
            json?["sections"]?.array?.first?["subcategories"]?.array?.first ?? json?["results"]?.array?.first ?? json
        let states = category?["channels"]?.array?.map { $0["preference"] == "opt_in" ? "1" : "0" }.joined()
        #expect(states == shown)
    }

    @Test("The answer to a change has the requested form, and everything is stored")
    func answerOfAChange() {
        var service = service
        let body: JSON = ["preference": "opt_in", "opt_out_channels": ["inbox", "whatsapp"]]
        let target = "/v2/subscriber/user-1/category/refund-news/?show_opt_out_channels=false&locale=es"
        let answer = service.handle(Requests.hub("PATCH", target, body), now: Requests.now)
        #expect(channels(answer) == "11")
        #expect(answer.json?["name"] == "Reembolsos")
        let kept = service[InboxKey(user: "user-1")].preferences
        #expect(kept.category("refund-news")?["channels"]?.array?.count == 4)
        #expect(kept.category("refund-news")?["name"] == "Refund news")
    }

    @Test(
        "Tags select the categories",
        arguments: [
            ("ops", ["maintenance", "builds"]), (#"{"or":["sales","ci"]}"#, ["refund-news", "builds"]),
            (#"{"and":["ops","ci"]}"#, ["builds"]), (#"{"not":"ops"}"#, ["refund-news", "mentions"]),
            (#"{"exists":true}"#, ["refund-news", "maintenance", "builds"]), (#"{"exists":false}"#, ["mentions"]),
            (#"{"or":[{"and":["ops","ci"]},{"not":{"exists":true}}]}"#, ["builds", "mentions"]),
            (#"{"or":[]}"#, []), (#"{"and":[]}"#, ["refund-news", "maintenance", "builds", "mentions"]), ("nope", []),
        ] as [(String, [String])]
    )
    func tags(tags: String, slugs: [String]) {
        var service = service
        let query = "?tags=\(Requests.encoded(tags))"
        let full = service.handle(Requests.hub("GET", "/v1/user/user-1/preference/\(query)"), now: Requests.now).json
        let sections = full?["sections"]?.array ?? []
        let categories = sections.map { $0["subcategories"]?.array ?? [] }
        #expect(categories.allSatisfy { !$0.isEmpty })
        #expect(categories.joined().map { $0["category"]?.string } == slugs)
        #expect(full?["channel_preferences"]?.array?.count == 4)
        let list = service.handle(
            Requests.hub("GET", "/v1/user/user-1/preference/category/\(query)"),
            now: Requests.now
        )
        .json
        #expect(list?["results"]?.array?.map { $0["category"]?.string } == slugs)
        #expect(list?["meta"]?["count"] == .integer(Int64(slugs.count)))
        for sent in [full, list] { #expect(sent?.text.contains(#""tags""#) == false) }
    }

    @Test(
        "Texts are those of the locale, of its language, or of the service",
        arguments: [
            ("es-AR", "Devoluciones", "Estado del reembolso", "Ofertas"),
            ("es", "Reembolsos", "Estado del reembolso", "Ofertas"),
            ("es-MX", "Reembolsos", "Estado del reembolso", "Ofertas"),
            ("fr-CA", "Refund news", "Refund status", "Offers"), (nil, "Refund news", "Refund status", "Offers"),
        ] as [(String?, String, String, String)]
    )
    func locales(locale: String?, name: String, description: String, section: String) {
        var service = service
        let query = locale.map { "?locale=\($0)" } ?? ""
        let full = service.handle(Requests.hub("GET", "/v1/user/user-1/preference/\(query)"), now: Requests.now).json
        let offers = full?["sections"]?.array?.first
        let category = offers?["subcategories"]?.array?.first
        #expect(offers?["name"] == .string(section))
        #expect((category?["name"], category?["description"]) == (.string(name), .string(description)))
        #expect(full?.text.contains("translations") == false)
    }

    @Test(
        "Both route families answer the same, with and without a final slash",
        arguments: [
            ("full_preference", ""), ("category", "category"), ("category/refund-news", "category/refund-news"),
            ("channel_preference", "channel_preference"),
        ]
    )
    func routes(first: String, second: String) {
        var service = service
        let base = "/v1/user/user-1/preference" + (second.isEmpty ? "" : "/" + second)
        let answers = ["/v2/subscriber/user-1/\(first)", base].flatMap { [$0, $0 + "/"] }.map { target in
            service.handle(Requests.hub("GET", target), now: Requests.now)
        }
        for answer in answers {
            #expect(answer.response.status == 200)
            #expect(answer.json == answers[0].json)
            #expect(answer.violations == [])
        }
    }

    @Test("The list of categories has pages") func categoryPages() {
        var service = service
        let request = Requests.hub("GET", "/v1/user/user-1/preference/category/?limit=2&offset=1")
        let answer = service.handle(request, now: Requests.now)
        #expect(answer.json?["meta"] == ["count": 4, "limit": 2, "offset": 1])
        #expect(answer.json?["results"]?.array?.map { $0["category"] } == ["maintenance", "builds"])
    }

    @Test("Errors have the form of their route family") func errorForms() {
        var service = service
        func body(_ target: String) -> JSON? { service.handle(Requests.hub("GET", target), now: Requests.now).json }
        #expect(
            body("/v1/user/nobody/preference/") == ["code": 404, "message": "user [distinct_id: 'nobody'] not found"]
        )
        #expect(
            body("/v1/user/user-1/preference/category/nope") == ["code": 404, "message": "category 'nope' not found"]
        )
        #expect(body("/v2/subscriber/user-1/category/nope/")?["error"]?["type"] == "NOT_FOUND")
    }

    @Test("A percent-encoded slash is part of the user's id") func encodedIDs() {
        var service = SandboxService(options: SandboxOptions(users: ["team/anna b"], requireToken: false))
        let answer = service.handle(Requests.hub("GET", "/v1/user/team%2Fanna%20b/preference/"), now: Requests.now)
        #expect(answer.response.status == 200)
    }
}
