import ClientKit
import Foundation
import Subprocess
import TestSupport

/// A python-socketio server in a process of its own; see `server.py`.
struct StockServer: Sendable {
    struct CannotStart: Error, CustomStringConvertible {
        var description: String
    }

    let port: Int
    private let writer: StandardInputWriter
    private let signal: @Sendable (Signal) throws -> Void
    private let sightings: Sightings<String>

    /// Its address, as in a configuration.
    var host: String { "http://127.0.0.1:\(port)/" }

    /// Runs `body` beside a server, which is killed afterwards.
    ///
    /// - Parameters:
    ///   - pingInterval: In seconds.
    ///   - pingTimeout: In seconds.
    ///   - port: The one of a server that was there before; 0: any.
    static func running<Result: Sendable>(
        pingInterval: Double = 25,
        pingTimeout: Double = 20,
        port: Int = 0,
        _ body: (StockServer) async throws -> Result
    ) async throws -> Result {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "server.py").path
        let outcome = try await Subprocess.run(
            .name("env"),
            arguments: [try Checkout.python, script, "\(pingInterval)", "\(pingTimeout)", "\(port)"],
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
                    throw CannotStart(
                        description: "The stock server did not start; run packaging/test, which installs what it needs."
                    )
                }
                let server = StockServer(
                    port: port,
                    writer: process.standardInputWriter,
                    signal: { try process.send(signal: $0) },
                    sightings: sightings
                )
                defer { try? process.send(signal: .kill) }
                return try await body(server)
            }
        }
        return outcome.closureResult
    }

    /// The next event at the server, such as `["connected", {…}]`.
    func sees() async throws -> JSONValue? {
        guard let line = await sightings.next() else { return nil }
        return try JSONValue(parsing: line)
    }

    func emit(_ event: JSONValue) async throws { try await send("emit \(event.text)") }
    /// The server sees `["pong"]` for each answer to a ping from now on.
    func showPongs() async throws { try await send("pongs") }
    func ask(_ event: JSONValue) async throws { try await send("ask \(event.text)") }
    /// Refuses the next client.
    func refuse(_ message: String) async throws { try await send("refuse \(JSONValue.string(message).text)") }
    func disconnectAll() async throws { try await send("disconnect") }
    /// The connections stay open without traffic.
    func freeze() throws { try signal(.suspend) }
    /// Its connections break.
    func kill() throws { try signal(.kill) }

    private func send(_ line: String) async throws {
        _ = try await writer.write(line + "\n")
    }
}

/// The events in order, for all listeners.
actor Sightings<Element: Sendable> {
    private var iterator: AsyncStream<Element>.AsyncIterator

    init(_ stream: AsyncStream<Element>) {
        iterator = stream.makeAsyncIterator()
    }

    /// Waits for the next one; nil after the last.
    func next() async -> Element? {
        var iterator = iterator
        return await iterator.next(isolation: self)
    }
}
