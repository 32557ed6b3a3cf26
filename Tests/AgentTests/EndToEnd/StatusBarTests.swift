import AgentInterface
import DBus
import FoundationEssentials
import Sandbox
import TestSupport
import Testing

/// The modules of packaging/status-bars.md in the real bars. Screenshots stay as artefacts.
@Suite(.sessionBus, .timeLimit(.minutes(2))) struct StatusBarTests {
    private static let waybarPrograms = ["waybar", "sway", "grim"]
    private static let polybarPrograms = ["polybar", "Xvfb", "import"]

    @Test(
        "The documented module shows in waybar what is unread, and what holds popups back",
        .sandbox(users: ["anna"]),
        .enabled(if: !isRoot, "sway refuses to be run by root; packaging/test runs the tests as an ordinary user"),
        .enabled("waybar, sway or grim is not installed") { await installed(waybarPrograms) }
    )
    func waybar() async throws {
        let expected = [" ", "⚠ ", "🔔 0", "🔔 1", "🔕 1"]
        try await BarScreen.waybar(try Self.snippet("jsonc"), expected: expected) { bar in
            try await bar.shows("⚠ ", keptAs: "waybar-not-running")
            let (sandbox, account) = (Sandbox.current, AgentConfiguration.account())
            try await BuiltAgent.with(account) { agent in
                try await bar.shows("🔔 0", keptAs: "waybar-zero")
                _ = try await sandbox.publish(["header": "Tom & <Jerry>"])
                try await bar.shows("🔔 1", keptAs: "waybar-unread")
                try await agent.root.call(AgentRoot.pause, 0)
                try await bar.shows("🔕 1", keptAs: "waybar-paused")
            }
            try await bar.shows("⚠ ", keptAs: "waybar-ended")
            try await BuiltAgent.with(account + Self.quietHours) { _ in
                try await bar.shows("🔕 1", keptAs: "waybar-quiet")
            }
        }
    }

    @Test(
        "The documented module shows in polybar what is unread, and what holds popups back",
        .sandbox(users: ["anna"]),
        .enabled("polybar, Xvfb or import is not installed") { await installed(polybarPrograms) }
    )
    func polybar() async throws {
        let expected = [" ", "offline", "1", "1 paused", "1 quiet"]
        try await BarScreen.polybar(try Self.snippet("ini"), expected: expected) { bar in
            try await bar.shows("offline", keptAs: "polybar-not-running")
            let (sandbox, account) = (Sandbox.current, AgentConfiguration.account())
            try await BuiltAgent.with(account) { agent in
                try await bar.shows(" ", keptAs: "polybar-zero")
                _ = try await sandbox.publish(["header": "Hello"])
                try await bar.shows("1", keptAs: "polybar-unread")
                try await agent.root.call(AgentRoot.pause, 0)
                try await bar.shows("1 paused", keptAs: "polybar-paused")
            }
            try await bar.shows("offline", keptAs: "polybar-ended")
            try await BuiltAgent.with(account + Self.quietHours) { _ in
                try await bar.shows("1 quiet", keptAs: "polybar-quiet")
            }
        }
    }

    @Test("The documentation and the help show the same modules") func help() async throws {
        let help = try await Programs.run("feedbell", ["help", "follow"]).output
        for language in ["jsonc", "ini"] {
            let lines = try Self.snippet(language).split(separator: "\n")
            let module = lines.filter { !$0.hasPrefix("//") && !$0.hasPrefix(";") }.joined()
            #expect(help.filter { !$0.isWhitespace }.contains(module.filter { !$0.isWhitespace }))
        }
    }

    /// The block of packaging/status-bars.md in this language that speaks of `feedbell follow`.
    private static func snippet(_ language: String) throws -> String {
        let file = Checkout.root.appending(path: "packaging/status-bars.md")
        let lines = String(decoding: try Data(contentsOf: file), as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        var block: [Substring]?
        for line in lines {
            if line == "```", let text = block?.joined(separator: "\n") {
                if text.contains("feedbell follow") { return text }
                block = nil
            } else if line == "```\(language)" {
                block = []
            } else {
                block?.append(line)
            }
        }
        throw NoSnippet()
    }

    private struct NoSnippet: Error {}

    /// An hour before now to an hour after it.
    private static var quietHours: String {
        let minute = Int(Date().timeIntervalSince1970) / 60
        func time(_ minute: Int) -> String {
            let (hour, rest) = (minute / 60 % 24, minute % 60)
            return "\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest)"
        }
        return "[quiet]\nfrom = \"\(time(minute - 60))\"\nto = \"\(time(minute + 60))\"\n"
    }

    private static func installed(_ programs: [String]) async -> Bool {
        for program in programs where await !Command.exists(program) { return false }
        return true
    }
}
