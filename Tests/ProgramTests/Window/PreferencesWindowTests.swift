import AgentInterface
import AgentTestSupport
import DBus
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The preferences of the built window, operated by their controls.
@Suite(
    .sessionBus,
    .builtAgent(),
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct PreferencesWindowTests {
    private let agent = BuiltAgent.current

    private func open(_ body: (WindowScreen) async throws -> Void) async throws {
        try await WindowScreen.with { screen in
            try await screen.wait(for: "No Notifications")
            try await screen.openPreferences()
            try await body(screen)
        }
    }

    /// Waits until the service has a preference.
    private func waitForService(_ category: String, _ channel: String? = nil, is preference: String) async throws {
        try await waiting(for: "\(preference) of \(category), and nothing pending") {
            let list = try await agent.account.call(AgentPreferences.list).map(CategoryRecord.init)
            let known = list.first { $0.id == category }
            let shown =
                channel.map { name in known?.channels.first { $0.name == name }?.preference } ?? known?.preference
            return [shown?.rawValue ?? "", "\(try await agent.account.get(AgentPreferences.pending))"]
        } until: {
            $0 == [preference, "0"]
        }
    }

    @Test("A switch changes the service's preference, and shows what changes elsewhere") func switches() async throws {
        try await open { screen in
            try await screen.keepPicture("preferences")
            try await screen.toggle("Refund news")
            try await waitForService("refund-news", is: "opt_out")
            #expect(
                try await Programs.run("feedbell", ["preferences", "set", "refund-news", "on"]).status == .exited(0)
            )
            try await screen.wait { $0.contains { $0.name == "Refund news" && $0.isSwitch && $0.has(.checked) } }
        }
    }

    @Test("Preferences that are opened again and again take no more memory") func memory() async throws {
        let categories = (0..<50).map { number in
            JSON.object([
                "category": .string("c\(number)"), "name": .string("Category \(number)"), "preference": "opt_in",
                "channels": [["channel": "email", "preference": "opt_in"]],
            ])
        }
        let sections: JSON = [["name": "All", "subcategories": .array(categories)]]
        try await Sandbox.current.execute("preferences", ["sections": sections, "channel_preferences": []])
        try await agent.account.call(AgentPreferences.refresh)
        try await waiting(for: "50 categories", every: .milliseconds(20)) {
            try await agent.account.call(AgentPreferences.list).count
        } until: {
            $0 == 50
        }
        try await WindowScreen.with { screen in
            try await screen.wait(for: "No Notifications")
            try await screen.movePointerAway()
            var sizes: [Int] = []
            for _ in 1...12 {
                try await screen.focus("Feedbell")
                try await screen.key("ctrl+comma")
                try await screen.wait(for: "Category 49")
                try await screen.focus("Preferences")
                try await screen.key("Escape")
                try await screen.waitForNo("Category 49")
                sizes.append(try screen.memory)
            }
            // The first ones fill caches.
            #expect(sizes[11] - sizes[3] < 8_000, "\(sizes)")
        }
    }

    @Test("A row says its value and its category, what is fixed cannot be changed, and a channel is switched by keys")
    func details() async throws {
        try await open { screen in
            let mandatory = try await screen.wait { $0.contains { $0.name == "Maintenance" && $0.isSwitch } }
                .first { $0.name == "Maintenance" && $0.isSwitch }
            #expect(mandatory?.has(.sensitive) == false && mandatory?.has(.checked) == true)
            try await screen.key("Tab", until: { $0.name == "Maintenance" && $0.role == "list item" })
            let fixed = try #require(try await screen.focused())
            let text = try await fixed.proxy.get(Accessible.description)
            #expect(text.hasPrefix("On\n") && text.hasSuffix("Cannot be switched off."))
            try await screen.key("Tab", until: { $0.name == "Builds" && $0.role == "list item" })
            let row = try #require(try await screen.focused())
            #expect(try await row.proxy.get(Accessible.description).hasPrefix("Off"))
            #expect(!row.has(.expanded))
            try await screen.key("Return")
            try await screen.wait { $0.contains { $0.name == "Builds" && $0.has(.expanded) } }
            try await screen.wait(for: "Digest: Time")
            try await screen.keepPicture("preferences-details")
            try await screen.key("Down", until: { $0.name == "Inbox, Builds" })
            let channel = try #require(try await screen.focused())
            #expect(try await channel.proxy.get(Accessible.description) == "Off")
            try await screen.key("Return")
            while try await channel.proxy.get(Accessible.description) != "On" {
                try await Task.sleep(for: .milliseconds(20))
            }
            try await waitForService("builds", "inbox", is: "opt_in")
            for name in ["Inbox, Builds", "Builds"] {
                try await screen.wait { $0.contains { $0.name == name && $0.isSwitch && $0.has(.checked) } }
            }
        }
    }
}
