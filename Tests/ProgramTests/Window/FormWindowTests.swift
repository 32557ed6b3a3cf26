import AgentInterface
import AgentTestSupport
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
    @Test("Each field says its label and what is wrong, a token is not spoken, and Enter leads to what is missing")
    func byEar() async throws {
        try await AccountsWindowTests.with { agent, file, screen in
            try await screen.openAccountForm()
            let service = try await screen.waitForFocus(where: { $0.name == "Service" })
            #expect(try await service.proxy.get(Accessible.description) == "SuprSend")
            let labels = [
                "Name of the Account", "Public Key of the Workspace", "Your User ID, Often Your E-Mail Address",
                "User Token (optional)",
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
            try await screen.wait { $0.contains { $0.name == "Add" && $0.role == "button" && !$0.has(.sensitive) } }
            try await screen.type("SS.PUBK.sandbox")
            try await screen.waitForFocus(where: { $0.name == "Public Key of the Workspace" })
            #expect(try await key.proxy.get(Accessible.description) == "")
            // Another program gives the name to an account.
            try await AccountsWindowTests.addAccount(to: file)
            try await screen.wait(for: "Another account has this name.")
            try await screen.keepPicture("used-name")
        }
    }

    @Test("A list that is open while its rows are made again does not keep the input") func openList() async throws {
        try await AccountsWindowTests.with { agent, file, screen in
            try await AccountsWindowTests.addAccount(to: file)
            try await screen.wait(for: "No Notifications")
            try await screen.openPreferences()
            try await screen.key("Tab", until: { $0.role == "combo box" })
            try await screen.key("space")
            try await screen.wait { $0.contains { $0.role == "list item" && $0.name.isEmpty && $0.has(.focused) } }
            try await AccountsWindowTests.addAccount("home", user: "bob", to: file)
            try await screen.wait { $0.contains { $0.name == "Account" && $0.role == "combo box" } }
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
                try await screen.openAccountForm()
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
                try await screen.openSettings("Quiet Hours")
                if !settings.exists { try await screen.toggle("Quiet Hours") }
                // It moves while the rows of the quiet hours appear.
                _ = try await screen.place(of: try await screen.wait(for: "From, Quiet Hours", role: "text box"))
                try await screen.fill("From, Quiet Hours", time)
                try await screen.key("Escape")
                try await screen.waitForNo("From, Quiet Hours")
                try await screen.focus("Feedbell")
            }
            try await screen.wait(for: "Welcome to Feedbell")
            try await leave(with: "9:30 pm")
            try await waiting(for: "the setting", seeing: { try settings.read() }) { $0.contains("from = \"21:30\"") }
            try await leave(with: "25:99")
            try await screen.wait(for: "\"25:99\" is not a valid time.")
            #expect(try settings.read().contains("from = \"21:30\""))
        }
    }

    @Test("A title without a text below it is in the middle of its row") func titles() async throws {
        try await AccountsWindowTests.with { _, _, screen in
            try await screen.wait(for: "Welcome to Feedbell")
            try await screen.key("ctrl+comma")
            try await screen.openPage("Popups")
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
            try await screen.openSettings("Popups")
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
