import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Glibc
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The built programs in other languages than English.
@Suite(.sessionBus, .sandbox(users: ["anna"]), .timeLimit(.minutes(5))) struct LanguageTests {
    private let sandbox = Sandbox.current

    @Test("The agent's popups are in the user's language, and in the next one after a restart") func popups()
        async throws
    {
        try await Catalogues.with { catalogues in
            let expected = [
                ("de", "Öffnen", "Läuft in 1 Stunde ab"), ("ja", "開く", "あと 1 時間で期限切れ"),
                ("xx", "Open", "Expires in 1 hour"),
            ]
            for (language, button, expiry) in expected {
                try await BuiltAgent.with(environment: catalogues.environment(language)) { agent in
                    let expires = Int64(Date().timeIntervalSince1970 * 1000) + 3_600_000
                    try await sandbox.publish([
                        "header": "Sale", "text": "x", "url": "https://example.com", "expiry": .integer(expires),
                        "is_expiry_visible": true,
                    ])
                    let popup = try await agent.popup()
                    #expect(popup.actions == ["default", button])
                    #expect(popup.body.contains(expiry))
                }
            }
        }
    }

    @Test("The title of a summary is in the user's language") func summary() async throws {
        try await Catalogues.with { catalogues in
            let environment = catalogues.environment("ja")
            let configuration = AgentConfiguration.account() + "[popups]\ngroup_above = 1\n"
            try await BuiltAgent.with(configuration, environment: environment) { agent in
                var popup: RecordedNotification
                repeat {
                    // The first popup stands alone; what arrives soon after it is summarized.
                    for _ in 0..<3 { try await sandbox.publish(["header": "Sale", "text": "x"]) }
                    popup = try await agent.popup()
                    if popup.summary == "Sale" { popup = try await agent.popup() }
                } while popup.summary == "Sale"
                #expect(popup.summary.hasPrefix("新しい通知 ") && popup.summary.hasSuffix(" 件"), "\(popup.summary)")
                #expect(popup.actions == ["default", "開く"])
            }
        }
    }

    @Test("The command prints sentences in the user's language, and JSON in none") func command() async throws {
        try await Catalogues.with { catalogues in
            let french = catalogues.environment("fr")
            try await BuiltAgent.with { agent in
                try await sandbox.publish(["header": "Sale", "text": "x"])
                // A count that comes before the event has it already: with both, it is 2 until the next one.
                _ = try await agent.popup()
                try await agent.waitForUnread(1)
                let status = try await Programs.run("feedbell", ["status"], environment: french)
                #expect(status.status == .exited(0), "\(status.errors)")
                #expect(status.output.contains("connecté depuis "), "\(status.output)")
                #expect(status.output.contains(", 1 non lue\n"), "\(status.output)")
                // Words of a list, and sentences, are separated as in the language.
                let japanese = catalogues.environment("ja")
                let facts = try await Programs.output("feedbell", ["status"], environment: japanese)
                #expect(facts.contains("からオンライン、未読 1 件\n"), "\(facts)")
                let tab = try await Programs.run("feedbell", ["list", "--tab", "x"], environment: japanese).errors
                #expect(tab.contains("。") && !tab.contains("。 "), "\(tab)")
                let english = try await Programs.run("feedbell", ["status", "--json"])
                #expect(english.status == .exited(0), "\(english.errors)")
                let json = try await Programs.run("feedbell", ["status", "--json"], environment: french)
                #expect(json.status == .exited(0), "\(json.errors)")
                #expect(json.output == english.output)
                let doctor = try await Programs.run("feedbell", ["doctor", "--json"], environment: french)
                #expect(doctor.status == .exited(4), "\(doctor.errors)")
                #expect(doctor.output.contains("The session bus answers."), "\(doctor.output)")
                let report = try await Programs.run("feedbell", ["doctor"], environment: french)
                #expect(report.status == .exited(4), "\(report.errors)")
                #expect(report.output.contains("  ✓ Le bus de session répond.\n"), "\(report.output)")
                // A finding of the agent's program, which the command runs.
                #expect(
                    report.output.contains("Il n’y a pas de configuration dans /nonexistent/feedbell/config.toml."),
                    "\(report.output)"
                )
                let check = try await Programs.run("feedbell-agent", ["check"], environment: french)
                #expect(check.status == .exited(0), "\(check.errors)")
                #expect(check.output.contains("\"There is no configuration at "), "\(check.output)")
                let unknown = try await Programs.run("feedbell", ["list", "--account", "x"], environment: french)
                #expect(unknown.status == .exited(5), "\(unknown.errors)")
                #expect(unknown.errors == "feedbell: Il n’y a pas de compte «\u{A0}x\u{A0}». Configurés\u{A0}: work.\n")
            }
        }
    }

    @Test("A name of the other direction does not change the order of the sentence") func direction() async throws {
        try await Catalogues.with { catalogues in
            let german = catalogues.environment("de")
            try await BuiltAgent.with { _ in
                let unknown = try await Programs.run("feedbell", ["list", "--account", "בית"], environment: german)
                #expect(unknown.status == .exited(5), "\(unknown.errors)")
                #expect(unknown.errors.hasPrefix("feedbell: Es gibt kein Konto „\u{2068}בית\u{2069}“."))
                let english = try await Programs.run("feedbell", ["list", "--account", "בית"])
                #expect(english.status == .exited(5), "\(english.errors)")
                #expect(english.errors.hasPrefix("feedbell: There is no account \"\u{2068}בית\u{2069}\"."))
            }
        }
    }

    @Test(
        "Times are typed in the user's language, and in English",
        arguments: [
            ("de", "bis morgen um 18 Uhr", 1, 18), ("de", "morgen 9:30", 1, 9), ("de", "6 Uhr abends", nil, 18),
            ("de", "until tomorrow at 6 pm", 1, 18), ("de", "bis 18h30", nil, 18), ("de", "bis 30m", nil, nil),
            ("fr", "jusqu'à demain à 18h", 1, 18), ("es", "hasta mañana a las 18", 1, 18),
            ("ja", "明日18時30分", 1, 18), ("ja", "午後6時", nil, 18), ("hi", "कल शाम 6 बजे तक", 1, 18),
        ] as [(String, String, Int32?, Int32?)]
    )
    func times(language: String, words: String, days: Int32?, hour: Int32?) async throws {
        try await Catalogues.with { catalogues in
            try await BuiltAgent.with { agent in
                let words = ["pause"] + UntilTime.words(words)
                let run = try await Programs.run("feedbell", words, environment: catalogues.environment(language))
                #expect(run.status == .exited(hour == nil ? 64 : 0), "\(run.errors)")
                let until = tm(dateOf: try await agent.root.get(AgentRoot.pausedUntil))
                guard let hour else { return }
                #expect(until.tm_hour == hour)
                if let days { #expect(until.tm_yday == tm(dateOf: LocalTime.now + Int64(days) * 86_400_000).tm_yday) }
            }
        }
    }

    @Test(
        "Durations are typed in the user's language",
        arguments: [
            ("de", "in 20 Minuten"), ("fr", "dans 20 minutes"), ("es", "en 20 minutos"), ("ja", "20分後"),
            ("hi", "20 मिनट में"), ("hi", "in 20 minutes"),
        ]
    )
    func durations(language: String, words: String) async throws {
        try await Catalogues.with { catalogues in
            try await BuiltAgent.with { agent in
                let words = ["pause"] + UntilTime.words(words)
                let before = LocalTime.now
                let run = try await Programs.run("feedbell", words, environment: catalogues.environment(language))
                #expect(run.status == .exited(0), "\(run.errors)")
                let until = try await agent.root.get(AgentRoot.pausedUntil)
                // The command reads the time in whole seconds.
                #expect((before + 1_199_000...LocalTime.now + 1_200_000).contains(until))
            }
        }
    }

    @Test(
        "Without a usable catalogue or locale, messages are in English",
        arguments: ["none", "garbage", "empty", "truncated", "C", "unknown locale"]
    )
    func fallback(damage: String) async throws {
        try await Catalogues.with { catalogues in
            let file = catalogues.file("de")
            let bytes = try Data(contentsOf: file)
            var environment = catalogues.environment("de")
            switch damage {
            case "none": try FileManager.default.removeItem(at: file)
            case "garbage": try Data("This is no catalogue, but longer than its header.".utf8).write(to: file)
            case "empty": try Data().write(to: file)
            case "truncated": try bytes.prefix(bytes.count / 2).write(to: file)
            case "C": environment["LC_ALL"] = "C"
            default: environment["LC_ALL"] = "xx_XX.UTF-8"
            }
            let status = try await Programs.run("feedbell", ["status"], environment: environment)
            #expect(status.errors.hasPrefix("feedbell: No Feedbell agent is running in this session."))
            #expect(status.status == .exited(3))
        }
    }
}
