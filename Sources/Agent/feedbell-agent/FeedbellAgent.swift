import Agent
import AgentInterface
import ArgumentParser
import ClientKit
import DBus
import FoundationEssentials
import Glibc
import Inbox
import Logging
import Synchronization
import VisibleText

/// The agent and its subcommands.
struct FeedbellAgent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feedbell-agent",
        abstract: "Show the notifications of hosted inboxes on the desktop",
        usage: """
            feedbell-agent [--config <config>] [--log-level <level>] [--replace]
            feedbell-agent <subcommand>
            """,
        discussion: """
            Started by the session, or by D-Bus when a client calls org.feedbell.Agent1. Runs until it is stopped. \
            `feedbell status` shows its state. It reads its configuration again when the file changes, and at SIGHUP.

            Example:
              $ feedbell-agent --config ./config.toml --log-level debug

            Exit codes: 0 stopped or replaced, 3 another agent is running or uses the state file, 64 invalid options, \
            75 no session bus (a retry may succeed), 78 invalid configuration.
            """,
        version: AgentNames.version,
        subcommands: [CheckCommand.self, CallCommand.self]
    )

    @OptionGroup var file: ConfigurationOption

    @Option(
        help: ArgumentHelp(
            "The lowest level to log: trace, debug, info, notice, warning, error or critical.",
            valueName: "level"
        ),
        transform: Logger.Level.named
    )
    var logLevel: Logger.Level = .notice

    @Flag(help: "Replace the running agent.") var replace = false

    static func main() async {
        do {
            var command = try await asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let (text, code) = (fullMessage(for: error, columns: nil), exitCode(for: error))
            if !text.isEmpty { (code == .success ? StandardStream.output : .error).write(text + "\n") }
            Glibc.exit(code.rawValue)
        }
    }

    func run() async throws {
        Language.useEnvironment()
        signal(SIGPIPE, SIG_IGN)
        // At the limit of file sizes, writing fails instead of ending the process.
        signal(SIGXFSZ, SIG_IGN)
        let isUnderSystemd = ProcessInfo.processInfo.environment["JOURNAL_STREAM"] != nil
        let level = logLevel
        LoggingSystem.bootstrap { _ in StandardErrorLog(level: level, hasPriorities: isUnderSystemd) }
        let logger = Logger(label: "feedbell-agent")
        do {
            try await untilSignalled { () async throws(AgentFailure) in
                try await serve(file.file, logger)
            }
        } catch .replaced {
            logger.notice("\(AgentFailure.replaced)")
        } catch {
            logger.critical("\(error)")
            throw ExitCode(error.exitCode)
        }
    }

    private func serve(_ file: ConfigurationFile, _ logger: Logger) async throws(AgentFailure) {
        let configuration: Configuration
        let clock = LoopClock(AgentMain.loop.eventLoop)
        do { configuration = try await file.readAtStart(clock: clock) } catch {
            if let bus = try? await Bus.connect(to: .session, clock: clock, loop: AgentMain.loop) {
                await FailedStart(bus: bus).run()
            }
            throw .configuration(error)
        }
        let bus: Bus
        do { bus = try await Bus.connect(to: .session, clock: clock, loop: AgentMain.loop) } catch {
            throw .noBus(error)
        }
        let variables = ProcessInfo.processInfo.environment
        let options = TransportOptions(proxies: ProxyRules(environment: variables))
        let transport = NIOTransport(
            options: options,
            eventLoop: AgentMain.loop.eventLoop,
            desktopProxies: { await ProxyResolverPortal.proxies(for: $0, on: bus) },
            logger: logger
        )
        let scale = AgentEnvironment.waitScale(environment: variables)
        let environment = AgentEnvironment(clock: clock, waitScale: scale)
        if environment.waitScale != 1 {
            logger.warning(
                "\(AgentEnvironment.waitScaleVariable), which is for tests, shortens delays between attempts"
            )
        }
        let statePath = StateStore.defaultPath(environment: variables)
        let logPath = StateStore.defaultLogPath(beside: statePath, environment: variables)
        let store = StateStore(path: statePath, logPath: logPath) { notice in
            switch notice {
            case .problem(let sentence): logger.error("\(sentence)")
            case .recovery(let sentence): logger.notice("\(sentence)")
            }
        }
        let keyring = Keyring(
            SecretService(bus: bus, clock: environment.clock),
            startTime: .seconds(60) * environment.waitScale,
            clock: environment.clock
        )
        let signIns = SignIns(
            keyring: keyring,
            eventLoop: transport.eventLoop,
            clock: environment.clock,
            now: environment.now
        )
        let serviceEnvironment = ServiceEnvironment(
            transport: transport,
            keyring: keyring,
            signIns: signIns,
            now: environment.now,
            clock: environment.clock,
            waitScale: environment.waitScale,
            logger: logger
        )
        let agent = Agent(
            version: AgentNames.version,
            file: file,
            configuration: configuration,
            bus: bus,
            systemBus: .system,
            environment: environment,
            store: store,
            connections: transport,
            pictures: pictures(transport, environment, variables, logger),
            serviceManager: AgentMain.serviceManager,
            signIns: signIns,
            logger: logger
        ) { (account, owner) throws(ConfigurationError) in
            try Agent.AccountInbox(account, of: owner, environment: serviceEnvironment, store: store)
        }
        AgentMain.agent.withLock { $0 = agent }
        let result = await run(agent)
        await transport.shutdown()
        try result.get()
    }

    private func pictures(
        _ transport: NIOTransport,
        _ environment: AgentEnvironment,
        _ variables: [String: String],
        _ logger: Logger
    ) -> (any PictureSource)? {
        PictureCache.defaultDirectory(environment: variables).map { directory in
            PictureLoader(
                cache: PictureCache(directory: directory),
                download: PictureDownload(transport, clock: environment.clock),
                clock: environment.clock,
                logger: logger
            )
        }
    }

    /// Runs the agent, which reads its configuration again at SIGHUP.
    private func run(_ agent: Agent) async -> Result<Void, AgentFailure> {
        await withTaskGroup(of: Result<Void, AgentFailure>?.self) { group in
            group.addTask {
                // The agent logs a failure.
                await ProgramSignals.followHangUps(on: AgentMain.loop) { try? await agent.reload() }
                return nil
            }
            group.addTask {
                do throws(AgentFailure) {
                    try await agent.run(replacing: replace)
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
            for await case let result? in group {
                group.cancelAll()
                return result
            }
            return .success(())
        }
    }

    /// Runs `body`, and cancels it at SIGTERM or SIGINT.
    private func untilSignalled(_ body: @escaping @Sendable () async throws(AgentFailure) -> Void)
        async throws(AgentFailure)
    {
        let result = await withTaskGroup(of: Result<Void, AgentFailure>?.self) { group in
            group.addTask {
                do throws(AgentFailure) {
                    try await body()
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                await ProgramSignals.waitForTermination(on: AgentMain.loop)
                await AgentMain.agent.withLock { $0 }?.prepareToEnd()
                return nil
            }
            var result: Result<Void, AgentFailure>?
            for await finished in group {
                result = result ?? finished
                group.cancelAll()
            }
            return result
        }
        try result?.get()
    }
}

/// The `--config` option.
struct ConfigurationOption: ParsableArguments {
    @Option(name: .customLong("config"), help: "The configuration to read, instead of ~/.config/feedbell/config.toml.")
    private var path: String?

    var file: ConfigurationFile { ConfigurationFile(path) }
}

extension ConfigurationFile {
    /// - Parameter path: nil: the default one.
    init(_ path: String?) {
        self.init(path: path, environment: ProcessInfo.processInfo.environment, services: Services.all)
    }
}

extension Logger.Level {
    /// A level by its name on the command line.
    fileprivate static func named(_ name: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: name) else {
            let names = allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("There is no log level \"\(name)\". Choose one of \(names).")
        }
        return level
    }
}

extension NIOTransport: ServiceConnections {}
