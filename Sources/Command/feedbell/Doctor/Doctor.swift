import AgentInterface
import ArgumentParser
import DBus
import Glibc
import VisibleText

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        _superCommandName: Feedbell.name,
        abstract: "Check the installation and suggest fixes",
        discussion: """
            Checks the session bus, the agent and its accounts, the notification server and its capabilities, what \
            opens links, the configuration, each account's token, the connection to each host of its service, and the \
            clock. Changes nothing, and starts no agent. Runs token commands, and never prints a token.

            "✓" marks a passed check, "!" a warning, "✗" a problem, "→" a fix.

            Examples:
              $ feedbell doctor
              $ feedbell doctor --popup
              $ feedbell doctor --json | jq -r '.[] | [.level, .sentence] | @tsv'

            The exit code is 4 if there is a problem.
            """
    )

    @Option(help: "The configuration to check, instead of ~/.config/feedbell/config.toml.", completion: .file())
    var config: String?
    @Flag(help: "Show a test popup and wait at most 30 seconds for a click.") var popup = false
    @Flag(
        help:
            "Print a JSON array of objects with topic, account, level (ok, warning, problem), sentence and remedy."
    )
    var json = false

    func run() async throws {
        async let checked = AgentCheck.findings(
            configuration: config.map(AgentProgram.absolute),
            isTranslated: !json
        )
        let session = await sessionFindings()
        let report = DoctorReport(findings: session + (await checked))
        if json {
            Output.json(report.json)
        } else {
            Output.text(report.text(for: .standardOutput), terminator: "")
        }
        if report.hasProblem { throw ExitCode.attentionNeeded }
    }

    /// The findings about the agent and the notification server. Only the agent follows the do-not-disturb of desktops
    /// that keep it in their settings, such as Xfce and Cinnamon.
    ///
    /// - Parameter now: Milliseconds since the Unix epoch.
    static func findings(_ agent: AgentFacts, _ server: NotificationServerFacts, now: Int64) -> [Finding] {
        var server = server
        if agent.status.heldBack.contains("do-not-disturb") { server.isInhibited = true }
        return agent.findings(now: now) + server.findings
    }

    private func sessionFindings() async -> [Finding] {
        let bus: Bus
        do {
            bus = try await Bus.connect(to: .session)
        } catch {
            let sentence = translated("Cannot connect to the session bus: {reason}", ["reason": error.message])
            return [Finding(.bus, .problem, sentence, remedy: SessionEnvironment.current.advice)]
        }
        async let agent = AgentFacts.gather(bus)
        async let links = LinkFacts.gather(bus)
        let server = await NotificationServerFacts.gather(bus)
        var findings = [Finding(.bus, .ok, translated("The session bus answers."))]
        findings += Self.findings(await agent, server, now: Int64(time(nil)) * 1000) + [(await links).finding]
        if popup {
            let end = await TestPopup.post(bus) {
                StandardStream.error.write(translated("A test popup is shown. Please click it.") + "\n")
            }
            findings.append(end.finding(server: server.name))
        }
        await bus.close()
        return findings
    }
}
