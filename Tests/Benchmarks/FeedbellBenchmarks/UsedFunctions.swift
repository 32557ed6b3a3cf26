import AgentInterface
import DBus
import FoundationEssentials
import Sandbox

/// Runs the programs under Valgrind, each through its usual work, so that the functions that they use are known. For
/// packaging/build/function-order/renew.
struct UsedFunctions {
    /// The directory of the programs, with their symbols.
    let programs: String
    /// The directory of the profiles: `functions.PROGRAM.NUMBER`.
    let directory: String

    private static let notifications = 30

    func record() async throws {
        try await Desktop.with { desktop in
            try await Sandbox.with(SandboxOptions(requireToken: false)) { sandbox in
                try await desktop.fill(sandbox, 40)
                let watch = try await desktop.watchAgent()
                let program = AgentProgram(path: "\(programs)/feedbell-agent", directory: directory)
                let agent = try program.start(
                    port: sandbox.port,
                    .init(launcher: launcher("feedbell-agent", number: 1))
                )
                _ = try await watch.appearance()
                for number in 0..<Self.notifications {
                    try await sandbox.publish(AgentUnderLoad.notification(number))
                    // Some become one popup, others have one each.
                    try await Task.sleep(for: number < 10 ? .milliseconds(100) : .milliseconds(900))
                }
                let id = try await sandbox.publish(AgentUnderLoad.notification(Self.notifications))
                try await use(desktop.account, id)
                for (number, words) in OneCallCommands.commands(id).enumerated() {
                    let launcher = launcher("feedbell", number: number)
                    let arguments = Array(launcher.dropFirst()) + ["\(programs)/feedbell"] + words
                    _ = try Child.output(of: launcher[0], arguments, log: "\(directory)/feedbell.log")
                }
                try await Task.sleep(for: .seconds(3))
                agent.end()
                let profile = self.profile("feedbell-agent", number: 1)
                guard FileManager.default.fileExists(atPath: profile) else {
                    throw Child.Failure(description: "Valgrind wrote no profile to \(profile)")
                }
            }
        }
    }

    private func profile(_ program: String, number: Int) -> String {
        "\(directory)/functions.\(program).\(number)"
    }

    private func launcher(_ program: String, number: Int) -> [String] {
        [
            "valgrind", "--tool=callgrind", "--demangle=no",
            "--callgrind-out-file=\(profile(program, number: number))",
        ]
    }

    /// Calls of other clients than the command.
    private func use(_ account: Proxy, _ id: String) async throws {
        _ = try await account.getAll(AgentInbox.self)
        _ = try await account.getAll(AgentAccount.self)
        try await account.call(AgentInbox.archive, [id])
    }
}
