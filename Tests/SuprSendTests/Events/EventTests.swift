import ClientKit
import Testing

@testable import SuprSend

/// The requests to `/v2/event`.
@Suite struct EventTests {
    private static func event(
        _ contents: Event.Contents,
        _ number: Int,
        _ tenant: Event.Tenant,
        user: String = "user-1"
    ) -> Event {
        Event(
            contents,
            insertID: "6c0e7f0e-98a1-4a6e-9d4e-2d7e3f8a1b0\(number)",
            time: base,
            distinctID: user,
            tenant: tenant
        )
    }

    @Test(
        "Each kind of event has its documented JSON form",
        arguments: [
            (
                event(.named("$identify", ["$identified_id": "user-1"]), 1, .named(nil)),
                #"""
                {"event":"$identify","$insert_id":"6c0e7f0e-98a1-4a6e-9d4e-2d7e3f8a1b01","$time":1754346745613,\#
                "distinct_id":"user-1","tenant_id":null,"properties":{"$identified_id":"user-1"}}
                """#
            ),
            (
                event(.operation(.append, ["$email": "anna@example.com"]), 2, .named("acme")),
                #"""
                {"$insert_id":"6c0e7f0e-98a1-4a6e-9d4e-2d7e3f8a1b02","$time":1754346745613,"distinct_id":"user-1",\#
                "tenant_id":"acme","$append":{"$email":"anna@example.com"}}
                """#
            ),
            (
                event(
                    .operation(
                        .append,
                        PushToken.ios(token: "a1b2", bundleID: "com.example.app")
                            .entry(deviceID: "9d1f5c3e-0000-4000-8000-000000000001")
                    ),
                    3,
                    .named(nil)
                ),
                #"""
                {"$insert_id":"6c0e7f0e-98a1-4a6e-9d4e-2d7e3f8a1b03","$time":1754346745613,"distinct_id":"user-1",\#
                "tenant_id":null,"$append":{"$iospush":"a1b2","$device_id":"9d1f5c3e-0000-4000-8000-000000000001",\#
                "$id_provider":"apns","$bundle_id":"com.example.app"}}
                """#
            ),
            (
                event(.operation(.unset, ["plan"]), 4, .named(nil)),
                #"""
                {"$insert_id":"6c0e7f0e-98a1-4a6e-9d4e-2d7e3f8a1b04","$time":1754346745613,"distinct_id":"user-1",\#
                "tenant_id":null,"$unset":["plan"]}
                """#
            ),
            (
                event(.named("$notification_clicked", ["id": "nid-1"]), 5, .omitted, user: ""),
                #"""
                {"event":"$notification_clicked","$insert_id":"6c0e7f0e-98a1-4a6e-9d4e-2d7e3f8a1b05",\#
                "$time":1754346745613,"distinct_id":"","properties":{"id":"nid-1"}}
                """#
            ),
        ]
    )
    func jsonForms(event: Event, wire: String) throws {
        #expect(event.json == (try JSONValue(parsing: wire)))
        // Integers stay integers in the text.
        #expect(EventCall(event: event).body?.contains(#""$time":1754346745613,"#) == true)
    }

    let hub = FakeHub()

    private func client() throws -> SuprSendClient {
        try SuprSendClient.test(http: hub, environment: environment())
    }

    @Test("track() sends the name, properties, user, tenant and time") func track() async throws {
        try await client().track("ordered", properties: ["sku": 42, "paid": true, "tags": ["a"]])
        #expect(
            await hub.bodies == [
                [
                    "event": "ordered", "$insert_id": "id-1", "$time": 1_754_346_745_613, "distinct_id": "user-1",
                    "tenant_id": .null, "properties": ["sku": 42, "paid": true, "tags": ["a"]],
                ]
            ]
        )
    }

    @Test(
        "The id that the service gave to a tracked event is returned",
        arguments: [
            (#"{"status":"success","message_id":"5f0c2c1e"}"#, "5f0c2c1e"), (#"{"status":"success"}"#, nil),
            (#"{"status":"success","message_id":7}"#, nil),
        ] as [(String, String?)]
    )
    func messageID(answer: String, id: String?) async throws {
        await hub.answer(.success(response(202, answer)))
        #expect(try await client().track("ordered") == id)
    }

    @Test("An event that is confirmed without a body has no id")
    func noMessageID() async throws {
        await hub.answer(.success(response(204, "")))
        #expect(try await client().track("ordered") == nil)
    }

    @Test(
        "Each profile method sends its operation",
        arguments: [
            ("set", "$set", ["plan": "pro"]), ("setOnce", "$set_once", ["plan": "pro"]),
            ("increment", "$add", ["visits": 2, "score": -0.5]), ("append", "$append", ["tags": "a"]),
            ("remove", "$remove", ["tags": "a"]), ("unset", "$unset", ["plan", "$email"]),
            ("addEmail", "$append", ["$email": "a@b.c"]), ("removeEmail", "$remove", ["$email": "a@b.c"]),
            ("addSMS", "$append", ["$sms": "+4915112345678"]), ("removeSMS", "$remove", ["$sms": "+4915112345678"]),
            ("addWhatsapp", "$append", ["$whatsapp": "+12"]), ("removeWhatsapp", "$remove", ["$whatsapp": "+12"]),
            ("addSlack", "$append", ["$slack": ["email": "a@b.c"]]),
            ("removeSlack", "$remove", ["$slack": ["email": "a@b.c"]]),
            ("addMSTeams", "$append", ["$ms_teams": ["user_id": "1"]]),
            ("removeMSTeams", "$remove", ["$ms_teams": ["user_id": "1"]]),
            ("setPreferredLanguage", "$set", ["$preferred_language": "es"]),
            ("setTimezone", "$set", ["$timezone": "Europe/Berlin"]),
        ] as [(String, String, JSONValue)]
    )
    func profile(method: String, operation: String, value: JSONValue) async throws {
        let user = try client().user
        switch method {
        case "set": try await user.set("plan", "pro")
        case "setOnce": try await user.setOnce("plan", "pro")
        case "increment": try await user.increment(["visits": 2, "score": -0.5])
        case "append": try await user.append("tags", "a")
        case "remove": try await user.remove("tags", "a")
        case "unset": try await user.unset(["plan", "$email"])
        case "addEmail": try await user.addEmail("a@b.c")
        case "removeEmail": try await user.removeEmail("a@b.c")
        case "addSMS": try await user.addSMS("+4915112345678")
        case "removeSMS": try await user.removeSMS("+4915112345678")
        case "addWhatsapp": try await user.addWhatsapp("+12")
        case "removeWhatsapp": try await user.removeWhatsapp("+12")
        case "addSlack": try await user.addSlack(["email": "a@b.c"])
        case "removeSlack": try await user.removeSlack(["email": "a@b.c"])
        case "addMSTeams": try await user.addMSTeams(["user_id": "1"])
        case "removeMSTeams": try await user.removeMSTeams(["user_id": "1"])
        case "setPreferredLanguage": try await user.setPreferredLanguage("es")
        case "setTimezone": try await user.setTimezone("Europe/Berlin")
        default: Issue.record("no such method: \(method)")
        }
        let body = try #require(await hub.bodies.first?.object)
        #expect(body[operation] == value)
        #expect(Set(body.keys) == [operation, "$insert_id", "$time", "distinct_id", "tenant_id"])
    }

    @Test("An invalid argument is named in the error, and no request is sent") func invalidArguments() async throws {
        let client = try client()
        let user = client.user
        let calls: [(String, () async throws -> Void)] = [
            ("event's name is empty", { try await client.track("") }),
            ("\"$mine\"", { try await client.track("$mine") }),
            ("tenant id is empty", { try await client.track("a", tenantID: "") }),
            ("\"SS_x\"", { try await client.track("a", properties: ["SS_x": 1]) }),
            ("\"$email\"", { try await user.set("$email", "a@b.c") }),
            ("name of a property is empty", { try await user.set("", 1) }),
            ("No property is given", { try await user.set([:]) }),
            ("No property to unset", { try await user.unset([]) }),
            ("\"$plan\"", { try await user.unset("$plan") }),
            ("increment of \"a\"", { try await user.increment("a", by: .infinity) }),
            ("Slack destination is empty", { try await user.addSlack([:]) }),
            ("preferred language is empty", { try await user.setPreferredLanguage("") }),
            ("time zone is empty", { try await user.setTimezone("") }),
            ("push notification's id is empty", { try await client.push.notificationClicked("") }),
            ("push token is empty", { try await client.push.register(.android(token: "", bundleID: "a")) }),
            ("web push subscription is empty", { try await client.push.register(.web([:])) }),
        ]
        for (named, call) in calls {
            let error = await #expect(throws: SuprSendError.self, "\(named)") { try await call() }
            #expect(error?.kind == .invalidArgument)
            #expect(error?.message.contains(named) == true, "\(error?.message ?? "")")
        }
        #expect(await hub.requests.isEmpty)
    }

    @Test(
        "An email address has a local part, an @, and a domain with a dot",
        arguments: [
            ("anna@example.com", true), ("a@b.c", true), ("a@b.c.d", true), ("a@@b.c", true), ("a@b", false),
            ("a@.c", false), ("a@b.", false), ("@b.c", false), ("a b@c.d", false), ("", false), ("a.b", false),
        ]
    )
    func email(text: String, isValid: Bool) {
        #expect((try? ChannelAddress.email(text)) == (isValid ? text : nil))
    }

    @Test(
        "A mobile number is a plus sign and 2 to 15 digits, the first of them not 0",
        arguments: [
            ("+12", true), ("+123456789012345", true), ("+1234567890123456", false), ("+1", false), ("+0123", false),
            ("123", false), ("+12a", false), ("", false), ("+", false), ("+１２", false),
        ]
    )
    func mobile(text: String, isValid: Bool) throws {
        #expect((try? ChannelAddress.mobile(text)) == (isValid ? text : nil))
        if !isValid {
            let error = #expect(throws: SuprSendError.self) { try ChannelAddress.mobile(text) }
            #expect(error?.message.hasPrefix("\"\(text)\" is not a mobile number") == true)
        }
    }
}
