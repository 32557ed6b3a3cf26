import AgentInterface
import DBus
import FoundationEssentials
import NotificationTerminal
import Sandbox
import Subprocess
import TestSupport
import Testing

/// Everything but the desktop: the built agent as a process, the stand-in service, a notification server and an opener
/// that only notes what it is given.
struct AgentFixture {
    let sandbox: Sandbox
    let server: TerminalServer
    let agent: RunningProgram
    /// A connection of the test's own to the bus.
    let bus: Bus
    let opened: OpenedAddresses

    /// The account `work`.
    var account: Proxy { Proxy(bus, AgentNames.busName, AgentNames.accountPath("work")) }

    static func with(
        user: String = "anna",
        capabilities: [String] = TerminalServer.defaultCapabilities,
        configuration: String = "",
        environment: [Environment.Key: String?] = [:],
        options: (inout SandboxOptions) -> Void = { _ in },
        _ body: (AgentFixture) async throws -> Void
    ) async throws {
        var sandboxOptions = SandboxOptions(users: [user])
        options(&sandboxOptions)
        try await Sandbox.with(sandboxOptions) { sandbox in
            let text = AgentConfiguration.account("work", user: user, url: sandbox.baseURL) + configuration
            try await with(sandbox, text, capabilities: capabilities, environment: environment, body)
        }
    }

    /// The same with a sandbox that there is, and with the whole text of a configuration.
    static func with(
        _ sandbox: Sandbox,
        _ text: String,
        capabilities: [String] = TerminalServer.defaultCapabilities,
        environment: [Environment.Key: String?] = [:],
        _ body: (AgentFixture) async throws -> Void
    ) async throws {
        try await OpenedAddresses.with { opened in
            try await TemporaryFile.with(text) { file in
                try await withBus { bus in
                    let server = TerminalServer(bus: bus, capabilities: capabilities)
                    try await server.serving {
                        try await AgentProcess.with(file, opened: opened, environment: environment) { agent in
                            try await AgentProcess.online(bus)
                            _ = try await sandbox.waitForConnection()
                            try await body(
                                AgentFixture(sandbox: sandbox, server: server, agent: agent, bus: bus, opened: opened)
                            )
                        }
                    }
                }
            }
        }
        #expect(await sandbox.violations.isEmpty)
    }

    /// The next popup.
    func popup() async throws -> RecordedNotification { try #require(await server.notifications.next()) }

    /// Waits until so many notifications are listed; the counts and the popups may be there before.
    func listed(_ count: Int) async throws {
        while try await account.call(AgentInbox.list, [:]).count != count {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Waits for the request with this action on the notification and returns it.
    @discardableResult
    func request(_ action: String, _ id: String) async throws -> LoggedRequest {
        try await sandbox.waitForRequest { $0.path == "/v1/feed/notifications/\(id)/\(action)" }
    }
}

/// The text of configurations.
enum AgentConfiguration {
    /// An account with a token that a sandbox accepts until it changes them; without one, the text may go on with
    /// another.
    static func account(_ name: String, user: String, url: String, hasToken: Bool = true) -> String {
        let token = SandboxToken.make(entityID: user, expiresAt: 4_102_444_800)
        return """
            [accounts.\(name)]
            provider = "suprsend"
            public_key = "SS.PUBK.sandbox"
            distinct_id = "\(user)"
            hub_url = "\(url)"
            api_url = "\(url)"
            socket_url = "\(url)"

            """ + (hasToken ? "token_command = [\"echo\", \"\(token)\"]\n" : "")
    }
}

/// The built agent.
enum AgentProcess {
    /// Has the agent wait a twentieth of the usual time before further attempts, so that a test need not take minutes.
    static let shortWaits: [Environment.Key: String?] = ["FEEDBELL_TEST_WAIT_SCALE": "0.05"]

    static func with<Result: Sendable>(
        _ configuration: TemporaryFile,
        opened: OpenedAddresses,
        environment: [Environment.Key: String?] = [:],
        _ body: (RunningProgram) async throws -> Result
    ) async throws -> Result {
        let (result, status) = try await RunningProgram.with(
            "feedbell-agent",
            ["--config", configuration.path, "--log-level", "debug"],
            environment: environment,
            searching: [opened.directory],
            body
        )
        #expect(status == .exited(0) || status == .signaled(9), "the agent ended with \(status)")
        return result
    }

    /// Runs the built agent alone: no notification server, and a service that may not be there yet.
    static func alone(
        _ configuration: String,
        environment: [Environment.Key: String?] = [:],
        _ body: (RunningProgram, Bus) async throws -> Void
    ) async throws {
        try await OpenedAddresses.with { opened in
            try await TemporaryFile.with(configuration) { file in
                try await withBus { bus in
                    try await AgentProcess.with(file, opened: opened, environment: environment) { agent in
                        for await change in try await bus.nameOwnerChanges(of: AgentNames.busName)
                        where change.new != nil { break }
                        try await body(agent, bus)
                    }
                }
            }
        }
    }

    /// Waits until an account is connected.
    static func online(_ bus: Bus, account: String = "work") async throws {
        for await change in try await bus.nameOwnerChanges(of: AgentNames.busName) where change.new != nil { break }
        try await state(bus, account: account, is: "online")
    }

    /// Waits until an account has a state.
    static func state(_ bus: Bus, account: String = "work", is expected: String) async throws {
        let proxy = Proxy(bus, AgentNames.busName, AgentNames.accountPath(account))
        try await proxy.wait(AgentAccount.state, is: expected)
    }
}

extension Proxy {
    /// Waits until a property has a value.
    func wait<I: Interface, Content: Equatable>(_ property: InterfaceProperty<I, Content>, is expected: Content)
        async throws
    {
        try await wait(property) { $0 == expected }
    }

    /// Waits until a property has a fitting value.
    func wait<I: Interface, Content>(_ property: InterfaceProperty<I, Content>, until fits: (Content) -> Bool)
        async throws
    {
        let changes = try await propertyChanges()
        if fits(try await get(property)) { return }
        for await message in changes {
            if let value = try PropertyValues<I>(changedIn: message)?.value(property), fits(value) { return }
        }
        Issue.record("the bus ended before \(property.name) fitted")
    }
}

/// An `xdg-open` that only notes what it is given: the address and the tokens of its environment.
struct OpenedAddresses: Sendable {
    let directory: String

    static func with<Result>(_ body: (OpenedAddresses) async throws -> Result) async throws -> Result {
        let script = """
            #!/bin/sh
            directory=$(dirname "$0")
            printf '%s %s %s\\n' "$1" "${XDG_ACTIVATION_TOKEN-none}" "${DESKTOP_STARTUP_ID-none}" >"$directory/.new"
            mv "$directory/.new" "$directory/opened"

            """
        return try await TemporaryFile.with(script, named: "xdg-open") { file in
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
            return try await body(OpenedAddresses(directory: file.directory))
        }
    }

    /// Waits until something was opened: address, Wayland token, X11 token; "none" for none.
    func next() async throws -> [String] {
        let path = directory + "/opened"
        while !FileManager.default.fileExists(atPath: path) { try await Task.sleep(for: .milliseconds(5)) }
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        try FileManager.default.removeItem(atPath: path)
        return text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
