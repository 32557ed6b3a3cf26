import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// A real notification server with a real window, clicked with a real pointer. The screenshots stay as artefacts.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct DunstTests {
    @Test("A click with the pointer on a popup of dunst opens its link", .sandbox(users: ["anna"])) func click()
        async throws
    {
        let sandbox = Sandbox.current
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try await VirtualDisplay.with(width: 800, height: 400) { display in
                try await withDunst(on: display, in: file.directory) { bus in
                    try await BuiltAgent.alone { agent in
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        try await sandbox.waitForConnection()
                        try await click(display, agent.opened, sandbox)
                    }
                }
            }
        }
    }

    @Test("The pause of dunst is reported as do-not-disturb") func doNotDisturb() async throws {
        try await TemporaryFile.with(AgentConfiguration.account(url: "http://127.0.0.1:1")) { file in
            try await VirtualDisplay.with(width: 800, height: 400) { display in
                try await withDunst(on: display, in: file.directory) { _ in
                    try await BuiltAgent.alone(file) { agent in
                        for isPaused in [true, false, true] {
                            _ = try await run("dunstctl", ["set-paused", "\(isPaused)"], display)
                            try await agent.root.wait(AgentRoot.heldBack, is: isPaused ? ["do-not-disturb"] : [])
                        }
                    }
                }
            }
        }
    }

    /// dunst sends click signals only to the connection that showed the popup, which is closed.
    @Test("A click on a popup of a killed agent is handled", .sandbox(users: ["anna"]))
    func clickAfterKill() async throws {
        let sandbox = Sandbox.current
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try await VirtualDisplay.with(width: 800, height: 400) { display in
                try await withDunst(on: display, in: file.directory) { bus in
                    var ids: [String] = []
                    try await BuiltAgent.keepingState(beside: file) { agent in
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        _ = try await sandbox.waitForConnection()
                        for name in ["One", "Two"] {
                            ids.append(try await sandbox.publish(["header": .string(name), "text": "x"]))
                            try await displayed(ids.count, display)
                        }
                        agent.program.send(SIGKILL)
                        await agent.program.ended()
                    }
                    // The user closes one: dunst reports it as closed.
                    _ = try await run("dunstctl", ["close"], display)
                    try await displayed(1, display)
                    try await BuiltAgent.keepingState(beside: file) { agent in
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        // When this one is there, those of before are taken over.
                        _ = try await sandbox.publish(["header": "new", "text": "x"])
                        try await displayed(2, display)
                        for left in [1, 0] {
                            _ = try await run("dunstctl", ["action", "0"], display)
                            try await displayed(left, display)
                        }
                        let interacted = try await sandbox.wait { state in
                            let paths = state.requests.map(\.path).filter { $0.hasSuffix("/interacted") }
                            return paths.count == 2 ? paths : nil
                        }
                        #expect(interacted.contains { path in ids.contains { path.contains($0) } })
                    }
                }
            }
        }
    }

    @Test("dunst shows what a rule sets, and one popup for a thread", .sandbox(users: ["anna"])) func rules()
        async throws
    {
        let sandbox = Sandbox.current
        let icon = Checkout.root.appending(path: "packaging/installed/icons/org.feedbell.Agent-128.png").path
        let rules = """
            [[rules]]
            category = "builds"
            title = "*failed"
            urgency = "critical"
            replace = "category"
            icon = "\(icon)"
            timeout = "never"

            """
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try await VirtualDisplay.with(width: 800, height: 400) { display in
                try await withDunst(on: display, in: file.directory) { bus in
                    try await BuiltAgent.alone(AgentConfiguration.account() + rules) { agent in
                        try await agent.account.wait(AgentAccount.state, is: "online")
                        try await sandbox.waitForConnection()
                        for number in 1...2 {
                            _ = try await sandbox.publish([
                                "header": .string("Build \(number) failed"), "text": "see the log",
                                "n_category": "builds",
                            ])
                            try await agent.program.wait(for: "popup shown", times: number)
                        }
                        try await displayed(1, display)
                        _ = try await sandbox.publish(["header": "Lunch", "text": "at noon"])
                        try await displayed(2, display)
                        let history = try await run("dunstctl", ["count", "history"], display)
                        #expect(history == "0", "the first popup was replaced, not closed")
                        try await screenshot("rules", display)
                    }
                }
            }
        }
    }

    private func displayed(_ count: Int, _ display: String) async throws {
        try await waiting(for: "\(count) popups", every: .milliseconds(50)) {
            try await run("dunstctl", ["count", "displayed"], display)
        } until: {
            $0 == "\(count)"
        }
    }

    private func click(_ display: String, _ opened: OpenedAddresses, _ sandbox: Sandbox) async throws {
        let id = try await sandbox.publish([
            "header": "Half price on keyboards & mice", "text": "For **ten** more minutes: a < b > c",
            "subtext": ["text": "Shop"], "url": "https://shop.example.com/keyboards",
        ])
        try await displayed(1, display)
        var place: [String: Int] = [:]
        while place["WIDTH"] == nil {
            let window = try await run("xdotool", ["search", "--onlyvisible", "--class", "Dunst"], display).split(
                separator: "\n"
            ).last
            guard let window else { continue }
            for line in try await run("xdotool", ["getwindowgeometry", "--shell", String(window)], display).split(
                separator: "\n"
            ) {
                let parts = line.split(separator: "=")
                if parts.count == 2 { place[String(parts[0])] = Int(parts[1]) }
            }
        }
        try await screenshot("popup", display)
        let (x, y) = (try #require(place["X"]) + 40, try #require(place["Y"]) + 20)
        _ = try await run(
            "xdotool",
            ["mousemove", "\(x - 3)", "\(y - 3)", "mousemove", "\(x)", "\(y)", "click", "1"],
            display
        )
        _ = try await sandbox.waitForRequest { $0.path == "/v1/feed/notifications/\(id)/interacted" }
        #expect(try await opened.next().first == "https://shop.example.com/keyboards")
        try await displayed(0, display)
        try await screenshot("clicked", display)
    }

    private func withDunst(on display: String, in directory: String, _ body: (Bus) async throws -> Void) async throws {
        try Data("[global]\nmouse_left_click = do_action, close_current\nmarkup = full\n".utf8).write(
            to: URL(filePath: directory + "/dunstrc")
        )
        let environment: [Environment.Key: String?] = ["DISPLAY": display, "HOME": directory]
        try await RunningProgram.with("dunst", ["-conf", directory + "/dunstrc"], environment: environment) {
            _ in
            try await withBus { bus in
                try await bus.waitForOwner(of: FreedesktopNotifications.busName)
                try await body(bus)
            }
        }
    }

    private func run(_ program: String, _ arguments: [String], _ display: String) async throws -> String {
        let outcome = try await Programs.run(program, arguments, environment: ["DISPLAY": display])
        return outcome.output.split(separator: "\n").joined(separator: "\n")
    }

    private func screenshot(_ name: String, _ display: String) async throws {
        guard let directory = ProcessInfo.processInfo.environment["FEEDBELL_TEST_ARTIFACTS"] else { return }
        _ = try await run("import", ["-window", "root", "\(directory)/dunst-\(name).png"], display)
    }
}
