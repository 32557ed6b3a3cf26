import FoundationEssentials
import Glibc
package import Subprocess
import TestSupport
import Testing

/// The programs that were built together with the tests.
package enum Programs {
    /// The directory of the test program, beside which all others were built.
    package static var directory: String {
        get throws {
            let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return String(own[..<(own.lastIndex(of: "/") ?? own.startIndex)])
        }
    }

    /// Runs a program on the test's bus to its end.
    package static func run(
        _ name: String,
        _ arguments: [String],
        environment: [Environment.Key: String?] = [:],
        input: String = ""
    ) async throws -> Outcome {
        // A program may end without having read its input.
        signal(SIGPIPE, SIG_IGN)
        let result = try await Subprocess.run(
            .name(name),
            arguments: Arguments(arguments),
            environment: try Self.environment(environment),
            input: .inputWriter,
            output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 20)
        ) { program in
            // Not as a string: Subprocess 1.0.2 does not close the descriptor after a failed write, and traps.
            if !input.isEmpty { _ = try? await program.standardInputWriter.write(input) }
            try await program.standardInputWriter.finish()
        }
        return Outcome(status: result.terminationStatus, output: result.standardOutput, errors: result.standardError)
    }

    /// Runs a program on the test's bus, which has to end with 0, and returns its standard output.
    package static func output(
        _ name: String,
        _ arguments: [String],
        environment: [Environment.Key: String?] = [:],
        input: String = ""
    ) async throws -> String {
        let outcome = try await run(name, arguments, environment: environment, input: input)
        try #require(outcome.status == .exited(0), "\(name) \(arguments): \(outcome.errors)")
        return outcome.output
    }

    package struct Outcome: Sendable {
        package var status: TerminationStatus
        package var output: String
        package var errors: String
    }

    /// The test's bus, and nothing of the machine's.
    ///
    /// - Parameter directories: Where programs are looked for before all other places.
    package static func environment(
        _ more: [Environment.Key: String?] = [:],
        searching directories: [String] = []
    ) throws -> Environment {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let own: [Environment.Key: String?] = [
            "DBUS_SESSION_BUS_ADDRESS": SessionBus.address, "DBUS_SYSTEM_BUS_ADDRESS": SessionBus.systemAddress,
            "XDG_RUNTIME_DIR": nil, "XDG_CONFIG_HOME": "/nonexistent",
            // Not even root can keep anything there.
            "XDG_STATE_HOME": "/proc/nonexistent",
            // No test depends on the machine's speed.
            "FEEDBELL_TIMEOUT": "60",
            "JOURNAL_STREAM": nil, "XDG_ACTIVATION_TOKEN": "stale", "DESKTOP_STARTUP_ID": "stale", "TZ": "UTC",
            "LANGUAGE": nil, "TEXTDOMAINDIR": nil,
            "LC_ALL": "C.UTF-8",
            "PATH": (directories + [try directory, path]).joined(separator: ":"),
        ]
        return .inherit.updating(own.merging(more) { $1 })
    }
}
