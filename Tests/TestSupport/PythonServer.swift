import Foundation
package import Subprocess

/// A server in a process of its own, usually in Python, which prints its port, and then lines.
package struct PythonServer: Sendable {
    package struct CannotStart: Error, CustomStringConvertible {
        package var description: String
    }

    package let port: Int
    private let writer: StandardInputWriter
    private let lines: Sightings<String>
    /// Sends a signal to the process.
    package let signal: @Sendable (Signal) throws -> Void

    /// Runs `body` beside the server, which is killed afterwards.
    ///
    /// - Parameters:
    ///   - script: Its path.
    ///   - interpreter: The program that runs it; nil: Python with the libraries of the tests.
    ///   - environment: Further variables, `NAME=VALUE`.
    package static func running<Result: Sendable>(
        _ script: String,
        _ arguments: [String] = [],
        interpreter: String? = nil,
        environment: [String] = [],
        _ body: (PythonServer) async throws -> Result
    ) async throws -> Result {
        let outcome = try await Subprocess.run(
            .name("env"),
            arguments: Arguments(environment + [try interpreter ?? Checkout.python, script] + arguments),
            input: .inputWriter,
            output: .sequence,
            error: .discarded
        ) { process in
            defer { try? process.send(signal: .kill) }
            let (lines, sink) = AsyncStream.makeStream(of: String.self)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { sink.finish() }
                    for try await line in process.standardOutput.strings() { sink.yield(line) }
                }
                let sightings = Sightings(lines)
                guard let line = await sightings.next(),
                    let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines))
                else {
                    let reason = "\(script) did not start; run packaging/test, which installs what it needs."
                    throw CannotStart(description: reason)
                }
                let server = PythonServer(
                    port: port,
                    writer: process.standardInputWriter,
                    lines: sightings,
                    signal: { try process.send(signal: $0) }
                )
                defer { try? process.send(signal: .kill) }
                return try await body(server)
            }
        }
        return outcome.closureResult
    }

    /// The next line that it prints; nil after the last.
    package func line() async -> String? { await lines.next() }

    package func send(_ line: String) async throws { _ = try await writer.write(line + "\n") }
}

/// What arrives, in order, for all listeners.
package actor Sightings<Element: Sendable> {
    private var iterator: AsyncStream<Element>.AsyncIterator

    package init(_ stream: AsyncStream<Element>) {
        iterator = stream.makeAsyncIterator()
    }

    /// Waits for the next one; nil after the last.
    package func next() async -> Element? {
        var iterator = iterator
        return await iterator.next(isolation: self)
    }
}
