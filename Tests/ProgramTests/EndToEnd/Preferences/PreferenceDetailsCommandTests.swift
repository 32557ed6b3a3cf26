import AgentInterface
import AgentTestSupport
import DBus
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Digest schedules, properties and the language: the command, the agent and the service.
@Suite(.sessionBus, .builtAgent(), .timeLimit(.minutes(5))) struct PreferenceDetailsCommandTests {
    private func output(_ arguments: String...) async throws -> String {
        let outcome = try await Programs.run("feedbell", arguments)
        #expect(outcome.status == .exited(0), "\(arguments): \(outcome.errors)")
        return outcome.output
    }

    private func failure(_ arguments: String...) async throws -> (code: TerminationStatus, sentence: String) {
        let outcome = try await Programs.run("feedbell", arguments)
        return (outcome.status, outcome.errors)
    }

    /// The sandbox's category with a digest schedule and properties.
    private static func builds(_ state: SandboxState) -> JSON? {
        state.service[InboxKey(user: "anna")].preferences.category("builds")
    }

    @Test("The table of preferences opens alone, changes one, and ends; a pipe gets a sentence") func table()
        async throws
    {
        try await TmuxTerminal.with(["feedbell", "preferences", "edit"], columns: 80, rows: 24) { terminal in
            let shown = try await terminal.screen(with: "Refund news")
            #expect(shown.contains("Preferences"))
            try await terminal.press("Space")
            try await waiting(for: "the changed preference", every: .milliseconds(20)) {
                try await output("preferences")
            } until: {
                $0.contains("Refund news [refund-news]: off")
            }
            try await terminal.press("q")
        }
        let pipe = try await failure("preferences", "edit")
        #expect(pipe.code == .exited(64))
        #expect(pipe.sentence == "feedbell: The table needs a terminal. Without one, use: feedbell preferences set\n")
    }

    @Test("The command shows and changes digest schedules and properties") func changes() async throws {
        let sandbox = Sandbox.current
        #expect(
            try await output("preferences").contains(
                """
                  Builds [builds]: off
                    email off, inbox off
                    digest: weekly, Monday 9:00, from 2025-08-04 (fixed: start)
                    Shortest build [min_minutes]: 5
                    Branches [branches]: main

                """
            )
        )
        _ = try await output("preferences", "set", "builds", "inbox", "on", "--wait")
        _ = try await output("preferences", "digest", "builds", "--weekdays", "mo,th", "--time", "07:30")
        _ = try await output("preferences", "property", "builds", "branches", "main", "release")
        _ = try await output("preferences", "property", "builds", "min_minutes", "10", "--wait")
        let builds = await Self.builds(sandbox.state)
        #expect(builds?["digest_schedule"]?["time"]?["value"] == "07:30")
        #expect(builds?["digest_schedule"]?["weekdays"]?["value"] == ["mo", "th"])
        #expect(builds?["properties"]?.array?.map { $0["value"] } == [10, ["main", "release"]])
        #expect(
            builds?["channels"]?.array?.map { $0["preference"] } == ["opt_out", "opt_in"],
            "they stay as they were"
        )
        #expect(builds?["preference"] == "opt_in")
        let shown = try await output("preferences")
        #expect(shown.contains("digest: weekly, Monday, Thursday 7:30, from 2025-08-04 (fixed: start)"))
        #expect(shown.contains("Shortest build [min_minutes]: 10\n    Branches [branches]: main, release"))
        _ = try await output("preferences", "property", "builds", "branches", "--none", "--wait")
        #expect(try await output("preferences", "--json").contains(#""property":"branches","type":"list","value":[]"#))
        #expect(await sandbox.violations.isEmpty)
    }

    @Test("Invalid digest schedules and properties are rejected with the valid names") func invalid() async throws {
        let locked = try await failure("preferences", "digest", "builds", "--start", "2026-01-01")
        #expect(locked.code == .exited(6) && locked.sentence.contains("What can be changed: time, weekdays."))
        let none = try await failure("preferences", "digest", "refund-news", "--time", "09:00")
        #expect(none.code == .exited(6) && none.sentence.contains("no digest schedule"))
        let category = try await failure("preferences", "digest", "nope", "--time", "09:00")
        #expect(category.code == .exited(5) && category.sentence.contains("There are: refund-news, "))
        let property = try await failure("preferences", "property", "builds", "nope", "1")
        #expect(property.code == .exited(5) && property.sentence.contains("Its properties: min_minutes, branches."))
        let choice = try await failure("preferences", "property", "builds", "branches", "dev")
        #expect(choice.code == .exited(64) && choice.sentence.contains("Its values: main, release."))
        for arguments in [
            ["digest", "builds"], ["digest", "builds", "--time", "9"], ["digest", "builds", "--weekdays", "monday"],
            ["digest", "builds", "--monthdays", "first"], ["property", "builds", "branches"],
            ["property", "builds", "min_minutes", "--none"], ["property", "builds", "min_minutes", "five"],
            ["property", "builds", "min_minutes", "5", "6"],
        ] {
            #expect(
                try await Programs.run("feedbell", ["preferences"] + arguments).status == .exited(64),
                "\(arguments)"
            )
        }
        #expect(await Sandbox.current.requests.filter { $0.method == "PATCH" }.isEmpty)
    }

    @Test("preferences refresh shows what was changed elsewhere") func refresh() async throws {
        #expect(try await output("preferences").contains("[refund-news]"))
        try await Sandbox.current.execute("preferences", ["sections": [], "channel_preferences": []])
        #expect(try await output("preferences").contains("[refund-news]"))
        #expect(try await output("preferences", "refresh").isEmpty)
        #expect(!(try await output("preferences")).contains("[refund-news]"))
    }

    @Test("A schedule that the service rejects is reverted, and the follower reports it") func rejected() async throws {
        let (sandbox, agent) = (Sandbox.current, BuiltAgent.current)
        let before = try await output("preferences")
        let (log, _) = try await RunningProgram.with("feedbell", ["follow"]) { follower in
            _ = try await follower.wait(for: "\"ready\"")
            await sandbox.inject(.status(400, method: "PATCH", path: "/v2/subscriber/"))
            try await agent.account.call(AgentPreferences.setDigest, "builds", ["time": .string("07:30")])
            let updated = try await follower.wait(for: "\"preferences-updated\"")
            #expect(updated.contains(#""categories":[{"category":"builds","#) && updated.contains(#""time":"07:30""#))
            #expect(!updated.contains("refund-news"))
            _ = try await follower.wait(for: "\"preferences-failed\"")
            try await agent.account.wait(AgentPreferences.pending, is: 0)
            return follower.log
        }
        let failed = log.first { $0.contains("preferences-failed") }
        #expect(failed?.contains(#""target":"builds""#) == true)
        #expect(try await output("preferences") == before)
    }

    @Test(
        "Preferences show the categories that the configuration's tags select",
        .builtAgent(configuration: "preference_tags = { or = [\"sales\", { and = [\"ci\"] }] }\n")
    )
    func tags() async throws {
        let list = try await output("preferences")
        #expect(
            list.contains("[refund-news]") && list.contains("[builds]") && !list.contains("[maintenance]"),
            "\(list)"
        )
        let requests = await Sandbox.current.requests.filter { $0.path.hasSuffix("/full_preference/") }
        let query = "tags=%7B%22or%22%3A%5B%22sales%22%2C%7B%22and%22%3A%5B%22ci%22%5D%7D%5D%7D"
        #expect(!requests.isEmpty && requests.allSatisfy { $0.query?.contains(query) == true })
    }

    @Test(
        "Names are in the language of the configuration, also after a change",
        .builtAgent(configuration: "language = \"es-AR\"\n")
    )
    func language() async throws {
        #expect(try await output("preferences").contains("Ofertas\n  Devoluciones [refund-news]: on\n"))
        _ = try await output("preferences", "set", "refund-news", "off", "--wait")
        #expect(try await output("preferences").contains("Ofertas\n  Devoluciones [refund-news]: off\n"))
        let requests = await Sandbox.current.requests.filter { $0.path.hasPrefix("/v2/subscriber/") }
        #expect(!requests.isEmpty && requests.allSatisfy { $0.query?.contains("locale=es-AR") == true })
    }
}
