import Subprocess

/// A program of the machine, run once against the test's bus: a peer that is not ours.
package struct Command: Sendable {
    /// Its standard output, without the last newline.
    package let output: String
    /// Its standard error.
    package let errors: String
    /// Whether it ended with 0.
    package let succeeded: Bool

    /// Runs `name` with ``SessionBus/address`` as its session bus, and waits for its end.
    package static func run(_ name: String, _ arguments: [String]) async throws -> Command {
        let result = try await Subprocess.run(
            .name(name),
            arguments: Arguments(arguments),
            environment: .inherit.updating(["DBUS_SESSION_BUS_ADDRESS": SessionBus.address, "LC_ALL": "C.UTF-8"]),
            output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 20)
        )
        var output = result.standardOutput
        while output.last == "\n" { output.removeLast() }
        return Command(output: output, errors: result.standardError, succeeded: result.terminationStatus.isSuccess)
    }

    /// Whether the program is installed.
    package static func exists(_ name: String) async -> Bool {
        let found = try? await Subprocess.run(
            .name(name),
            arguments: ["--version"],
            output: .discarded,
            error: .discarded
        )
        return found != nil
    }
}
