import AgentInterface
import Basics
import ClientKit
import DBus
import FoundationEssentials
import Logging
import Sandbox
import Synchronization
import TestSupport
import Testing

@testable import Agent

/// An agent in the test's process with the account "wall" at a simulated Echo, on the test's bus with a notification
/// server.
struct EchoAgent {
    /// The line that a service takes.
    static let services: ServiceList = Services.all + [EchoService.self]

    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    let sandbox: Sandbox
    let bus: Bus
    /// Each popup when it is shown. For one reader.
    let popups: Mailbox<(id: UInt32, title: String)>.Messages

    var account: Proxy { Proxy(bus, AgentNames.busName, AgentNames.accountPath("wall")) }

    /// Runs `body` beside an agent that is online.
    static func run(_ body: (EchoAgent) async throws -> Void) async throws {
        try await withAccount { sandbox, file, environment in
            try await withBus { bus in
                let echo = EchoAgent(sandbox: sandbox, bus: bus, popups: try await notificationServer(on: bus))
                let store = StateStore()
                let agent = Agent(
                    version: "1",
                    file: file,
                    configuration: try await file.read(),
                    bus: try await Bus.connect(to: .address(SessionBus.address)),
                    store: store,
                    logger: logger
                ) { (account, owner) throws(ConfigurationError) in
                    try Agent.AccountInbox(account, of: owner, environment: environment, store: store)
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await agent.run() }
                    for await owner in try await bus.nameOwnerChanges(of: AgentNames.busName) where owner.new != nil {
                        break
                    }
                    try await echo.account.wait(AgentAccount.state, is: "online")
                    try await body(echo)
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
        }
    }

    /// Runs `body` with a simulated Echo and the configuration of an account there.
    static func withAccount(
        _ body: (Sandbox, ConfigurationFile, ServiceEnvironment) async throws -> Void
    ) async throws {
        try await Sandbox.with(simulating: EchoSimulation()) { sandbox in
            try await withFile("\(EchoSimulation.token)\n") { token in
                let text = """
                    [accounts.wall]
                    provider = "echo"
                    url = "\(sandbox.baseURL)"
                    user = "anna"
                    token_file = "\(token.path)"
                    """
                try await withFile(text) { file in
                    try await NIOTransport.withTransport(logger: logger) { transport in
                        var environment = ServiceEnvironment(
                            transport: transport,
                            keyring: Keyring(nil),
                            now: AgentEnvironment().now,
                            waitScale: 0.01,
                            logger: logger
                        )
                        environment.account = "wall"
                        try await body(sandbox, file, environment)
                    }
                }
            }
        }
    }

    /// Runs `body` with a configuration file in a directory of its own.
    static func withFile(_ text: String, _ body: (ConfigurationFile) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "feedbell-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "config.toml").path
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        try #require(FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: mode))
        try await body(ConfigurationFile(path: path, services: services))
    }

    /// A notification server that records what it shows.
    private static func notificationServer(on bus: Bus) async throws -> Mailbox<(id: UInt32, title: String)>.Messages {
        let shown = Mailbox<(id: UInt32, title: String)>()
        let lastID = Atomic<UInt32>(0)
        var server = ExportedObject(FreedesktopNotifications.path)
        server.handle(FreedesktopNotifications.getServerInformation) { ("test", "test", "1", "1.2") }
        server.handle(FreedesktopNotifications.getCapabilities) { ["actions", "body"] }
        server.handle(FreedesktopNotifications.closeNotification) { _ in }
        server.handle(FreedesktopNotifications.notify) { _, replaced, _, title, _, _, _, _ in
            let id = replaced == 0 ? lastID.add(1, ordering: .relaxed).newValue : replaced
            shown.send((id, title))
            return id
        }
        try await bus.export(server)
        _ = try await bus.requestName(FreedesktopNotifications.busName)
        return shown.messages
    }
}
