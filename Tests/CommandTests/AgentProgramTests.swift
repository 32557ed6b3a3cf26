import Testing

@testable import AgentInterface

/// Requests to the agent's program, and programs in its place that give no reply.
@Suite(.timeLimit(.minutes(5))) struct AgentProgramTests {
    private static let details = AccountDetails(
        name: "work",
        provider: "suprsend",
        values: ["distinct-id": "änna\n"],
        hasTokenAlone: false
    )

    @Test(
        "A request arrives as it was made",
        arguments: [
            .services, .check(account: nil), .check(account: "work"), .settings, .autostart, .setAutostart(false),
            .changeSettings([SettingChange("quiet.from", "22:00"), SettingChange("popups", "")]), .account("work"),
            .link("feedbell:add?provider=suprsend"), .signOut("work", isDryRun: true),
            .checkAccount(details, nil, isChange: false, isVerified: true, isComplete: false),
            .addAccount(details, .stored("t0k3n", inFile: true), isChange: true, isVerified: false),
            .addAccount(details, .command(["pass", "a b"]), isChange: false, isVerified: true),
            .addAccount(details, .file("/a"), isChange: false, isVerified: true),
            .storeToken(nil, account: "work", isVerified: true),
            .removeAccount("work", keepsSecret: true, isDryRun: false),
        ] as [AgentRequest]
    )
    func requests(request: AgentRequest) {
        let call = AgentCall(request, configuration: "/etc/config.toml", isTranslated: false)
        #expect(AgentCall(call.bytes) == call)
    }

    @Test("A request of another version, or one that is unknown, is none") func otherVersion() throws {
        let text = String(decoding: AgentCall(.settings).bytes, as: UTF8.self)
        #expect(AgentCall(Array(text.utf8)) != nil)
        for (old, new) in [(AgentNames.version, "0.0.9"), ("settings", "setings")] {
            let other = text.replacing("\"\(old)\"", with: "\"\(new)\"")
            #expect(other != text && AgentCall(Array(other.utf8)) == nil)
        }
        #expect(AgentCall([]) == nil)
    }

    private static let advice = "Install all of Feedbell in one version, and start it again."

    @Test(
        "A program that gives no reply is a failure that says why",
        arguments: [
            ("/bin/echo", "/bin/echo has another version than this program."),
            ("/bin/dash", "/bin/dash does not work (exit code 2). /bin/dash: 0: cannot open call: No such file"),
            ("/usr/bin/yes", "/usr/bin/yes wrote more than 1048576 bytes."),
            ("/nonexistent/agent", "Cannot start /nonexistent/agent: No such file or directory."),
        ]
    )
    func noReply(path: String, reason: String) async throws {
        let failure = await #expect(throws: AgentRequest.Failure.self) {
            let _: [SettingDetails] = try await AgentProgram(path: path).reply(to: AgentCall(.settings))
        }
        #expect(failure?.kind == .noAnswer && failure?.reason == reason)
        #expect(failure?.sentences == "\(reason) \(Self.advice)")
    }

    @Test("A request that is too long is not sent") func longRequest() async {
        let failure = await #expect(throws: AgentRequest.Failure.self) {
            let text = String(repeating: "x", count: AgentCall.limit)
            let _: AccountDetails = try await AgentProgram(path: "/nonexistent").reply(to: AgentCall(.link(text)))
        }
        #expect(failure?.kind == .invalidValue && failure?.reason == "The values are longer than 1048576 bytes.")
    }

    @Test("A reply of another type is of another version, and a failure is whole") func replies() {
        #expect(AgentReply<Bool>(AgentReply.value(["a"]).bytes) == nil)
        let sent = AgentRequest.Failure(.refused, "No.", sentences: "No. Nothing was added.", options: ["token"])
        guard case .failure(let received)? = AgentReply<Bool>(AgentReply<[String]>.failure(sent).bytes) else {
            Issue.record("There is no failure.")
            return
        }
        #expect(received == sent)
    }
}
