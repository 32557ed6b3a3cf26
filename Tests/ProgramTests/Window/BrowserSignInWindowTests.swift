import AgentInterface
import AgentTestSupport
import DBus
import Sandbox
import TestSupport
import Testing

/// A sign-in with the browser that begins in the window.
@Suite(.sessionBus, .timeLimit(.minutes(5)), .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed"))
struct BrowserSignInWindowTests {
    @Test(
        "The button of the inbox opens the browser at once, and the notifications of the person appear",
        .sandbox(BrowserSignInCommandTests.options("anna"))
    )
    func signIn() async throws {
        try await withBus { bus in
            try await FakeSecretService(bus: bus).appear()
            try await TemporaryFile.with(BrowserSignInCommandTests.account()) { file in
                try await BuiltAgent.keepingState(beside: file) { agent in
                    try await agent.account.wait(AgentAccount.state, is: "unauthorized")
                    try await Sandbox.current.publish(["header": "Welcome", "text": "x"])
                    try await WindowScreen.with { screen in
                        try await screen.wait(for: "Sign in to get the notifications of work.")
                        try await screen.waitForFocus(where: { $0.name == "Sign In" })
                        func isButton(_ element: ScreenElement) -> Bool {
                            element.name == "Sign In" && element.role == "button"
                        }
                        #expect(try await screen.wait { $0.contains(where: isButton) }.count(where: isButton) == 1)
                        try await openSignIn(screen)
                        try await screen.waitForFocus(where: { $0.name == "Open Browser Again" })
                        let address = try await agent.opened.next()[0]
                        let focused = try await screen.focusEvents {
                            try await Person.answers(address, as: nil)
                            try await screen.waitForFocus(where: { $0.name.contains("did not allow the sign-in") })
                        }
                        #expect(
                            focused.contains { $0.name.contains("did not allow the sign-in") },
                            "also the first time"
                        )
                        try await screen.wait(for: "Sign In as Another Person")
                        try await screen.keepPicture("not-signed-in")
                        try await screen.press("Open Browser Again")
                        let next = try await agent.opened.next()[0]
                        let step = try await screen.wait(for: "Under way, Waiting for you to sign in")
                        // Orca says "not selected" of others.
                        #expect(!step.has(.selectable) || step.has(.selected))
                        try await screen.wait(for: "Done, Opening your browser")
                        try await screen.keepPicture("signing-in")
                        try await Person.answers(next, as: "anna")
                        try await screen.wait(for: "Signed in to work.")
                        let rows = try await screen.wait(rows: 1)
                        #expect(rows[0].contains("Welcome"))
                        try await screen.waitForNo("Sign In")
                    }
                }
            }
        }
    }

    @Test(
        "An account that signs in with the browser is added with the form, which goes on to the sign-in",
        .sandbox(BrowserSignInCommandTests.options("anna"), expectsNoViolations: false)
    )
    func add() async throws {
        let url = Sandbox.current.baseURL
        try await withBus { bus in
            try await FakeSecretService(bus: bus).appear()
            try await AccountsWindowTests.with { agent, file, screen in
                try await screen.openAccountForm()
                try await screen.fillAccount(user: "anna")
                try await screen.toggle("Sign In with the Browser")
                try await screen.fill("Address That Gives Tokens", url + "/elsewhere")
                let issuer = url + SimulatedSignIn.issuerPath
                try await screen.fill("Address of the Server to Sign In To", issuer)
                try await screen.fill("Client ID", "feedbell")
                try await screen.fillAddresses(url)
                try await screen.press("Add")
                try await screen.waitForFocus(where: { $0.name == "Address That Gives Tokens" })
                try await screen.keepPicture("browser-account-form")
                #expect(!file.ofAccount("work").exists)
                try await screen.fill("Address That Gives Tokens", url + SimulatedSignIn.backendPath)
                try await screen.press("Add")
                let host = url.split(separator: "/").last.map(String.init) ?? ""
                try await screen.wait(for: "Sign in at \(host) with your browser, then come back.")
                try await Person.answers(try await agent.opened.next()[0], as: "anna")
                try await agent.account.wait(AgentAccount.state, is: "online")
                try await screen.waitForNo("Open Browser Again")
                try await screen.wait(for: "No Notifications")
            }
        }
    }

    @Test(
        "A file that is opened fills the form and does nothing else",
        .sandbox(BrowserSignInCommandTests.options("anna"))
    )
    func file() async throws {
        let sandbox = Sandbox.current
        let host = try #require(sandbox.baseURL.split(separator: "/").last.map(String.init))
        try await AccountsWindowTests.with { agent, file, screen in
            let proposal = TemporaryFile(path: file.directory + "/home.feedbell")
            try proposal.write(AccountLinkCommandTests.file(sandbox))
            let application = Proxy(agent.root.bus, AgentNames.applicationName, AgentNames.applicationPath)
            try await application.call(DesktopApplication.open, ["file://" + proposal.path], [:])
            try await screen.wait(for: "A link or a file proposes these values.")
            try await screen.wait(for: "You sign in at \(host). \(host) learns who you are.")
            try await screen.focus("Add Account")
            try await screen.keepPicture("proposed-account")
            try await screen.fill("Your User ID, Often Your E-Mail Address", "anna")
            try await screen.wait { $0.contains { $0.name == "Add" && $0.has(.sensitive) } }
            #expect(await sandbox.requests.isEmpty, "nothing was asked")
            #expect(!file.ofAccount("home").exists)
            try await screen.key("Escape")
            try await screen.answer("Discard")
            try await screen.waitForNo("proposes these values")
            try proposal.write("provider = \"suprsend\"\ntoken_command = [\"x\"]\n")
            try await application.call(DesktopApplication.open, ["file://" + proposal.path], [:])
            try await screen.wait(for: "It contains \"token_command\", which is not allowed")
            try await screen.keepPicture("refused-link")
        }
    }

    private func openSignIn(_ screen: WindowScreen) async throws {
        func isOpen(_ elements: [ScreenElement]) -> Bool {
            elements.contains { $0.name == "Open Browser Again" }
        }
        // The button goes while the agent tries to connect, and with it a press.
        while try await !isOpen(screen.elements()) {
            try await screen.press("Sign In")
            for _ in 0..<40 where try await !isOpen(screen.elements()) {
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}
