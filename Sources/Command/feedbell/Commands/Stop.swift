import AgentInterface
import ArgumentParser
import DBus
import Glibc
import VisibleText

struct Stop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        _superCommandName: Feedbell.name,
        abstract: "End the agent, if it is running",
        discussion: """
            Stops the user's systemd unit feedbell.service, if the agent runs in it; otherwise ends its process. \
            Pending actions stay on disk. Returns when the agent has ended. It starts again with "feedbell start", \
            with the window, and with the next session, see "feedbell autostart".

            Example:
              $ feedbell stop
            """
    )

    /// How long the agent may take to end.
    private static let deadline = Duration.seconds(15)
    private static let interval = Duration.milliseconds(20)

    func run() async throws {
        let bus = try await AgentObject.sessionBus()
        guard let process = await AgentProcess.find(bus) else {
            return Output.text(translated("The agent is not running."))
        }
        try await Self.end(process, bus)
        let start = ContinuousClock.now
        while let present = await AgentProcess.find(bus), present.id == process.id {
            if start.duration(to: .now) > Self.deadline {
                let problem = translated("The agent has not ended yet.")
                let advice = translated("Kill its process: {command}", ["command": "kill -KILL \(process.id)"])
                throw Failure(translatedParagraph([problem, advice]), .noAnswer)
            }
            try await Task.sleep(for: Self.interval)
        }
        Output.text(translated("The agent was stopped."))
    }

    /// By the service manager, which would otherwise start it again; without its unit, by a signal.
    private static func end(_ process: AgentProcess, _ bus: Bus) async throws {
        if (try? await SystemdManager.mainProcess(bus)) == process.id {
            let manager = Proxy(bus, SystemdManager.busName, SystemdManager.path)
            do {
                try await manager.call(SystemdManager.stopUnit, SystemdManager.unit, "replace", autoStart: false)
                return
            } catch {
                throw Failure(translated("Cannot stop the agent: {reason}", ["reason": error.message]), .noAnswer)
            }
        }
        guard kill(process.id, SIGTERM) == 0 || errno == ESRCH else {
            let reason = String(cString: strerror(errno))
            throw Failure(translated("Cannot stop the agent: {reason}", ["reason": reason]), .noAnswer)
        }
    }
}
