import Agent
import AgentInterface
import Basics
import DBus
import Desktop
import FoundationEssentials
import Logging
import Sandbox
import ServiceKit
import Services
import Store
import Synchronization
import TestSupport
import Testing
import Transport

/// An agent in the test's process with the account "wall" at a simulated Echo, on the test's bus with a notification
/// server.
struct EchoAgent: Sendable {
    /// The line that a service takes.
    static let services: ServiceList = Services.all + [EchoService.self]

    let sandbox: Sandbox
    let bus: Bus
    let desktop: RecordingDesktop
    /// The file with the token.
    let tokenFile: String

    var account: Proxy { Proxy(bus, AgentNames.busName, AgentNames.accountPath("wall")) }

    /// Runs `body` with a simulated Echo and a notification server, without an agent.
    static func withService(_ body: @Sendable (EchoAgent) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "feedbell-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let tokenFile = directory.appending(path: "token").path
        try write("echo-1\n", to: tokenFile)
        try await Sandbox.with(simulating: EchoSimulation()) { sandbox in
            try await withBus { bus in
                let desktop = RecordingDesktop(bus: bus)
                try await desktop.start()
                try await body(EchoAgent(sandbox: sandbox, bus: bus, desktop: desktop, tokenFile: tokenFile))
            }
        }
    }

    /// Runs `body` beside an agent that is online. The agent ends with it.
    func run(store: StateStore = StateStore(), _ body: () async throws -> Void) async throws {
        try await run(store: store, until: "online", body)
    }

    /// Runs `body` beside an agent whose account has reached a state.
    func run(store: StateStore = StateStore(), until state: String, _ body: () async throws -> Void) async throws {
        try await Self.withFile(configuration) { file in
            try await NIOTransport.withTransport(logger: Self.logger) { transport in
                let environment = Self.environment(transport)
                let agent = Agent(
                    version: "1",
                    file: file,
                    configuration: try await file.read(),
                    bus: try await Bus.connect(to: .address(SessionBus.address)),
                    store: store,
                    logger: Self.logger
                ) { (account, owner) throws(ConfigurationError) in
                    try Agent.AccountInbox(account, of: owner, environment: environment, store: store)
                }
                // The bus may not have noticed yet that the previous agent ended.
                try await waitForOwner(isOwned: false)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await agent.run() }
                    try await waitForOwner(isOwned: true)
                    try await account.wait(AgentAccount.state, is: state)
                    try await body()
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
        }
    }

    var configuration: String {
        "[accounts.wall]\nprovider = \"echo\"\nurl = \"\(sandbox.baseURL)\"\nuser = \"anna\"\n"
            + "token_file = \"\(tokenFile)\"\n"
    }

    // MARK: The service

    func publish(_ title: String, link: String? = nil) async {
        await sandbox.change { (echo: inout EchoSimulation, now) in
            let row: [String: JSON] = ["title": .string(title), "text": "x", "category": "news"]
            return echo.publish(link.map { row.merging(["link": .string($0)]) { $1 } } ?? row, now: now)
        }
    }

    /// Changes the service.
    func change(_ body: @Sendable (inout EchoSimulation) -> [SocketEffect]) async {
        await sandbox.change { (echo: inout EchoSimulation, _) in body(&echo) }
    }

    /// Waits until a notification has a mark at the service.
    func waitForMark(_ mark: String, of title: String) async throws {
        try await sandbox.wait { state in
            state.simulated(EchoSimulation.self)?.rows.contains { row in
                row["title"]?.string == title && row[mark] != nil
            } == true ? true : nil
        }
    }

    // MARK: The bus

    private func waitForOwner(isOwned: Bool) async throws {
        try await bus.waitForOwner(of: AgentNames.busName) { ($0 != nil) == isOwned }
    }

    // MARK: Files

    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    static func environment(_ transport: NIOTransport) -> ServiceEnvironment {
        var environment = ServiceEnvironment(
            transport: transport,
            keyring: Keyring(nil),
            now: AgentEnvironment().now,
            waitScale: 0.01,
            logger: logger
        )
        environment.account = "wall"
        return environment
    }

    static func write(_ text: String, to path: String) throws {
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        try #require(FileManager.default.createFile(atPath: path, contents: Data(text.utf8), attributes: mode))
    }

    /// Runs `body` with a configuration file in a directory of its own.
    static func withFile(_ text: String, _ body: (ConfigurationFile) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "feedbell-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appending(path: "config.toml").path
        try write(text, to: path)
        try await body(ConfigurationFile(path: path, services: services))
    }
}

/// A notification server and a desktop portal that record popups and links.
final class RecordingDesktop: Sendable {
    private let bus: Bus
    private let lastID = Mutex<UInt32>(0)
    private let shown = Mailbox<(id: UInt32, title: String)>()
    private let opened = Mailbox<String>()
    /// Each popup when it is shown. For one reader.
    var popups: Mailbox<(id: UInt32, title: String)>.Messages { shown.messages }
    /// Each link when it is opened. For one reader.
    var links: Mailbox<String>.Messages { opened.messages }

    init(bus: Bus) { self.bus = bus }

    func start() async throws {
        var server = ExportedObject(FreedesktopNotifications.path)
        server.handle(FreedesktopNotifications.getServerInformation) { ("test", "test", "1", "1.2") }
        server.handle(FreedesktopNotifications.getCapabilities) { ["actions", "body"] }
        server.handle(FreedesktopNotifications.closeNotification) { _ in }
        server.handle(FreedesktopNotifications.notify) { _, replaced, _, title, _, _, _, _ in
            let id = self.lastID.withLock { last in
                if replaced == 0 { last += 1 }
                return replaced == 0 ? last : replaced
            }
            self.shown.send((id, title))
            return id
        }
        try await bus.export(server)
        _ = try await bus.requestName(FreedesktopNotifications.busName)
        var portal = ExportedObject(OpenURIPortal.path)
        portal.handle(OpenURIPortal.openURI) { _, link, _ in
            self.opened.send(link)
            return "/request"
        }
        portal.set(OpenURIPortal.version, 4)
        try await bus.export(portal)
        _ = try await bus.requestName(OpenURIPortal.busName)
    }

    /// The user clicks a popup.
    func click(_ id: UInt32) async throws {
        try await bus.emit(FreedesktopNotifications.actionInvoked, id, "default", from: FreedesktopNotifications.path)
    }
}
