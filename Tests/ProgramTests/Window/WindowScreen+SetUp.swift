import Sandbox
import Subprocess
import TestSupport
import Testing

/// The built window with notifications, and what leads to its preferences and forms.
extension WindowScreen {
    /// Runs the window beside `body` with these notifications of the test's agent, of which the last one is the newest.
    /// A row has the focus.
    static func with(
        notifications: [JSON],
        environment: [Environment.Key: String?] = [:],
        textScale: Double = 1,
        _ body: (WindowScreen) async throws -> Void
    ) async throws {
        try await Sandbox.current.execute("publish", ["notifications": .array(notifications)])
        try await BuiltAgent.current.waitForList(count: notifications.count)
        try await WindowScreen.with(environment: environment, textScale: textScale) { screen in
            try await screen.wait(rows: notifications.count)
            try await screen.waitForFocusedRow()
            try await body(screen)
        }
    }

    /// Notifications "Nr 1" to "Nr `count`", each a second newer than the one before.
    static func numbered(_ count: Int, _ more: (Int) -> [String: JSON] = { _ in [:] }) -> [JSON] {
        let now = SandboxTrait.realTime()
        return (1...count).map { number in
            let created = now - Int64(count + 1 - number) * 1000
            let fields: [String: JSON] = [
                "header": .string("Nr \(number)"), "text": "x", "created_on": .integer(created),
            ]
            return .object(fields.merging(more(number)) { $1 })
        }
    }

    /// Opens the preferences, and gives them the keys.
    func openPreferences(titled title: String = "Preferences") async throws {
        try await key("ctrl+comma")
        try await wait(for: "Refund news")
        try await focus(title)
    }

    /// Opens a page of the settings, and gives it the keys.
    func openSettings(_ page: String) async throws {
        try await key("ctrl+comma")
        try await openPage(page)
        try await focus("Preferences")
    }

    /// Opens the form of a new account, and gives it the keys.
    func openAccountForm() async throws {
        try await press("Add Account")
        try await focus("Add Account")
    }

    /// Fills in what an account of the sandbox needs.
    func fillAccount(user: String) async throws {
        try await fill("Public Key of the Workspace", "SS.PUBK.sandbox")
        try await fill("Your User ID, Often Your E-Mail Address", user)
    }

    /// Fills in where the service is.
    func fillAddresses(_ url: String) async throws {
        try await expand("More Options")
        for label in ["Hub Address", "API Address", "Realtime Address"] { try await fill(label, url) }
    }
}
