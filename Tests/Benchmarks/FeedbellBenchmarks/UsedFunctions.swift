import AgentInterface
import DBus
import FoundationEssentials
import Sandbox

/// Runs the programs under Valgrind, each through its usual work, so that the functions that they use are known. For
/// packaging/build/function-order/renew.
struct UsedFunctions {
    /// The directory of the programs, with their symbols.
    let programs: String
    /// The directory of the profiles: `functions.PROGRAM.NAME`. Those of the agent whose names end in `.2` have what it
    /// ran while notifications arrived.
    let directory: String

    private static let notifications = 30

    func record() async throws {
        try await Desktop.with { desktop in
            try await Sandbox.with(SandboxOptions(requireToken: false)) { sandbox in
                try await desktop.fill(sandbox, 40)
                try await runAgent("suprsend", port: sandbox.port, .init(), desktop) {
                    try await sandbox.publish(AgentUnderLoad.notification($0))
                    // Some become one popup, others have one each.
                    try await Task.sleep(for: $0 < 10 ? .milliseconds(100) : .milliseconds(900))
                } end: {
                    let id = try await sandbox.publish(AgentUnderLoad.notification(Self.notifications))
                    try await use(desktop.account, id)
                    for (number, words) in OneCallCommands.commands(id).enumerated() {
                        let launcher = callgrind("feedbell", "\(number)").launcher()
                        let arguments = Array(launcher.dropFirst()) + ["\(programs)/feedbell"] + words
                        _ = try Child.output(of: launcher[0], arguments, log: "\(directory)/feedbell.log")
                    }
                }
            }
        }
        try await Desktop.with { desktop in
            try await Sandbox.with(MagicBellAccount.service) { sandbox in
                let options = MagicBellAccount.options(port: sandbox.port)
                try await runAgent("magicbell", port: sandbox.port, options, desktop) {
                    try await sandbox.publish(MagicBellAccount.notification($0))
                    try await Task.sleep(for: MagicBellAccount.interval)
                } end: {
                    try await use(desktop.account, sandbox.publish(MagicBellAccount.notification(Self.notifications)))
                }
            }
        }
    }

    private func runAgent(
        _ name: String,
        port: Int,
        _ options: AgentProgram.Options,
        _ desktop: Desktop,
        publish: (Int) async throws -> Void,
        end: () async throws -> Void
    ) async throws {
        let callgrind = callgrind("feedbell-agent", name)
        var options = options
        options.launcher = callgrind.launcher()
        let watch = try await desktop.watchAgent()
        let program = AgentProgram(path: "\(programs)/feedbell-agent", directory: directory)
        let agent = try program.start(port: port, options)
        _ = try await watch.appearance()
        try await Task.sleep(for: .seconds(2))
        try callgrind.dump(agent.pid)
        for number in 0..<Self.notifications { try await publish(number) }
        try callgrind.dump(agent.pid)
        try await end()
        try await Task.sleep(for: .seconds(3))
        agent.end()
        for profile in [callgrind.profile, "\(callgrind.profile).2"]
        where !FileManager.default.fileExists(atPath: profile) {
            throw Child.Failure(description: "Valgrind wrote no profile to \(profile)")
        }
    }

    private func callgrind(_ program: String, _ name: String) -> Callgrind {
        Callgrind(
            profile: "\(directory)/functions.\(program).\(name)",
            log: "\(directory)/callgrind_control.log"
        )
    }

    /// Calls of other clients than the command.
    private func use(_ account: Proxy, _ id: String) async throws {
        _ = try await account.getAll(AgentInbox.self)
        _ = try await account.getAll(AgentAccount.self)
        try await account.call(AgentInbox.archive, [id])
    }
}
