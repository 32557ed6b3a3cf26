import Testing

@testable import Sandbox

@Suite struct MagicBellCommandTests {
    private static let service = SandboxOptions.Service.magicBell(MagicBellOptions())

    @Test(
        "A command line of MagicBell is read with its arguments",
        arguments: [
            (#"publish {"title":"Hi"}"#, .magicBell(.publish([["title": "Hi"]]))),
            (
                #"publish {"title":"Hi","count":2,"user":"a","copies":3,"announce":false}"#,
                .magicBell(.publish([["title": "Hi"], ["title": "Hi"]], to: "a", copies: 3, announced: false))
            ),
            (#"publish {"notifications":[{"title":"1"}]}"#, .magicBell(.publish([["title": "1"]]))),
            ("samples", .magicBell(.samples())),
            (#"update {"id":"A","patch":{"title":"x"}}"#, .magicBell(.update("A", ["title": "x"]))),
            (#"act {"id":"A","action":"unarchive"}"#, .magicBell(.act(.unarchive, "A"))),
            (#"delete {"id":"A"}"#, .magicBell(.delete("A"))), (#"remove {"id":"A"}"#, .magicBell(.remove("A"))),
            ("read-all", .magicBell(.readAll())), (#"seen-all {"user":"a"}"#, .magicBell(.seenAll(of: "a"))),
            (#"rest {"newer_preferences":false}"#, .magicBell(.configureREST(newerPreferences: false))),
            (#"shrink-pages {"by":2,"times":3}"#, .magicBell(.shrinkPages(by: 2, times: 3))),
            (
                #"emit {"name":"n","data":{"x":1},"encoding":"json"}"#,
                .magicBell(.emit(.init(name: "n", data: ["x": 1], encoding: "json")))
            ),
            (#"frame {"text":"x"}"#, .magicBell(.frame("x"))),
            (#"frame {"binary":[0,255]}"#, .magicBell(.binaryFrame([0, 255]))),
            (#"drop {"how":"close"}"#, .magicBell(.drop(.hangUp(.close(code: 1001))))),
            (#"drop {"how":"silence","connection":2}"#, .magicBell(.drop(.silence, connection: 2))),
            (
                #"drop {"how":"finish","at":"open","times":2}"#,
                .magicBell(.dropEarly(.hangUp(.finish), times: 2))
            ),
            (
                #"announce {"frame":"detached","code":90001,"user":"a"}"#,
                .magicBell(.announce(.detached(AblyError(90001, 900, "forced by the sandbox")), to: "a"))
            ),
            ("refuse", .magicBell(.refuse(AblyError(40400, 404, "No application found")))),
            (
                #"ably {"fail_resumes":1,"heartbeats":false,"token_lifetime_ms":5}"#,
                .magicBell(
                    .configureAbly(AblySettings(sendsHeartbeats: false, tokenLifetime: 5, failingResumes: 1))
                )
            ),
            ("expire-ably-tokens", .magicBell(.expireAblyTokens)),
            ("expire-inbox-tokens", .magicBell(.expireInboxTokens)),
            ("socket-error", .magicBell(.socketError(code: 40142, message: "token expired"))),
            ("socket-close", .magicBell(.socketClose)),
            (#"token {"user":"a","lifetime_s":-5}"#, .magicBell(.token(for: "a", lifetime: -5))),
            ("rotate-tokens", .magicBell(.rotateTokens)), (#"hmac {"user":"a"}"#, .magicBell(.hmac("a"))),
            ("require-hmac", .magicBell(.requireHMAC(true))), ("state", .magicBell(.list(.state))),
            ("connections", .magicBell(.list(.connections))), ("tokens", .magicBell(.list(.tokens()))),
            ("notifications", .magicBell(.list(.notifications()))),
            (
                #"fault {"status":429,"headers":{"Retry-After":"2"},"path":"/notifications"}"#,
                .fault(.magicBell(429, retryAfter: 2, path: "/notifications"))
            ),
            (
                #"fault {"kind":"truncated","upgrade":true,"times":2}"#,
                .fault(RequestFault(.truncated, times: 2, onlyUpgrades: true))
            ),
        ] as [(String, SandboxCommand)]
    )
    func lines(line: String, command: SandboxCommand) throws {
        #expect(try SandboxCommand.line(line, of: Self.service) == command)
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
    func invalidLines(line: String, sentence: String) {
        #expect(throws: CommandMistake(sentence)) { try SandboxCommand.line(line, of: Self.service) }
    }

    @Test("A command of the other service is rejected") func otherService() throws {
        var magicBell = try SandboxState.magicBell()
        #expect(throws: CommandMistake("This is a command for a sandbox that simulates SuprSend.")) {
            try magicBell.perform(.resetBadge(), wall: 0)
        }
        var suprSend = SandboxState()
        #expect(throws: CommandMistake("This is a command for a sandbox that simulates MagicBell.")) {
            try suprSend.perform(.magicBell(.socketClose), wall: 0)
        }
    }

    @Test("update changes members and times without an event") func update() throws {
        var state = try SandboxState.magicBell([["id": "A", "title": "old", "read_at": 1, "seen_at": 1]])
        let effects = try state.command(.update("A", ["title": "new", "read_at": nil, "sent_at": 5]))
        #expect(effects.isEmpty)
        let changed = try #require(state.magicBell.service["user-1"]["A"])
        #expect((changed.title, changed.sentAt, changed.readAt, changed.seenAt) == ("new", 5_000, nil, 1_000))
        #expect(throws: CommandMistake("There is no notification 'X'.")) { try state.command(.update("X", [:])) }
    }

    @Test("Malformed members are sent as they are") func malformed() throws {
        var state = try SandboxState.magicBell([["id": "A", "title": 5, "sent_at": "yesterday"]])
        let row = state.answer(MagicBellRequests.rest("GET", "/notifications/A")).json?["notification"]
        #expect((row?["title"], row?["sent_at"]) == (5, "yesterday"))
    }

    @Test("The lists show users, notifications, tokens and connections") func lists() throws {
        var state = try SandboxState.magicBell([["id": "A"]])
        func list(_ listing: MagicBellCommand.Listing) throws -> JSON {
            try state.perform(.magicBell(.list(listing)), wall: 0).answer
        }
        #expect(try list(.state)["users"]?.array?.first?["unread"] == 1)
        #expect(try list(.notifications()).ids == ["A"])
        #expect(try list(.tokens()) == [])
        #expect(try list(.connections) == [])
    }
}
