import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Accounts and settings in the built window, operated by their controls.
@Suite(
    .sessionBus,
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct AccountsWindowTests {
    private static let token = SandboxToken.make(entityID: "anna", expiresAt: 4_102_444_800)

    /// Runs the window beside an agent; the programs that the window starts have the agent's configuration.
    static func with(
        _ configuration: String = "",
        _ body: (BuiltAgent, TemporaryFile, WindowScreen) async throws -> Void
    ) async throws {
        try await TemporaryFile.with(configuration) { file in
            let home = file.directory + "-home"
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: home) }
            try FileManager.default.createSymbolicLink(atPath: home + "/feedbell", withDestinationPath: file.directory)
            try await BuiltAgent.alone(file) { agent in
                try await WindowScreen.with(environment: ["XDG_CONFIG_HOME": home]) { screen in
                    try await body(agent, file, screen)
                }
            }
        }
    }

    /// Adds an account with the command, which does not ask the service.
    ///
    /// - Parameter owner: The user whose token it gets; nil: its own.
    static func addAccount(
        _ name: String = "work",
        user: String = "anna",
        tokenOf owner: String? = nil,
        to file: TemporaryFile
    ) async throws {
        let url = Sandbox.current.baseURL
        let options = ["--hub-url", url, "--api-url", url, "--socket-url", url, "--config", file.path]
        let arguments = [name, "--token-stdin"] + AccountsCommand.required(user: user) + options
        let token = SandboxToken.make(entityID: owner ?? user, expiresAt: 4_102_444_800)
        let added = try await AccountsCommand.add(arguments, input: token)
        #expect(added.status == .exited(0), "\(added.errors)")
    }

    @Test(
        "The first account is added with a form, which the service checks",
        .sandbox(users: ["anna"], expectsNoViolations: false)
    )
    func firstAccount() async throws {
        let url = Sandbox.current.baseURL
        try await Self.with { agent, file, screen in
            try await screen.openAccountForm()
            try await screen.fillAccount(user: "nobody")
            try await screen.fill("User Token (optional)", Self.token)
            try await screen.fillAddresses(url)
            try await screen.keepPicture("account-form")
            try await screen.press("Add")
            // The token is of another user.
            try await screen.wait(for: "nobody")
            #expect(!file.ofAccount("work").exists)
            try await screen.waitForFocus(where: { $0.role == "alert" && $0.name.contains("nobody") })
            // User or token may be wrong: a change of either is worth another try.
            #expect(try await screen.wait(for: "Add", role: "button").has(.sensitive))
            try await screen.fill("Your User ID, Often Your E-Mail Address", "anna")
            try await screen.press("Add")
            try await agent.root.wait(AgentRoot.accounts, is: [AgentNames.accountPath("work")])
            try await agent.account.wait(AgentAccount.state, is: "online")
            try await screen.wait(for: "No Notifications")
            #expect(file.ofAccount("work").exists)
        }
    }

    @Test("An account is tested and removed on the page of the accounts", .sandbox(users: ["anna"])) func accounts()
        async throws
    {
        try await Self.with { agent, file, screen in
            try await Self.addAccount(to: file)
            try await screen.wait(for: "No Notifications")
            try await screen.openPreferences()
            try await screen.openPage("Accounts")
            try await screen.expand("work")
            try await screen.activate("Find Problems, work")
            try await screen.wait(for: "No Problems Found")
            try await screen.waitForFocus(where: { $0.name == "Find Problems, work" })
            try await screen.keepPicture("accounts")
            try await screen.activate("Remove Account, work")
            try await screen.answer("Remove")
            try await agent.root.wait(AgentRoot.accounts, is: [])
            try await screen.wait(for: "Welcome to Feedbell")
            // The pages are others, and the one of the accounts is still in front.
            try await screen.wait { $0.contains { $0.name == "Accounts" && $0.role == "tab" && $0.has(.selected) } }
            #expect(!file.ofAccount("work").exists)
        }
    }

    @Test(
        "A refused token is replaced with a form, which the inbox offers",
        .sandbox(users: ["anna", "bob"], expectsNoViolations: false)
    )
    func signIn() async throws {
        try await Self.with { agent, file, screen in
            try await Self.addAccount(tokenOf: "bob", to: file)
            try await agent.root.wait(AgentRoot.accounts, is: [AgentNames.accountPath("work")])
            try await agent.account.wait(AgentAccount.state, is: "unauthorized")
            try await screen.press("Sign In")
            try await screen.fill("New Token", Self.token)
            try await screen.keepPicture("sign-in")
            // The button of the inbox has the same name.
            func submit() async throws -> Bool {
                let elements = try await screen.wait { $0.last { $0.name == "Sign In" }?.has(.sensitive) == true }
                return try await elements.last { $0.name == "Sign In" && $0.role == "button" }?.press() == true
            }
            // One that goes meanwhile has a successor.
            while try await !submit() { try Task.checkCancellation() }
            try await agent.account.wait(AgentAccount.state, is: "online")
            try await screen.waitForNo("Sign In")
        }
    }

    @Test("Settings are written beside the user's file, which decides over them") func settings() async throws {
        try await Self.with("[popups]\npictures = false\n") { agent, file, screen in
            try await screen.wait(for: "Welcome to Feedbell")
            try await screen.openSettings("Popups")
            let pictures = try await screen.wait { $0.contains { $0.name == "Pictures" && $0.isSwitch } }
                .first { $0.name == "Pictures" && $0.isSwitch }
            #expect(pictures?.has(.sensitive) == false && pictures?.has(.checked) == false)
            try await screen.keepPicture("settings")
            let settings = TemporaryFile(path: file.directory + "/settings.toml")
            func wait(for line: String) async throws {
                try await waiting(for: "\(line)") { (try? settings.read().contains(line)) == true }
            }
            try await screen.key("Tab", until: { $0.role == "combo box" && $0.name.contains("Locked Screen") })
            try await screen.key("space")
            try await screen.wait { $0.contains { $0.role == "list item" && $0.name.isEmpty && $0.has(.focused) } }
            for key in ["End", "Return"] { try await screen.key(key) }
            try await wait(for: "locked = \"hold\"")
            try await screen.openPage("Advanced")
            // Screen readers get the text, not its markup.
            try await screen.wait { $0.contains { $0.name == "Number on the Launcher's Icon" } }
            try await screen.keepPicture("settings-advanced")
            try await screen.toggle("Tray Icon")
            try await wait(for: "tray_icon = false")
        }
    }
}
