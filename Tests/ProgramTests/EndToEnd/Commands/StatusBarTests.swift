import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import TestSupport
import Testing

/// The modules of packaging/status-bars.md in the real bars. Screenshots stay as artefacts.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct StatusBarTests {
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
        try await BarScreen.waybar(try Self.snippet("waybar"), expected: expected) { bar in
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
        try await BarScreen.polybar(try Self.snippet("polybar"), expected: expected) { bar in
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

    @Test(
        "The documented block shows in i3blocks what is unread, and what holds popups back",
        .sandbox(users: ["anna"]),
        .enabled("i3blocks is not installed") { await installed(["i3blocks", "jq"]) }
    )
    func i3blocks() async throws {
        try await TemporaryFile.with(try Self.snippet("i3blocks"), named: "config") { file in
            // timeout also ends the programs of the block.
            try await RunningProgram.with("timeout", ["120", "i3blocks", "-c", file.path]) { bar in
                _ = try await bar.wait(for: #""full_text":"offline""#)
                let sandbox = Sandbox.current
                try await BuiltAgent.with(AgentConfiguration.account()) { agent in
                    try await agent.account.wait(AgentAccount.state, is: "online")
                    _ = try await sandbox.publish(["header": "Hello"])
                    _ = try await bar.wait(for: #""full_text":"1""#)
                    try await agent.root.call(AgentRoot.pause, 0)
                    _ = try await bar.wait(for: #""full_text":"1 paused""#)
                    let lines = bar.log.count
                    try await agent.root.call(AgentRoot.resume)
                    try await agent.account.call(AgentInbox.markAllRead)
                    // Nothing to show: the only text left is that of i3blocks itself.
                    try await waiting(for: "an empty text") {
                        bar.log.dropFirst(lines)
                    } until: {
                        $0.contains(#",[{"full_text":""}]"#)
                    }
                }
                try await bar.wait(for: #""full_text":"offline""#, times: 2)
            }
        }
    }

    @Test(
        "The documented pipe prints the title of each new notification",
        .sandbox(users: ["anna"]),
        .enabled("jq is not installed") { await installed(["jq"]) }
    )
    func pipe() async throws {
        let sandbox = Sandbox.current
        _ = try await sandbox.publish(["header": "Old"])
        try await BuiltAgent.with(AgentConfiguration.account()) { agent in
            try await agent.account.wait(AgentInbox.unreadCount, is: 1)
            let snippet = try Self.snippet("Other bars and scripts")
            // timeout also ends both programs of the pipe.
            try await RunningProgram.with("timeout", ["120", "sh", "-c", snippet]) { script in
                var number = 0
                // The first may arrive before the script follows.
                while !script.log.contains(where: { $0.hasPrefix("New ") }) {
                    number += 1
                    _ = try await sandbox.publish(["header": .string("New \(number)")])
                    try await agent.account.wait(AgentInbox.unreadCount, is: UInt32(number + 1))
                }
                #expect(!script.log.contains("Old"))
            }
        }
    }

    @Test("The documentation and the help show the same modules") func help() async throws {
        let help = try await Programs.output("feedbell", ["help", "follow"])
        for bar in ["waybar", "polybar"] {
            let lines = try Self.snippet(bar).split(separator: "\n")
            let module = lines.filter { !$0.hasPrefix("//") && !$0.hasPrefix(";") }.joined()
            #expect(help.filter { !$0.isWhitespace }.contains(module.filter { !$0.isWhitespace }))
        }
    }

    /// The code in the section of packaging/status-bars.md with this heading.
    private static func snippet(_ heading: String) throws -> String {
        let file = Checkout.root.appending(path: "packaging/status-bars.md")
        let lines = String(decoding: try Data(contentsOf: file), as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let section = lines.drop { $0 != "## \(heading)" }
        let code = section.drop { !$0.hasPrefix("```") }.dropFirst().prefix { $0 != "```" }
        guard !code.isEmpty else { throw NoSnippet() }
        return code.joined(separator: "\n") + "\n"
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
