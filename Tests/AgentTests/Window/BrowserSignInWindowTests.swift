import AgentInterface
import DBus
import FakeSecretService
import Sandbox
import TestSupport
import Testing

/// A sign-in with the browser that begins in the window.
@Suite(.sessionBus, .timeLimit(.minutes(5)), .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed"))
struct BrowserSignInWindowTests {
    @Test(
        "The button of the inbox opens the browser, and the notifications of the person appear",
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
                        try await screen.wait(for: "Sign in to get its notifications.")
                        try await openBrowser(screen)
                        try await Person.answers(try await agent.opened.next()[0], as: nil)
                        try await screen.wait(for: "did not allow the sign-in")
                        try await screen.keepPicture("not-signed-in")
                        try await screen.answer("Close")
                        try await openBrowser(screen)
                        try await Person.answers(try await agent.opened.next()[0], as: "anna")
                        let rows = try await screen.wait(rows: 1)
                        #expect(rows[0].contains("Welcome"))
                        try await screen.waitForNo("Sign In")
                    }
                }
            }
        }
    }

    private func openBrowser(_ screen: WindowScreen) async throws {
        func isAsked(_ elements: [ScreenElement]) -> Bool {
            elements.contains { $0.name == "Your browser opens. Sign in there, then come back." }
        }
        // The button goes while the agent tries to connect, and with it a press.
        while try await !isAsked(screen.elements()) {
            try await screen.press("Sign In")
            for _ in 0..<40 where try await !isAsked(screen.elements()) {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        try await screen.answer("Open Browser")
    }
}
