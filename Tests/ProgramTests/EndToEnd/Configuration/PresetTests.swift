import AgentInterface
import AgentTestSupport
import DBus
import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The built agent with presets of an administrator, files of programs, and the user's file.
@Suite(.sessionBus, .sandbox(users: ["anna", "bob"]), .timeLimit(.minutes(5))) struct PresetTests {
    /// Runs `body` in an empty configuration directory, with a preset and without a file of the user.
    static func with(
        preset text: String,
        _ body: (_ preset: TemporaryFile, _ user: TemporaryFile, _ agent: BuiltAgent) async throws -> Void
    ) async throws {
        try await TemporaryFile.with("", named: "home") { home in
            let preset = TemporaryFile(path: home.directory + "/xdg/feedbell/config.toml")
            let user = TemporaryFile(path: home.directory + "/config/feedbell/config.toml")
            for file in [preset, user] {
                try FileManager.default.createDirectory(atPath: file.directory, withIntermediateDirectories: true)
            }
            try preset.write(text)
            let environment: [Environment.Key: String?] = [
                "XDG_CONFIG_HOME": home.directory + "/config",
                "XDG_CONFIG_DIRS": "/nonexistent:\(home.directory)/xdg:relative",
            ]
            try await BuiltAgent.withDefaultConfiguration(environment: environment) { agent in
                try await body(preset, user, agent)
            }
        }
    }

    private static func paths(_ names: String...) -> [ObjectPath] { names.map { AgentNames.accountPath($0) } }

    @Test("A preset alone connects an account, and changes of each file are applied") func files() async throws {
        try await Self.with(preset: AgentConfiguration.account()) { preset, user, agent in
            try await agent.account.wait(AgentAccount.state, is: "online")
            let added = user.ofAccount("home")
            try FileManager.default.createDirectory(atPath: added.directory, withIntermediateDirectories: false)
            try added.write(AgentConfiguration.account("home", user: "bob"))
            try await agent.root.wait(AgentRoot.accounts, is: Self.paths("work", "home"))
            try await agent.account("home").wait(AgentAccount.state, is: "online")
            let settings = TemporaryFile(path: user.directory + "/settings.toml")
            try settings.write("[popups]\ntimeout = true\n")
            try await agent.root.wait(AgentRoot.configurationError) { $0.hasPrefix("\(settings.path):2: ") }
            try settings.write("[popups]\ntimeout = 5\n")
            try await agent.root.wait(AgentRoot.configurationError, is: "")
            try user.write("[accounts.home]\npage_sise = 3\n")
            try await agent.root.wait(AgentRoot.configurationError) { $0.hasPrefix("\(user.path):2: \"page_sise\"") }
            try user.write("[accounts.home]\npage_size = 3\n")
            try await agent.root.wait(AgentRoot.configurationError, is: "")
            try FileManager.default.removeItem(atPath: user.path)
            try await agent.root.wait(AgentRoot.configurationError) { $0.contains("The file was removed.") }
            try await agent.root.call(AgentRoot.reload)
            try FileManager.default.removeItem(atPath: added.path)
            try await agent.root.wait(AgentRoot.accounts, is: Self.paths("work"))
            try preset.replace(AgentConfiguration.account("other", user: "bob"))
            try await agent.root.wait(AgentRoot.accounts, is: Self.paths("other"))
        }
    }

    @Test("A locked key keeps the preset's value, and doctor names what is not used") func locks() async throws {
        let text = AgentConfiguration.account() + "[locked]\nkeys = [\"accounts.work.distinct_id\", \"popups\"]\n"
        try await Self.with(preset: text) { preset, user, agent in
            try user.write("[accounts.work]\ndistinct_id = \"mallory\"\n[popups]\npictures = false\n")
            _ = try await agent.program.wait(for: "configuration read")
            #expect(try await agent.account.get(AgentAccount.user) == "anna")
            let doctor = try await Programs.run(
                "feedbell",
                ["doctor"],
                environment: [
                    "XDG_CONFIG_HOME": String(user.directory.dropLast("/feedbell".count)),
                    "XDG_CONFIG_DIRS": String(preset.directory.dropLast("/feedbell".count)),
                ]
            )
            #expect(doctor.status == .exited(4), "\(doctor.errors)")
            #expect(doctor.output.contains("\(preset.path) locks these keys: accounts.work.distinct_id, popups."))
            let ignored = "\(user.path):2: \"accounts.work.distinct_id\" is not used, because \(preset.path) locks it."
            #expect(doctor.output.contains(ignored), "\(doctor.output)")
            #expect(doctor.output.contains("\(user.path):3: \"popups\" is not used"))
        }
    }

    /// Each with a bus and a home of their own.
    @Test(
        "A preset gives each user an account, which only an administrator can change",
        .enabled(if: isRoot, "needs root: runs the agent as two other users")
    ) func twoUsers() async throws {
        let preset = """
            [accounts.work]
            provider = "suprsend"
            public_key = "SS.PUBK.x"
            distinct_id = "%u@example.com"
            hub_url = "http://127.0.0.1:1"
            api_url = "http://127.0.0.1:1"
            socket_url = "http://127.0.0.1:1"
            token_command = ["cat", "%h/token"]
            [popups]
            open_schemes = ["https"]
            [locked]
            keys = ["popups.open_schemes"]
            """
        let session = """
            cd
            feedbell-agent 2>log &
            until feedbell accounts list 2>errors | cut -f 1-3 | grep work; do sleep 0.1; done
            feedbell settings get popups.open_schemes
            feedbell settings set popups.open_schemes http 2>&1 || echo $?
            feedbell accounts remove work --yes 2>&1 || echo $?
            feedbell accounts edit work --language es 2>&1 || echo $?
            kill $!
            """
        let script = """
            set -e
            cd "$0"
            mkdir programs feedbell
            cp "$1/feedbell" "$1/feedbell-agent" programs
            mv preset.toml feedbell/config.toml
            chmod 755 . feedbell programs programs/*
            chmod 644 feedbell/config.toml
            for user in games nobody; do
                mkdir $user
                chown $user $user
                setpriv --reuid=$user --regid="$(id -g $user)" --clear-groups env -i HOME="$PWD/$user" \
                    XDG_CONFIG_DIRS="$PWD" PATH="$PWD/programs:/usr/bin:/bin" dbus-run-session -- sh -c "$2"
            done
            """
        try await TemporaryFile.with(preset, named: "preset.toml") { file in
            let outcome = try await Programs.run(
                "sh",
                ["-c", script, file.directory, try Programs.directory, session]
            )
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            let path = file.directory + "/feedbell/config.toml"
            let expected = ["games", "nobody"].map { user in
                """
                work\tsuprsend\t\(user)@example.com
                ["https"]
                feedbell: \(path) locks "popups.open_schemes", so it cannot be changed.
                77
                feedbell: \(path) configures "work" for all users. Only an administrator can remove it.
                64
                feedbell: \(path) configures "work" for all users. Only an administrator can change it.
                64

                """
            }
            #expect(outcome.output == expected.joined(), "\(outcome.errors)")
        }
    }
}
