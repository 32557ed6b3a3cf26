import AgentTestSupport
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The page for a person without a company: its blocks of code install the scripts and send with them.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct NotifyScriptTests {
    private static let page = "packaging/for-yourself.md"
    private static let user = "anna@example.com"

    /// A service and its script.
    enum Service: String, CaseIterable, Sendable {
        case suprSend = "suprsend"
        case magicBell = "magicbell"

        var options: SandboxOptions {
            self == .suprSend ? SandboxOptions(users: [user]) : .magicBell(MagicBellOptions(users: [user]))
        }

        func account(at url: String) -> String {
            self == .suprSend
                ? AgentConfiguration.account(user: user, url: url)
                : AgentConfiguration.magicBell("work", .user(user), url: url)
        }

        var key: String { self == .suprSend ? SandboxService.apiKey : SimulatedMagicBell.projectToken }

        /// Title, text and link of each notification, as the service has it.
        func texts(in sandbox: Sandbox) async -> Set<[String?]> {
            if self == .suprSend {
                return Set(
                    await sandbox.inbox(user).rows.map { row in
                        ["header", "text", "url"].map { row["message"]?[$0]?.string }
                    }
                )
            }
            return Set(
                await sandbox.magicBellInbox(user).notifications.map { row in
                    ["title", "content", "action_url"].map { row.members[$0]?.string }
                }
            )
        }
    }

    /// A user's home, in which the page's block for a service installs the script.
    private struct Home {
        let directory: String
        let service: Service
        let sandbox: Sandbox

        var keyFile: String { "\(directory)/.config/feedbell-notify/\(service.rawValue)" }

        static func with(_ service: Service, _ body: (Home) async throws -> Void) async throws {
            try await Sandbox.with(service.options) { sandbox in
                try await TemporaryFile.with("", named: "file") { file in
                    try await body(Home(directory: file.directory, service: service, sandbox: sandbox))
                }
                #expect(await sandbox.violations.isEmpty)
            }
        }

        func sh(
            _ script: String,
            environment: [Environment.Key: String?] = [:],
            input: String = ""
        ) async throws -> Programs.Outcome {
            let own: [Environment.Key: String?] = [
                "HOME": directory, "XDG_CONFIG_HOME": nil, "PATH": directory + "/.local/bin:/usr/bin:/bin",
                "FEEDBELL_NOTIFY_URL": sandbox.baseURL, "FEEDBELL_NOTIFY_TITLE": "Builds", "no_proxy": "*",
            ]
            return try await Programs.run(
                "sh",
                ["-c", "set -e\ncd '\(Checkout.root.path)'\n\(script)"],
                environment: own.merging(environment) { $1 },
                input: input
            )
        }

        /// The page's block, which sends a first notification.
        func install() async throws {
            let blocks = try DocumentedCode.blocks("sh", of: page)
            let block = try #require(blocks.first { $0.contains("feedbell-notify-\(service.rawValue) ") })
            let outcome = try await sh(block, input: "\(service.key)\n\(user)\n")
            #expect(outcome.status == .exited(0) && outcome.output.isEmpty, "\(outcome.output)\(outcome.errors)")
        }
    }

    @Test("The page installs the script, and what it sends pops up", arguments: Service.allCases)
    func popup(service: Service) async throws {
        try await Home.with(service) { home in
            try await BuiltAgent.with(service.account(at: home.sandbox.baseURL), sandbox: home.sandbox) { agent in
                try await home.install()
                let popup = try await agent.popup()
                #expect(popup.summary == "Builds")
                #expect(popup.body.contains("The build is done"))
                try await agent.server.invoke(id: popup.id)
                #expect(try await agent.opened.next().first == "https://ci.example.com/17")
            }
        }
    }

    @Test("The script sends any text as it is", arguments: Service.allCases)
    func texts(service: Service) async throws {
        try await Home.with(service) { home in
            try await home.install()
            let (title, text) = (#"a "quote" \ & é"#, "one\n\ttwo \"2\" \\n 🔔 `x` $y %s @-")
            let outcome = try await home.sh(
                #"feedbell-notify "$TEXT""#,
                environment: ["TEXT": text, "FEEDBELL_NOTIFY_TITLE": title]
            )
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            let texts = await service.texts(in: home.sandbox)
            #expect(texts.contains([title, text, nil]), "\(texts)")
        }
    }

    @Test("The examples for cron and for a workflow of GitHub send", arguments: Service.allCases)
    func examples(service: Service) async throws {
        try await Home.with(service) { home in
            try await home.install()
            let table = try #require(DocumentedCode.blocks("crontab", of: Self.page).first)
            let job = try #require(table.split(separator: "\n").last?.split(separator: " ", maxSplits: 5).last)
            var outcome = try await home.sh("backup() { return 1; }\n\(job)")
            #expect(outcome.status == .exited(0), "\(outcome.errors)")

            let workflow = try #require(DocumentedCode.blocks("yaml", of: Self.page).first)
            let step = workflow.split(separator: "\n").drop { $0 != "  run: |" }.dropFirst().joined(separator: "\n")
            outcome = try await home.sh(
                "cd ~/.local/bin\n\(step)",
                environment: [
                    "KEY": service.key, "RUNNER_TEMP": home.directory, "GITHUB_WORKFLOW": "Nightly",
                    "GITHUB_SERVER_URL": "https://github.example", "GITHUB_REPOSITORY": "anna/shop",
                    "GITHUB_RUN_ID": "7",
                ]
            )
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            let texts = await service.texts(in: home.sandbox)
            #expect(texts.contains { $0[1]?.hasPrefix("The backup of ") == true }, "\(texts)")
            #expect(
                texts.contains(["Builds", "Nightly failed", "https://github.example/anna/shop/actions/runs/7"]),
                "\(texts)"
            )
        }
    }

    @Test(
        "The script refuses a key that others can read, and says what the service refuses",
        arguments: Service.allCases
    )
    func refusals(service: Service) async throws {
        try await Home.with(service) { home in
            try await home.install()
            var outcome = try await home.sh("chmod 640 '\(home.keyFile)'; feedbell-notify Hello")
            #expect(outcome.status == .exited(78))
            #expect(
                outcome.errors.hasSuffix("others can read or change \(home.keyFile). Run: chmod 600 \(home.keyFile)\n")
            )
            outcome = try await home.sh(
                "chmod 600 '\(home.keyFile)'; printf 'not-a-key\\nanna' >'\(home.keyFile)'; feedbell-notify Hello"
            )
            // curl's "HTTP page not retrieved".
            #expect(outcome.status == .exited(22))
            #expect(outcome.errors.contains("was not sent. {"), "\(outcome.errors)")
            #expect(!outcome.errors.contains("not-a-key"))
            outcome = try await home.sh("rm '\(home.keyFile)'; feedbell-notify Hello")
            #expect(outcome.status == .exited(78))
            #expect(outcome.errors.contains("there is no \(home.keyFile)."), "\(outcome.errors)")
            #expect(await service.texts(in: home.sandbox).count == 1)
        }
    }
}
