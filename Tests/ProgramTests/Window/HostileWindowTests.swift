import AgentInterface
import DBus
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// What others send at its limits, in the built window: it shows a part of it, and answers.
@Suite(
    .sessionBus,
    .builtAgent(),
    .timeLimit(.minutes(5)),
    .enabled(if: WindowScreen.isBuilt, "libadwaita is not installed")
) struct HostileWindowTests {
    private let sandbox = Sandbox.current
    private let agent = BuiltAgent.current

    @Test("A word of 16,000 letters is shown in parts, and then only its beginning again") func longWord()
        async throws
    {
        let word = String(repeating: "abcdefgh", count: 2_000)
        let id = try await sandbox.publish(["header": "Nr 1", "text": .string(word)])
        try await agent.waitForList(count: 1)
        try await WindowScreen.with { screen in
            try await screen.wait(rows: 1)
            /// The number of letters in each label that has a part of the word.
            func letters(_ elements: [ScreenElement]) -> [Int] {
                let labels = elements.filter { element in
                    element.role == "label" && element.name.allSatisfy { "abcdefgh \u{200B}…".contains($0) }
                }
                return labels.map { $0.name.count { $0.isLetter } }.filter { $0 > 100 }
            }
            let hasMore = { (elements: [ScreenElement]) in elements.contains { $0.name == "Show More" } }
            while hasMore(try await screen.elements()) { try await screen.press("Show More", unless: { !hasMore($0) }) }
            let shown = letters(try await screen.elements())
            #expect(shown.reduce(0, +) == 16_000 && shown.allSatisfy { $0 <= 4_000 }, "\(shown)")
            try await screen.keepPicture("long-word")
            try await screen.press("Show Less")
            try await screen.wait { $0.allSatisfy { $0.name.count < 1_000 } }
            try await screen.key("r")
            try await agent.waitForRequest("read", of: id)
            try await screen.close()
        }
    }

    @Test("Of 20,000 categories with many channels the first ones are shown, and can be switched") func manyCategories()
        async throws
    {
        let channels = (0..<50).map { JSON.object(["channel": .string("c\($0)"), "preference": "opt_in"]) }
        let categories = (0..<20_000).map { number in
            JSON.object([
                "category": .string("c\(number)"), "name": .string("Category \(number)"), "preference": "opt_in",
                "channels": .array(number == 1 ? channels : []),
            ])
        }
        let sections: JSON = [["name": "All", "subcategories": .array(categories)]]
        try await sandbox.execute("preferences", ["sections": sections, "channel_preferences": []])
        try await agent.account.call(AgentPreferences.refresh)
        try await waiting(for: "1,000 categories", every: .milliseconds(20)) {
            try await agent.account.call(AgentPreferences.list).count
        } until: {
            $0 == 1_000
        }
        try await WindowScreen.with { screen in
            try await screen.wait(for: "No Notifications")
            try await screen.key("ctrl+comma")
            try await screen.wait(for: "Show More Categories")
            try await screen.focus("Preferences")
            let first = try await screen.elements().filter { $0.name.hasPrefix("Category ") && $0.role == "list item" }
            #expect(Set(first.map(\.name)).count == 50)
            try await screen.keepPicture("many-categories")
            try await screen.toggle("Category 0")
            try await waiting(for: "a switched preference", every: .milliseconds(20)) {
                try await !agent.account.call(AgentPreferences.list).map(CategoryRecord.init)[0].preference.isOn
            }
            try await screen.expand("Category 1")
            try await screen.wait { $0.contains { $0.name == "c49, Category 1" && $0.isSwitch } }
        }
    }

    @Test("An action of another program for an account that does not exist is ignored") func unknownAccount()
        async throws
    {
        try await WindowScreen.with { screen in
            try await screen.wait(for: "No Notifications")
            try await withBus { bus in
                let window = Proxy(bus, AgentNames.windowName, AgentNames.windowPath)
                for name in [String(repeating: "x", count: 100_000), "no-account"] {
                    for action in [WindowAction.signIn(account: name), .findProblems(account: name)] {
                        let (parameter, data) = ([action.parameter], [String: Value]())
                        try await window.call(DesktopApplication.activateAction, action.name, parameter, data)
                    }
                }
                let known = WindowAction.signIn(account: "work")
                try await window.call(DesktopApplication.activateAction, known.name, [known.parameter], [:])
            }
            try await screen.wait(for: "Sign In to work")
            #expect(
                try await screen.elements().allSatisfy { !$0.name.contains("no-account") && !$0.name.contains("xxx") }
            )
            screen.program.send(SIGTERM)
            await screen.program.ended()
        }
    }
}
