import AgentTestSupport
import FoundationEssentials
import Subprocess
import TestSupport
import Testing

/// `feedbell autostart` as a process.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct AutostartCommandTests {
    @Test("Sessions of a user with an own installation are switched off and on") func switching() async throws {
        try await TemporaryFile.with("") { file in
            let units = "\(file.directory)/systemd/user"
            for directory in ["\(units)/graphical-session.target.wants", "\(file.directory)/autostart"] {
                try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            }
            try TemporaryFile(path: "\(units)/feedbell.service").write("[Unit]\n")
            try TemporaryFile(path: "\(file.directory)/autostart/org.feedbell.Agent.desktop").write("[Desktop Entry]\n")
            func run(_ words: String...) async throws -> Programs.Outcome {
                let directory = file.directory
                return try await Programs.run(
                    "feedbell",
                    ["autostart"] + words,
                    environment: ["XDG_CONFIG_HOME": directory, "HOME": directory]
                )
            }
            #expect(try await run("on").status == .exited(0))
            #expect(try await run().output == "Your sessions start the agent.\n")
            let off = try await run("off", "--json")
            #expect(off.status == .exited(0) && off.output == "{\"autostart\":false}\n", "\(off.errors)")
            #expect(try await run().output.hasPrefix("Your sessions do not start the agent."))
            func doctor() async throws -> String {
                let directory = file.directory
                return try await Programs.run(
                    "feedbell",
                    ["doctor"],
                    environment: ["XDG_CONFIG_HOME": directory, "HOME": directory]
                ).output
            }
            // The session bus cannot activate the agent, which is another finding.
            #expect(try await !doctor().contains("starts with the session"))
            #expect(try await run("on").status == .exited(0))
            #expect(try await doctor().contains("The agent starts with the session, but"))
            let wrong = try await run("maybe")
            #expect(wrong.status == .exited(64) && wrong.errors.contains("Give \"on\" or \"off\"."))
        }
    }
}
