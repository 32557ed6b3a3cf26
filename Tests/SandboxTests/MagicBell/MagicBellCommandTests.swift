import Testing

@testable import Sandbox

@Suite struct MagicBellCommandTests {
    @Test("A command line of MagicBell does what its arguments say") func lines() throws {
        let lines: [(String, (SandboxState) -> Bool)] = [
            (#"publish {"id":"B","title":"Hi"}"#, { $0.ids == ["A", "B"] }),
            (#"publish {"title":"Hi","count":2,"user":"user-1","copies":3,"announce":false}"#, { $0.ids.count == 3 }),
            (#"publish {"notifications":[{"id":"B"},{"id":"C"}]}"#, { $0.ids == ["A", "B", "C"] }),
            ("samples", { $0.ids.count == 6 }),
            (#"update {"id":"A","patch":{"title":"x"}}"#, { $0.a?.title == "x" }),
            (#"act {"id":"A","action":"archive"}"#, { $0.a?.archivedAt != nil }),
            (#"delete {"id":"A"}"#, { $0.ids == [] }), (#"remove {"id":"A"}"#, { $0.ids == [] }),
            ("read-all", { $0.a?.readAt != nil }), (#"seen-all {"user":"user-1"}"#, { $0.a?.seenAt != nil }),
            (#"rest {"newer_preferences":false}"#, { !$0.magicBell.service.hasNewerPreferences }),
            (#"shrink-pages {"by":2,"times":3}"#, { $0.magicBell.service.pageShrinkage == [2, 2, 2] }),
            (
                #"drop {"how":"finish","at":"open","times":2}"#,
                { $0.magicBell.sockets.earlyDrops == [.hangUp(.finish), .hangUp(.finish)] }
            ),
            (
                "refuse",
                { $0.magicBell.sockets.ably.refusals == [AblyError(40400, 404, "No application found")] }
            ),
            (#"ably {"fail_resumes":1,"heartbeats":false}"#, { !$0.magicBell.sockets.ably.sendsHeartbeats }),
            (#"ably {"token_lifetime_ms":5}"#, { $0.magicBell.service.ably.lifetime == 5 }),
            ("rotate-tokens", { $0.magicBell.service.jwtSecret == "sandbox-secret+" }),
            ("require-hmac", { $0.magicBell.service.requireHMAC }),
            (
                #"fault {"status":429,"headers":{"Retry-After":"2"},"path":"/notifications"}"#,
                { $0.faults == [.magicBell(429, retryAfter: 2, path: "/notifications")] }
            ),
        ]
        for (line, isDone) in lines {
            var state = try SandboxState.magicBell([["id": "A"]])
            _ = try state.execute(line: line)
            let isDone = isDone(state)
            #expect(isDone, "\(line)")
        }
    }

    @Test(
        "An invalid line says what is wrong",
        arguments: [
            ("reset-badge", "There is no command 'reset-badge'; 'help' lists them."),
            (
                #"act {"id":"A","action":"delete"}"#,
                "'action' of 'act' must be one of seen, read, unread, archive, unarchive."
            ),
            (#"drop {"how":"engine-close"}"#, "'how' of 'drop' must be one of reset, finish, close, silence."),
            (#"drop {"how":"reset","at":"connect"}"#, "'at' of 'drop' must be open."),
            (
                #"announce {"frame":"x"}"#,
                "'frame' of 'announce' must be one of auth, disconnected, detached, attached, channel-error, error."
            ),
            (#"update {"id":"A","patch":1}"#, "'patch' of 'update' must be an object."),
            (
                #"preferences {"categories":[{}]}"#,
                "'categories' of 'preferences' must be a list of categories with 'slug' and 'channels'."
            ),
            (#"hmac {}"#, "'hmac' needs 'user'."),
            (#"ably {"state_ttl_ms":-1}"#, "'state_ttl_ms' of 'ably' must be from 0 to 86400000."),
        ]
    )
    func invalidLines(line: String, sentence: String) throws {
        var state = try SandboxState.magicBell()
        #expect(throws: CommandMistake(sentence)) { try state.execute(line: line) }
    }

    @Test("update changes members and times without an event") func update() throws {
        var state = try SandboxState.magicBell([["id": "A", "title": "old", "read_at": 1, "seen_at": 1]])
        let effects = try state.command(
            "update",
            ["id": "A", "patch": ["title": "new", "read_at": nil, "sent_at": 5]]
        )
        #expect(effects.isEmpty)
        let changed = try #require(state.magicBell.service["user-1"]["A"])
        #expect((changed.title, changed.sentAt, changed.readAt, changed.seenAt) == ("new", 5_000, nil, 1_000))
        #expect(throws: CommandMistake("There is no notification 'X'.")) {
            try state.command("update", ["id": "X", "patch": [:]])
        }
    }

    @Test("Malformed members are sent as they are") func malformed() throws {
        var state = try SandboxState.magicBell([["id": "A", "title": 5, "sent_at": "yesterday"]])
        let row = state.answer(MagicBellRequests.rest("GET", "/notifications/A")).json?["notification"]
        #expect((row?["title"], row?["sent_at"]) == (5, "yesterday"))
    }

    @Test("The lists show users, notifications, tokens and connections") func lists() throws {
        var state = try SandboxState.magicBell([["id": "A"]])
        #expect(try state.execute("state").answer["users"]?.array?.first?["unread"] == 1)
        #expect(try state.execute("notifications").answer.ids == ["A"])
        #expect(try state.execute("tokens").answer == [])
        #expect(try state.execute("connections").answer == [])
    }
}

extension SandboxState {
    fileprivate var ids: [String] { magicBell.service["user-1"].notifications.map(\.id).sorted() }
    fileprivate var a: StoredNotification? { magicBell.service["user-1"]["A"] }
}
