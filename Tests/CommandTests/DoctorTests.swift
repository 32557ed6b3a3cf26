import AgentInterface
import DBus
import Testing

@testable import feedbell

/// The findings that follow from facts about the session, and their texts.
struct DoctorTests {
    private static let online = StatusReport.Account(name: "work", provider: "suprsend", user: "anna", state: "online")

    /// An agent without problems.
    private static let working = AgentFacts(
        isRunning: true,
        isActivatable: true,
        unitState: "enabled",
        startsWithSession: true,
        status: StatusReport(version: AgentNames.version, accounts: [online])
    )

    /// The findings that are not ok. Checks that these and only these have a remedy.
    private static func problems(_ findings: [Finding]) -> [Finding] {
        #expect(findings.allSatisfy { ($0.level == .ok) == ($0.remedy == nil) })
        return findings.filter { $0.level != .ok }
    }

    @Test("status and doctor report that the notification server is full") func fullServer() {
        var facts = Self.working
        facts.status.heldBack = ["server-full"]
        #expect(facts.status.text(now: 0, nil).contains("the notification server rejects further popups"))
        let sentence = "Popups wait: the notification server has reached its limit and rejects further ones."
        #expect(Self.problems(facts.findings(now: 0)).map(\.sentence) == [sentence])
        let error = DBusError("org.freedesktop.Notifications.MaxNotificationsExceeded", "Exceeded maximum number")
        let popup = TestPopup.failed(error).finding(server: "Notification Daemon")
        #expect(popup.sentence == "The test popup was rejected: the notification server has reached its limit.")
    }

    @Test("Without problems, no finding has a remedy") func withoutProblems() {
        let findings = Self.working.findings(now: 0)
        #expect(Self.problems(findings).isEmpty)
        #expect(
            findings.map(\.sentence) == [
                "The agent is running, version \(AgentNames.version).", "The agent is online.",
                "Your sessions start the agent.",
            ]
        )
    }

    @Test(
        "The agent must start with the session and by D-Bus activation",
        arguments: [
            (true, "enabled", true, nil), (true, nil, true, nil), (true, "disabled", true, nil),
            (true, "disabled", false, "Your sessions do not start the agent."),
            (true, "enabled", false, "Your sessions do not start the agent."),
            (false, "enabled", true, "The agent starts with the session, but D-Bus cannot activate it: "),
            (true, nil, false, "Your sessions do not start the agent."),
            (false, nil, false, "The agent is not set up to start: systemd unit, autostart file and"),
            (true, "enabled", nil, nil),
        ] as [(Bool, String?, Bool?, String?)]
    )
    func start(isActivatable: Bool, unitState: String?, startsWithSession: Bool?, problem: String?) {
        var facts = Self.working
        (facts.isActivatable, facts.unitState) = (isActivatable, unitState)
        facts.startsWithSession = startsWithSession
        let findings = Self.problems(facts.findings(now: 0))
        #expect(findings.allSatisfy { $0.level == .warning } && findings.count == (problem == nil ? 0 : 1))
        #expect(findings.first.map(\.sentence)?.hasPrefix(problem ?? "") != false)
    }

    @Test("Each problem of the agent is a finding with a remedy") func problemsOfTheAgent() {
        var facts = Self.working
        facts.status.version = "0.0.9"
        #expect(Self.problems(facts.findings(now: 0)).first?.sentence.hasPrefix("The agent has version 0.0.9") == true)
        facts = Self.working
        facts.status.isPaused = true
        #expect(Self.problems(facts.findings(now: 0)).map(\.remedy) == ["Show them: feedbell resume"])
        facts = Self.working
        facts.status.accounts = []
        #expect(Self.problems(facts.findings(now: 0)).map(\.sentence) == ["The agent has no account."])
        facts.error = DBusError(.timeout, "The reply did not arrive in time.")
        #expect(
            Self.problems(facts.findings(now: 0)).map(\.sentence)
                == ["The agent runs but does not answer: The reply did not arrive in time."]
        )
        facts.process = 123
        #expect(
            Self.problems(facts.findings(now: 0)).first?.sentence.hasPrefix(
                "The agent (process 123) runs but does not answer: "
            ) == true
        )
        for (unitState, command) in ["enabled": "systemctl --user restart feedbell", nil: "feedbell-agent --replace"] {
            facts.unitState = unitState
            #expect(Self.problems(facts.findings(now: 0)).first?.remedy == "Restart it: \(command)")
        }
        facts.isRunning = false
        let start: [(unitState: String?, isActivatable: Bool, command: String)] = [
            ("enabled", true, "feedbell start"), ("enabled", false, "feedbell start"), (nil, true, "feedbell start"),
            (nil, false, "feedbell-agent"),
        ]
        for (unitState, isActivatable, command) in start {
            (facts.unitState, facts.isActivatable) = (unitState, isActivatable)
            let finding = Self.problems(facts.findings(now: 0)).first
            #expect(finding?.level == .problem && finding?.remedy == "Start it with: \(command)")
        }
    }

    @Test("The doctor checks the display and what opens links") func links() {
        let states: [(LinkFacts, Finding.Level, String)] = [
            (LinkFacts(), .warning, "There is no display: neither WAYLAND_DISPLAY nor DISPLAY is set."),
            (
                LinkFacts(hasDisplay: true), .warning,
                "Nothing opens links: there is neither a desktop portal nor xdg-open."
            ),
            (LinkFacts(hasDisplay: true, hasOpener: true), .warning, "No program is known that opens web links."),
            (LinkFacts(hasDisplay: true, hasOpener: true, hasBrowser: true), .ok, "xdg-open opens links."),
            (
                LinkFacts(hasDisplay: true, hasPortal: true, hasOpener: true, hasBrowser: true), .ok,
                "The desktop portal opens links."
            ),
        ]
        for (facts, level, sentence) in states {
            #expect(facts.finding.level == level && facts.finding.sentence == sentence)
            #expect((facts.finding.remedy == nil) == (level == .ok))
        }
    }

    @Test(
        "The level of an account's finding depends on its state",
        arguments: [
            ("online", false, nil), ("connecting", false, Finding.Level.warning), ("offline", false, .problem),
            ("unauthorized", true, .problem), ("suspended", false, .warning), ("online", true, .problem),
        ] as [(String, Bool, Finding.Level?)]
    )
    func accountStates(state: String, needsAttention: Bool, level: Finding.Level?) {
        var facts = Self.working
        var account = Self.online
        (account.state, account.error, account.needsAttention) = (state, "It fails.", needsAttention)
        facts.status.accounts = [account]
        let findings = Self.problems(facts.findings(now: 0))
        #expect(findings.map(\.level) == (level.map { [$0] } ?? []))
        #expect(findings.allSatisfy { $0.account == "work" && $0.sentence.hasSuffix(": It fails.") })
    }

    @Test(
        "Why the last attempt to sign in failed is reported, unless the account's error says it",
        arguments: [
            ("Nobody has signed in yet.", 0, AgentErrors.rejected, "Sign in: feedbell accounts sign-in work"),
            ("", 1, AgentErrors.offline, "It retries by itself; at once with: feedbell reconnect"),
            ("The server does not answer.", 1, AgentErrors.offline, nil),
        ] as [(String, Int64, ErrorName, String?)]
    )
    func failedSignIn(error: String, since: Int64, name: ErrorName, remedy: String?) {
        let reason = "The server does not answer."
        var record = SignInRecord()
        (record.since, record.error, record.message) = (since, name.text, reason)
        var facts = Self.working
        (facts.status.accounts[0].error, facts.status.accounts[0].signIn) = (error, record)
        let finding = Self.problems(facts.findings(now: 0)).first
        #expect(finding?.remedy == remedy && finding?.sentence.hasSuffix(" failed: \(reason)") != false)
        facts.status.accounts[0].signIn = SignInRecord()
        #expect(Self.problems(facts.findings(now: 0)).isEmpty)
    }

    @Test("An account that is signed out is left to the check of its token") func signedOut() {
        var facts = Self.working
        facts.status.accounts[0].state = "unauthorized"
        facts.status.accounts[0].isSignedOut = true
        #expect(facts.findings(now: 0).allSatisfy { $0.account == nil })
    }

    @Test("Missing capabilities and a server that holds popups back are warnings") func notificationServers() {
        var facts = NotificationServerFacts(name: "dunst", vendor: "knopwob", version: "1.9.0", specification: "1.2")
        facts.capabilities = ["actions", "body", "body-markup", "persistence"]
        #expect(
            facts.findings == [
                Finding(
                    .notifications,
                    .ok,
                    "dunst 1.9.0 of knopwob shows popups (specification 1.2)."
                )
            ]
        )
        facts.isInhibited = true
        #expect(Self.problems(facts.findings).map(\.sentence) == ["It holds popups back now (\"do not disturb\")."])
        facts.isInhibited = false
        facts.capabilities = ["body"]
        #expect(
            facts.findings.dropFirst().map(\.sentence) == [
                "It does not support actions: a click on a popup cannot open a link.",
                "It shows plain text, without bold and italics.",
                "It may discard popups that you miss; feedbell list shows them.",
            ]
        )
        #expect(Self.problems(facts.findings).map { $0.remedy?.hasPrefix("Open links") } == [true])
        facts.capabilities = []
        #expect(Self.problems(facts.findings).map(\.level) == [.warning, .warning])
        #expect(facts.findings.count == 5)
    }

    @Test("A do-not-disturb that only the agent follows is a warning, and each do-not-disturb is one")
    func doNotDisturb() {
        let sentence = "It holds popups back now (\"do not disturb\")."
        var agent = Self.working
        var server = NotificationServerFacts(name: "cinnamon", vendor: "GNOME", version: "6.4.10")
        server.capabilities = ["actions", "body", "body-markup", "persistence"]
        #expect(Self.problems(Doctor.findings(agent, server, now: 0)).isEmpty)
        agent.status.heldBack = ["do-not-disturb"]
        for isInhibited in [nil, false, true] {
            server.isInhibited = isInhibited
            #expect(Self.problems(Doctor.findings(agent, server, now: 0)).map(\.sentence) == [sentence])
        }
        agent.status.heldBack = ["quiet"]
        #expect(Self.problems(Doctor.findings(agent, server, now: 0)).map(\.sentence) == [sentence])
    }

    @Test(
        "A notification server that does not answer is a problem",
        arguments: [
            ("org.freedesktop.DBus.Error.ServiceUnknown", "No notification server is running: popups cannot be shown."),
            (
                "org.freedesktop.DBus.Error.Spawn.ChildExited",
                "No notification server is running, and the installed one cannot be started: X."
            ),
            ("org.freedesktop.DBus.Error.Timeout", "The notification server does not answer: X."),
        ] as [(ErrorName, String)]
    )
    func noNotificationServer(name: ErrorName, sentence: String) {
        let facts = NotificationServerFacts(error: DBusError(name, "X."))
        #expect(Self.problems(facts.findings).map(\.sentence) == [sentence])
        #expect(facts.findings.map(\.level) == [.problem])
    }

    @Test(
        "Only a clicked test popup is ok",
        arguments: [
            (TestPopup.clicked, Finding.Level.ok), (.closed(reason: 1), .warning), (.closed(reason: 2), .warning),
            (.closed(reason: 3), .warning), (.closed(reason: 77), .warning), (.silence, .warning),
            (.failed(DBusError(.failed, "X.")), .problem),
        ]
    )
    func testPopups(end: TestPopup, level: Finding.Level) {
        let finding = end.finding(server: "gnome-shell")
        #expect(finding.level == level)
        #expect((finding.remedy == nil) == (level == .ok))
        if case .closed(2) = end {
            #expect(end.finding(server: "dunst").remedy?.contains("mouse_left_click") == true)
        }
    }

    @Test("The close button of Cinnamon, which reports no reason, is known") func cinnamon() {
        let sentence = TestPopup.closed(reason: 2).finding(server: "cinnamon").sentence
        #expect(TestPopup.closed(reason: 0).finding(server: "cinnamon").sentence == sentence)
        #expect(TestPopup.closed(reason: 0).finding(server: "gnome-shell").sentence != sentence)
    }

    private static let report = DoctorReport(findings: [
        Finding(.agent, .ok, account: "work", "One two three four five six."),
        Finding(.bus, .problem, "Seven\u{1B}[31m eight.", remedy: "Do nine ten eleven twelve thirteen."),
        Finding(.clock, .warning, "Late.", remedy: "Wait."),
    ])

    @Test("The report groups findings and shows a remedy below each problem") func text() throws {
        #expect(
            Self.report.text() == """
                Session
                  ✗ Seven[31m eight.
                    → Do nine ten eleven twelve thirteen.

                Network
                  ! Late.
                    → Wait.

                Account work
                  ✓ One two three four five six.

                Found 1 problem and 1 warning.

                """
        )
        #expect(Self.report.hasProblem)
        #expect(Self.report.json.text.hasPrefix(#"[{"account":"work","level":"ok","sentence":"One two"#))
        let passed = DoctorReport(findings: [Finding(.bus, .ok, "A.")])
        #expect(passed.text() == "Session\n  ✓ A.\n\nNo problems found.\n")
        #expect(!passed.hasProblem)
    }

    @Test("The report is wrapped to the width of the terminal") func narrowTerminal() {
        let lines = Self.report.text(for: Terminal(columns: 20, hasColors: true)).split(separator: "\n")
        #expect(lines.contains("    → Do nine ten"))
        #expect(lines.contains("      eleven twelve"))
        #expect(lines.contains("  \u{1B}[32m✓\u{1B}[0m One two three"))
        #expect(lines.contains("    four five six."))
        // Narrower than a word: one word on each line.
        #expect(Self.report.text(for: Terminal(columns: 1, hasColors: false)).contains("\n      thirteen.\n"))
    }
}
