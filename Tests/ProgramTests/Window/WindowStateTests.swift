import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The window without a service, an account or an agent, and its appearance.
@Suite(
    .sessionBus,
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct WindowStateTests {
    @Test("Without an agent, it says why, and shows the inbox when there is one", .sandbox(users: ["anna"]))
    func noAgent() async throws {
        try await WindowScreen.with { screen in
            try await screen.wait(for: "Feedbell Is Not Running")
            try await screen.keepPicture("no-agent")
            try await BuiltAgent.alone { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
                try await screen.wait(for: "No Notifications")
            }
        }
    }

    @Test("If the agent cannot start because of a file, it says the file, the line and what to do") func failedStart()
        async throws
    {
        try await TemporaryFile.with("[popups]\ntimeout =\n", named: "config.toml") { file in
            let home = file.directory + "/home"
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: home + "/feedbell", withDestinationPath: file.directory)
            let service = "[D-BUS Service]\nName=\(AgentNames.busName)\nExec=/bin/false\n"
            try await SessionBus.running(serviceFiles: ["\(AgentNames.busName).service": service]) {
                try await WindowScreen.with(environment: ["XDG_CONFIG_HOME": home]) { screen in
                    try await screen.wait(for: "Feedbell Is Not Running")
                    try await screen.wait { elements in
                        ["config.toml:2: ", "Correct the file, then press Start."].allSatisfy { text in
                            elements.contains { $0.name.contains(text) }
                        }
                    }
                    try await screen.keepPicture("failed-start")
                    try await screen.key("ctrl+comma")
                    try await screen.openPage("Popups")
                    try await screen.wait(for: "Correct the file, then come back to this window.")
                }
            }
        }
    }

    @Test("Without an account, it says how to add one, and writes no core files with its token") func noAccount()
        async throws
    {
        try await BuiltAgent.alone("") { _ in
            try await WindowScreen.with { screen in
                try await screen.wait(for: "Add Account")
                try await AgentProcessTests.waitForNoCoreFiles(screen.program, named: "feedbell-window")
            }
        }
    }

    @Test("Without the service, the list stays, below a line that says so and a button that tries now") func offline()
        async throws
    {
        let port = try LastingPort.next()
        let options = SandboxOptions(port: port, users: ["anna"])
        try await TemporaryFile.with(AgentConfiguration.account(url: "http://127.0.0.1:\(port)")) { file in
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await Sandbox.with(options) { sandbox in
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    try await sandbox.publish(["header": "One", "text": "x"])
                    try await agent.waitForList(count: 1)
                }
                try await WindowScreen.with { screen in
                    try await screen.wait(for: "Not connected.")
                    try await screen.wait(rows: 1)
                    try await screen.keepPicture("offline")
                    try await Sandbox.with(options) { sandbox in
                        // Unless the agent's own attempt comes first.
                        try await screen.press(
                            "Try Now",
                            unless: { !$0.contains { $0.name.contains("Not connected.") } }
                        )
                        try await screen.waitForNo("Not connected.")
                    }
                }
            }
        }
    }

    /// Shows the window with the notifications "Lunch" and "Sale", of an agent that keeps them.
    private func withSearch(_ body: (WindowScreen, _ sale: String) async throws -> Void) async throws {
        let sandbox = Sandbox.current
        try await TemporaryFile.with(AgentConfiguration.account()) { file in
            try await BuiltAgent.keepingState(beside: file) { agent in
                try await agent.account.wait(AgentAccount.state, is: "online")
                let sale = try await sandbox.publish(["header": "Sale", "text": "Half price", "n_category": "shop"])
                try await sandbox.publish(["header": "Lunch", "text": "at noon"])
                try await agent.waitForList(count: 2)
                try await WindowScreen.with { screen in
                    try await screen.wait(rows: 2)
                    try await screen.waitForFocusedRow()
                    try await body(screen, sale)
                }
            }
        }
    }

    @Test(
        "The search finds as one types, over all that is kept, says how many, and marks archived ones",
        .sandbox(users: ["anna"])
    )
    func search() async throws {
        try await withSearch { screen, sale in
            #expect(try await Programs.run("feedbell", ["archive", sale]).status == .exited(0))
            try await screen.wait(rows: 1)
            try await screen.key("ctrl+f")
            try await screen.waitForFocusedEntry()
            // Keys go to an entry, which screen readers see otherwise than a row.
            try await screen.hear("1 notification found") { try await screen.type("noo") }
            #expect(try await screen.wait(rows: 1)[0].contains("Lunch"))
            try await screen.type("x")
            try await screen.wait(for: "Nothing Found")
            try await screen.key("ctrl+a")
            try await screen.type("sal")
            try await screen.wait(for: "Sale, Archived, shop, ", role: "list item")
            try await screen.wait(rows: 1)
            try await screen.wait(for: "Archived · shop", role: "label")
            try await screen.keepPicture("search-archived")
            try await screen.key("Escape")
            try await screen.wait { $0.contains { $0.role == "list item" && $0.name.contains("Lunch, ") } }
        }
    }

    @Test("The text of a notification is copied by key and by menu", .sandbox(users: ["anna"])) func copy()
        async throws
    {
        try await withSearch { screen, _ in
            try await screen.key("ctrl+c")
            try await screen.wait(for: "Text copied.")
            try await searchForCopy(of: "Lunch", "at noon", on: screen)
            try await screen.key("Escape")
            try await screen.wait(rows: 2)
            try await screen.waitForFocus(where: { $0.role == "list item" })
            try await screen.key("End", "Menu")
            try await screen.choose("Copy Text")
            try await screen.waitForFocus(where: { $0.role == "list item" })
            try await searchForCopy(of: "Sale", "Half price", on: screen)
        }
    }

    /// Pastes what was copied into the search, which finds it.
    private func searchForCopy(of texts: String..., on screen: WindowScreen) async throws {
        try await screen.key("ctrl+f")
        try await screen.waitForFocusedEntry()
        try await screen.key("ctrl+a", "ctrl+v")
        let row = try await screen.wait(rows: 1)[0]
        #expect(texts.allSatisfy(row.contains), "\(row)")
    }

    @Test(
        "It is readable in each appearance, with both services",
        arguments: ["light", "dark", "german", "japanese", "narrow", "right-to-left", "large-text"]
    )
    func appearance(_ appearance: String) async throws {
        let suprSend = SandboxOptions(users: ["anna"])
        try await Sandbox.with(suprSend) { work in
            try await Sandbox.with(.magicBell()) { home in
                try await work.execute("samples")
                try await home.execute("samples")
                let tabs = """
                    [[accounts.work.stores]]
                    id = "builds"
                    label = "Builds"
                    tags = ["builds"]

                    """
                let account = AgentConfiguration.account(url: work.baseURL) + tabs
                let text = account + AgentConfiguration.magicBell("home", sandbox: home)
                try await BuiltAgent.alone(text) { agent in
                    for name in ["work", "home"] {
                        try await agent.account(name).wait(AgentAccount.state, is: "online")
                    }
                    try await Catalogues.with { catalogues in
                        try await show(appearance, catalogues)
                    }
                }
            }
        }
    }

    private func show(_ appearance: String, _ catalogues: Catalogues) async throws {
        var environment: [Environment.Key: String?] = [:]
        var size = (640, 780)
        switch appearance {
        case "dark": environment["ADW_DEBUG_COLOR_SCHEME"] = "prefer-dark"
        case "german": environment = catalogues.environment("de")
        case "japanese": environment = catalogues.environment("ja")
        case "narrow": size = (360, 780)
        // GTK's own translation makes the window right-to-left.
        case "right-to-left": environment = catalogues.environment("he")
        default: break
        }
        let textScale = appearance == "large-text" ? 2.0 : 1
        try await WindowScreen.with(size: size, environment: environment, textScale: textScale) { screen in
            if appearance == "narrow" { try await screen.resize(width: 360, height: 780) }
            // GTK 4.10 and later tell only of the rows on the screen.
            let rows = try await screen.wait {
                $0.contains { $0.role == "list item" && $0.name.contains("Carla Ruiz asks for your approval") }
            }
            if appearance == "german" { #expect(rows.contains { $0.name.contains("Ungelesen") }) }
            // Every control has a name.
            let nameless = rows.filter { element in
                let isNamed = !element.name.isEmpty && !element.name.hasPrefix("Gtk") && !element.name.hasPrefix("Adw")
                return element.role.contains("button") && !isNamed && element.has(.sensitive)
            }
            #expect(nameless.isEmpty, "\(nameless.map(\.proxy.path))")
            try await screen.keepPicture(appearance)
        }
    }
}
