import Testing

@testable import Sandbox

@Suite struct MagicBellPreferencesTests {
    private typealias Requests = MagicBellRequests
    private static let newer = ["accept-version": "v2"]

    @Test("The newer shape of the REST API is a list with labels; a change may be partial") func newer() throws {
        var state = try SandboxState.magicBell()
        func categories(_ json: JSON?) -> [JSON] { json?["notification_preferences"]?["categories"]?.array ?? [] }
        let request = Requests.rest("GET", "/notification_preferences", nil, Self.newer)
        let before = categories(state.answer(request).json)
        #expect(before.map { $0["slug"] } == ["billing", "ci", "mentions"])
        #expect(before[1]["label"] == "Builds")
        #expect(before[1]["channels"]?.array?.first == ["slug": "email", "label": "E-mail", "enabled": false])
        let change: JSON = [
            "notification_preferences": [
                "categories": [["slug": "ci", "channels": [["slug": "email", "enabled": true]]]]
            ]
        ]
        let answer = state.answer(Requests.rest("PUT", "/notification_preferences", change, Self.newer))
        #expect(answer.status == 200)
        #expect(categories(answer.json)[1]["channels"]?.array?.first?["enabled"] == true)
        #expect(state.magicBell.service["user-1"].preferences.isEnabled("email", of: "ci") == true)
        #expect(state.magicBell.service["user-1"].preferences.isEnabled("in_app", of: "ci") == true)
    }

    @Test("The older shape of the REST API is an object of four booleans") func older() throws {
        var state = try SandboxState.magicBell()
        let answer = state.answer(Requests.rest("GET", "/notification_preferences"))
        let ci = answer.json?["notification_preferences"]?["categories"]?["ci"]
        #expect(ci == ["email": false, "in_app": true, "mobile_push": true, "web_push": false])
        let change: JSON = [
            "notification_preferences": [
                "categories": ["ci": ["email": true, "in_app": true, "mobile_push": false, "web_push": false]]
            ]
        ]
        #expect(state.answer(Requests.rest("PUT", "/notification_preferences", change)).status == 200)
        let preferences = state.magicBell.service["user-1"].preferences
        #expect(preferences.isEnabled("email", of: "ci") == true)
        #expect(preferences.isEnabled("mobile_push", of: "ci") == false)
        #expect(state.violations.isEmpty)
    }

    @Test("A server that knows no versions has the older shape for every request") func olderServer() throws {
        var state = try SandboxState.magicBell()
        _ = try state.command("rest", ["newer_preferences": false])
        let answer = state.answer(Requests.rest("GET", "/notification_preferences", nil, Self.newer))
        #expect(answer.json?["notification_preferences"]?["categories"]?["ci"]?["in_app"] == true)
    }

    @Test("The user API has other names and answers a change without a body") func userAPI() throws {
        var state = try SandboxState.magicBell()
        let answer = state.answer(Requests.user("GET", "/channels/user_preferences")).json
        let billing = answer?["categories"]?.array?.first
        #expect((billing?["key"], billing?["label"]) == ("billing", "Billing"))
        #expect(billing?["channels"]?.array?.first == ["name": "email", "enabled": true])
        let change: JSON = ["categories": [["key": "billing", "channels": [["name": "email", "enabled": false]]]]]
        #expect(state.answer(Requests.user("PUT", "/channels/user_preferences", change)).status == 204)
        #expect(state.magicBell.service["user-1"].preferences.isEnabled("email", of: "billing") == false)
    }

    @Test("A change with an unknown channel changes nothing") func unknownChannel() throws {
        var state = try SandboxState.magicBell()
        let change: JSON = [
            "categories": [
                [
                    "key": "billing",
                    "channels": [["name": "email", "enabled": false], ["name": "fax", "enabled": true]],
                ]
            ]
        ]
        #expect(state.answer(Requests.user("PUT", "/channels/user_preferences", change)).status == 404)
        #expect(state.magicBell.service["user-1"].preferences == .sample)
        #expect(state.violations.isEmpty)
    }

    @Test("A command replaces the preferences") func command() throws {
        let channels: JSON = [["slug": "sms", "enabled": true]]
        var state = try SandboxState.magicBell()
        _ = try state.command("preferences", ["categories": [["slug": "x", "channels": channels]]])
        #expect(state.magicBell.service["user-1"].preferences.isEnabled("sms", of: "x") == true)
    }
}
