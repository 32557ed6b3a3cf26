import AgentInterface
import ArgumentParser
import DBus
import VisibleText

struct Start: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        _superCommandName: Feedbell.name,
        abstract: "Start the agent, if it is not running",
        discussion: """
            Starts the user's systemd unit feedbell.service, where there is one; otherwise the agent by D-Bus \
            activation. Returns when the agent is running. With --inbox, opens the inbox as the menu entry does: in \
            the window, on its web page or in a terminal; with a link or a file for a new account, the form for it.

            Examples:
              $ feedbell start
              $ feedbell start --inbox
            """
    )

    @Flag(help: "Open the inbox.") var inbox = false
    @ArgumentParser.Argument(help: "A link or a file for a new account.", completion: .file()) var link: String?

    /// The link. Menus that start the desktop entry's command without a link may leave its field code in it.
    private var place: String? { link == "%u" ? nil : link }

    func run() async throws {
        let bus = try await AgentObject.sessionBus()
        let wasRunning = try await bus.isAgentRunning
        do {
            if wasRunning { _ = try await AgentObject.root() } else { try await AgentStart(bus: bus).run() }
        } catch {
            // It says why the agent does not start, also without a terminal.
            if inbox || place != nil, await Self.openWindow(bus) { return }
            throw error
        }
        if let place { return try await Self.open(place, bus) }
        if inbox { return try await Self.openInbox(bus) }
        Output.text(wasRunning ? translated("The agent is already running.") : translated("The agent is running."))
    }

    /// - Returns: Whether it is open: it may not be installed.
    private static func openWindow(_ bus: Bus) async -> Bool {
        let window = Proxy(bus, AgentNames.windowName, AgentNames.windowPath)
        return (try? await window.call(DesktopApplication.activate, DesktopApplication.platformData)) != nil
    }

    /// Does what desktops do that start programs by D-Bus, for those that only know the command of the menu entry.
    private static func openInbox(_ bus: Bus) async throws {
        do {
            try await application(bus).call(DesktopApplication.activate, DesktopApplication.platformData)
        } catch {
            throw Failure(error)
        }
    }

    private static func open(_ link: String, _ bus: Bus) async throws {
        let place = link.contains(":") ? link : AgentProgram.absolute(link)
        do {
            try await application(bus).call(DesktopApplication.open, [place], DesktopApplication.platformData)
        } catch {
            throw Failure(error)
        }
    }

    private static func application(_ bus: Bus) -> Proxy {
        Proxy(bus, AgentNames.applicationName, AgentNames.applicationPath)
    }
}

/// Starts the agent by the service manager, otherwise by D-Bus activation.
struct AgentStart {
    /// How long the agent may take to own its name.
    private static let deadline = Duration.seconds(20)
    private static let interval = Duration.milliseconds(50)

    let bus: Bus

    func run() async throws {
        let manager = Proxy(bus, SystemdManager.busName, SystemdManager.path)
        do {
            try await manager.call(SystemdManager.startUnit, SystemdManager.unit, "replace", autoStart: false)
        } catch {
            // No service manager, or no such unit.
            return try await activate()
        }
        let start = ContinuousClock.now
        while start.duration(to: .now) < Self.deadline {
            if try await bus.isAgentRunning { return }
            let state = try? await SystemdManager.unitState(bus)
            if state == "failed" { break }
            try await Task.sleep(for: Self.interval)
        }
        let advice = translated(
            "See why: {command}",
            ["command": "journalctl --user --unit \(SystemdManager.unit) --lines 20"]
        )
        throw await failure(translated("The agent did not start."), advice: advice)
    }

    /// Why the agent did not start: an invalid configuration names its file and line.
    private func failure(_ problem: String, advice: String) async -> Failure {
        do { _ = try await SettingsOptions.list(config: nil) } catch let failure as Failure
            where failure.code == .invalidConfiguration
        {
            return Failure(translatedParagraph([problem, failure.sentence]), .noAgent)
        } catch {
            // Another cause, which its log says.
        }
        return Failure(translatedParagraph([problem, advice]), .noAgent)
    }

    private func activate() async throws {
        do {
            _ = try await Proxy(bus, .bus, BusInterface.path)
                .call(BusInterface.startServiceByName, AgentNames.busName.text, 0)
        } catch  where error.name == .serviceUnknown {
            let problem = translated("Neither systemd nor D-Bus can start the agent: Feedbell is not installed there.")
            let advice = translated("Start it with: {command}", ["command": AgentProgram.name])
            throw Failure(translatedParagraph([problem, advice]), .noAgent)
        } catch {
            let problem = translated("The agent did not start: {reason}", ["reason": error.message])
            let advice = translated("See why: {command}", ["command": AgentProgram.name])
            throw await failure(problem, advice: advice)
        }
    }
}

extension Bus {
    /// Whether an agent owns its name.
    fileprivate var isAgentRunning: Bool {
        get async throws {
            do { return try await nameOwner(of: AgentNames.busName) != nil } catch { throw Failure(error) }
        }
    }
}
