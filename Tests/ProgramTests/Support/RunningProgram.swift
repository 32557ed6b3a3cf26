import AgentTestSupport
import FoundationEssentials
import Glibc
import Subprocess
import Synchronization
import TestSupport
import Testing

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

    /// Its sockets that listen for connections of TCP, by their inodes (proc_pid_net(5)).
    var listeningSockets: Set<Substring> {
        let directory = "/proc/\(processID)"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: directory + "/fd")) ?? []
        let targets = files.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/fd/\($0)")
        }
        var listening: Set<Substring> = []
        for name in ["tcp", "tcp6"] {
            let text = (try? String(contentsOfFile: "\(directory)/net/\(name)", encoding: .utf8)) ?? ""
            for line in text.split(separator: "\n") {
                let fields = line.split(separator: " ")
                if fields.count > 9, fields[3] == "0A" { listening.insert(fields[9]) }
            }
        }
        return listening.filter { targets.contains("socket:[\($0)]") }
    }

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
