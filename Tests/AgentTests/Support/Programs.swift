import FoundationEssentials
import Glibc
import Subprocess
import Synchronization
import TestSupport
import Testing

/// The programs that were built together with the tests.
enum Programs {
    /// The directory of the test program, beside which all others were built.
    static var directory: String {
        get throws {
            let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return String(own[..<(own.lastIndex(of: "/") ?? own.startIndex)])
        }
    }

    /// Runs a program on the test's bus to its end.
    static func run(
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
    static func output(
        _ name: String,
        _ arguments: [String],
        environment: [Environment.Key: String?] = [:],
        input: String = ""
    ) async throws -> String {
        let outcome = try await run(name, arguments, environment: environment, input: input)
        try #require(outcome.status == .exited(0), "\(name) \(arguments): \(outcome.errors)")
        return outcome.output
    }

    struct Outcome {
        var status: TerminationStatus
        var output: String
        var errors: String
    }

    /// The test's bus, and nothing of the machine's.
    ///
    /// - Parameter directories: Where programs are looked for before all other places.
    static func environment(
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

/// A program that runs beside a test.
struct RunningProgram: Sendable {
    private let execution: ProcessIdentifier
    private let lines: Lines

    /// Its standard output and standard error so far, by line.
    var log: [String] { lines.all }

    /// Waits for a line that contains this text.
    func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        try await lines.wait(for: text, sourceLocation)
    }

    /// Waits until at least this number of lines contain the text.
    func wait(for text: String, times: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await waiting(
            for: "\(times) lines with \"\(text)\"",
            sourceLocation: sourceLocation,
            seeing: { log.count { $0.contains(text) } },
            until: { $0 >= times }
        )
    }

    /// Waits until it has closed its output, as it does when it ends by itself.
    func ended(sourceLocation: SourceLocation = #_sourceLocation) async { await lines.ended(sourceLocation) }

    /// Sends it a signal.
    func send(_ signal: Int32) { kill(execution.value, signal) }

    var processID: Int32 { execution.value }

    /// Runs `body` beside the program and ends the program after it. Its output is attached to a failure.
    ///
    /// - Returns: The result of `body`, and how the program ended.
    @discardableResult
    static func with<Result: Sendable>(
        _ name: String,
        _ arguments: [String],
        environment: [Environment.Key: String?] = [:],
        searching directories: [String] = [],
        _ body: (RunningProgram) async throws -> Result
    ) async throws -> (result: Result, status: TerminationStatus) {
        let lines = Lines()
        let outcome = try await Subprocess.run(
            .name(name),
            arguments: Arguments(arguments),
            environment: try Programs.environment(environment, searching: directories),
            input: .none,
            output: .sequence,
            error: .combinedWithOutput
        ) { execution in
            let program = RunningProgram(execution: execution.processIdentifier, lines: lines)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for try await line in execution.standardOutput.strings() { lines.add(line) }
                    lines.end()
                }
                do {
                    let result = try await body(program)
                    program.send(SIGTERM)
                    try await group.waitForAll()
                    return result
                } catch {
                    program.send(SIGKILL)
                    Issue.record("\(name) wrote:\n\(lines.all.joined(separator: "\n"))")
                    throw error
                }
            }
        }
        return (outcome.closureResult, outcome.terminationStatus)
    }

    /// The lines of a program's output, with waiting for one of them.
    private final class Lines: Sendable {
        private struct State {
            var all: [String] = []
            var isEnded = false
            var waiting: [(text: String, continuation: CheckedContinuation<String?, Never>)] = []
        }

        private let state = Mutex(State())

        var all: [String] { state.withLock { $0.all } }

        func add(_ line: String) {
            let met = state.withLock { state in
                state.all.append(line)
                let met = state.waiting.filter { line.contains($0.text) }
                state.waiting.removeAll { line.contains($0.text) }
                return met
            }
            for waiter in met { waiter.continuation.resume(returning: line) }
        }

        func end() {
            let left = state.withLock { state in
                state.isEnded = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for waiter in left { waiter.continuation.resume(returning: nil) }
        }

        func wait(for text: String, _ sourceLocation: SourceLocation) async throws -> String {
            let what = "a line with \"\(text)\""
            let found = await waiting(for: what, seen: { self.seen }, sourceLocation: sourceLocation) {
                await line(with: text)
            }
            return try #require(found, "the program ended without \(what)", sourceLocation: sourceLocation)
        }

        func ended(_ sourceLocation: SourceLocation) async {
            _ = await waiting(for: "the program's end", seen: { self.seen }, sourceLocation: sourceLocation) {
                await line(with: "\n")
            }
        }

        private var seen: String { "\(all.count) lines, the last: \(all.last ?? "")" }

        /// - Returns: nil when the program has ended without one.
        private func line(with text: String) async -> String? {
            await withCheckedContinuation { continuation in
                let known: String?? = state.withLock { state in
                    if let line = state.all.first(where: { $0.contains(text) }) { return line }
                    if state.isEnded { return .some(nil) }
                    state.waiting.append((text, continuation))
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }
}
