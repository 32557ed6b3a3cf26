import AgentInterface
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Forms of the built window, by pointer, by keys, and as screen readers see them.
@Suite(
    .sessionBus,
    .sandbox(users: ["anna", "bob"], expectsNoViolations: false),
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct FormWindowTests {
    private func addAccount(_ name: String, user: String, to file: TemporaryFile) async throws {
        let url = Sandbox.current.baseURL
        let options = ["--hub-url", url, "--api-url", url, "--socket-url", url, "--config", file.path]
        let arguments = [name, "--token-stdin", "--no-secret-service"] + AccountsCommand.required(user: user) + options
        let token = SandboxToken.make(entityID: user, expiresAt: 4_102_444_800)
        let added = try await AccountsCommand.add(arguments, input: token)
        #expect(added.status == .exited(0), "\(added.errors)")
    }

    @Test("Each field says its label, a token is not spoken, and Enter leads to what is missing") func byEar()
        async throws
    {
        try await AccountsWindowTests.with { agent, file, screen in
            try await screen.press("Add Account")
            try await screen.focus("Add Account")
            let service = try await screen.waitForFocus(where: { $0.name == "Service" })
            #expect(try await service.proxy.get(Accessible.description) == "SuprSend")
            let labels = [
                "Name of the Account", "Public Key of the Workspace", "Your User ID, Often Your E-Mail Address",
                "Tenant (default if empty)", "User Token (optional)",
            ]
            for label in labels {
                try await screen.key("Tab")
                try await screen.waitForFocus(where: { $0.name == label && $0.role == "text box" })
            }
            let token = try #require(try await screen.focused())
            #expect(try await token.proxy.call(Accessible.getRole) == ScreenElement.passwordRole)
            try await screen.type("secret")
            #expect(try await token.proxy.call(AccessibleText.getText, 0, -1) == "")
            try await screen.keepPicture("form-by-ear")
            try await screen.key("Return")
            let key = try await screen.waitForFocus(where: { $0.name == "Public Key of the Workspace" })
            #expect(try await key.proxy.get(Accessible.description) == "This is needed.")
            try await screen.type("SS.PUBK.sandbox")
            try await screen.waitForFocus(where: { $0.name == "Public Key of the Workspace" })
            #expect(try await key.proxy.get(Accessible.description) == "")
        }
    }

    @Test("A name that a program has given to an account meanwhile cannot be used") func usedName() async throws {
        try await AccountsWindowTests.with { agent, file, screen in
            try await screen.press("Add Account")
            try await screen.focus("Add Account")
            try await screen.fill("Public Key of the Workspace", "SS.PUBK.sandbox")
            try await screen.fill("Your User ID, Often Your E-Mail Address", "bob")
            try await screen.wait { $0.contains { $0.name == "Add" && $0.has(.sensitive) } }
            try await addAccount("work", user: "anna", to: file)
            try await screen.wait(for: "Another account has this name.")
            try await screen.key("Tab", until: { $0.role == "text box" })
            try await screen.key("Return")
            let name = try await screen.waitForFocus(where: { $0.name == "Name of the Account" })
            #expect(try await name.proxy.get(Accessible.description) == "Another account has this name.")
            #expect(try await screen.wait(for: "Add", role: "button").has(.sensitive) == false)
            try await screen.keepPicture("used-name")
            try await screen.fill("Name of the Account", "home")
            try await screen.wait { $0.contains { $0.name == "Add" && $0.has(.sensitive) } }
        }
    }

    @Test("A list that is open while its rows are made again does not keep the input") func openList() async throws {
        try await AccountsWindowTests.with { agent, file, screen in
            try await addAccount("work", user: "anna", to: file)
            try await screen.wait(for: "No Notifications")
            try await screen.key("ctrl+comma")
            try await screen.wait(for: "Refund news")
            try await screen.focus("Preferences")
            try await screen.key("Tab", until: { $0.role == "combo box" })
            try await screen.key("space")
            try await screen.wait { $0.contains { $0.role == "list item" && $0.name.isEmpty && $0.has(.focused) } }
            try await addAccount("home", user: "bob", to: file)
            try await screen.wait { $0.contains { $0.name == "home: Notifications" && $0.role == "tab" } }
            try await screen.waitForFocus(where: { _ in true })
            try await screen.key("Tab", until: { $0.role == "tab" })
            // The header has tabs, too, which are hidden if they have no room.
            var accounts: ScreenElement?
            for tab in try await screen.elements() where tab.name == "Accounts" && tab.role == "tab" {
                if let place = try await tab.extents(), place.height > 0 { accounts = tab }
            }
            try await screen.click(#require(accounts))
            try await screen.wait { $0.contains { $0.name == "Accounts" && $0.role == "tab" && $0.has(.selected) } }
            try await screen.key("Escape")
            try await screen.waitForNo("Accounts")
        }
    }

    @Test("Escape in a form asks before what was typed is lost") func discarding() async throws {
        try await AccountsWindowTests.with { _, _, screen in
            func open() async throws {
                try await screen.focus("Feedbell")
                try await screen.press("Add Account")
                try await screen.focus("Add Account")
                try await screen.waitForFocus(where: { $0.name == "Service" })
            }
            try await open()
            try await screen.key("Escape")
            try await screen.waitForNo("Name of the Account")
            try await open()
            try await screen.fill("Public Key of the Workspace", "SS.PUBK.x")
            try await screen.key("Escape")
            try await screen.wait(for: "Discard Changes?")
            try await screen.keepPicture("discard")
            try await screen.answer("Cancel")
            try await screen.waitForNo("Discard Changes?")
            // What was typed is still there.
            try await screen.press("Cancel")
            try await screen.answer("Discard")
            try await screen.waitForNo("Name of the Account")
        }
    }

    @Test("A time that is left by Escape is applied, or refused with a sentence") func typedTime() async throws {
        try await AccountsWindowTests.with { _, file, screen in
            let settings = TemporaryFile(path: file.directory + "/settings.toml")
            func leave(with time: String) async throws {
                try await screen.key("ctrl+comma")
                try await screen.openPage("Settings")
                try await screen.focus("Preferences")
                if !settings.exists { try await screen.toggle("Quiet Hours") }
                try await screen.fill("From, Quiet Hours", time)
                try await screen.key("Escape")
                try await screen.waitForNo("Tray Icon")
                try await screen.focus("Feedbell")
            }
            try await screen.wait(for: "Welcome to Feedbell")
            try await leave(with: "21:30")
            try await waiting(for: "the setting", seeing: { try settings.read() }) { $0.contains("from = \"21:30\"") }
            try await leave(with: "25:99")
            try await screen.wait(for: "This value is not possible.")
            #expect(try settings.read().contains("from = \"21:30\""))
        }
    }

    @Test("A title without a text below it is in the middle of its row") func titles() async throws {
        try await AccountsWindowTests.with { _, _, screen in
            try await screen.wait(for: "Welcome to Feedbell")
            try await screen.key("ctrl+comma")
            try await screen.openPage("Settings")
            let elements = try await screen.wait { elements in
                ["list item", "label"].allSatisfy { role in
                    elements.contains { $0.name == "Pause for an Hour" && $0.role == role }
                }
            }
            func middle(_ role: String) async throws -> Int32 {
                let element = try #require(elements.first { $0.name == "Pause for an Hour" && $0.role == role })
                let (_, y, _, height) = try await screen.place(of: element).elements
                return y + height / 2
            }
            #expect(abs(try await middle("list item") - middle("label")) <= 2)
        }
    }

    /// How the switch is operated.
    enum Device: CaseIterable { case pointer, keyboard, screenReader }

    @Test("One press of a switch is one call, and ends a pause with an end", arguments: Device.allCases)
    func popups(_ device: Device) async throws {
        try await AccountsWindowTests.with { agent, _, screen in
            try await screen.wait(for: "Welcome to Feedbell")
            try await screen.key("ctrl+comma")
            try await screen.openPage("Settings")
            try await screen.focus("Preferences")
            let isSwitch = { (element: ScreenElement) in element.name == "Show Popups" && element.isSwitch }
            func press(expecting isPaused: Bool) async throws {
                let element = try #require(
                    try await screen.wait { $0.contains(where: isSwitch) }.first(where: isSwitch)
                )
                switch device {
                case .pointer: try await screen.click(element)
                case .keyboard: try await screen.activate("Show Popups")
                case .screenReader: try await screen.toggle("Show Popups")
                }
                try await screen.wait { $0.contains { isSwitch($0) && $0.has(.checked) != isPaused } }
                // A second call would come soon.
                try await Task.sleep(for: .seconds(1))
                #expect(try await agent.root.get(AgentRoot.paused) == isPaused)
                #expect(try await screen.elements().contains { isSwitch($0) && $0.has(.checked) != isPaused })
            }
            let traffic = try await BusTraffic.recorded {
                try await press(expecting: true)
                #expect(try await agent.root.get(AgentRoot.pausedUntil) == 0)
                try await press(expecting: false)
            }
            #expect(traffic.count(of: "Pause") == 1 && traffic.count(of: "Resume") == 1)
            let until = SandboxTrait.realTime() + 3_600_000
            try await agent.root.call(AgentRoot.pause, until)
            try await screen.wait { $0.contains { isSwitch($0) && !$0.has(.checked) } }
            let later = try await BusTraffic.recorded { try await press(expecting: false) }
            #expect(later.count(of: "Pause") == 0 && later.count(of: "Resume") == 1)
        }
    }
}
