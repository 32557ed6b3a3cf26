import ClientKit
import Foundation
import Subprocess
import TestSupport

/// A python-socketio server in a process of its own; see `server.py`.
struct StockServer: Sendable {
    private let server: PythonServer

    var port: Int { server.port }

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
        return try await PythonServer.running(script, ["\(pingInterval)", "\(pingTimeout)", "\(port)"]) {
            try await body(StockServer(server: $0))
        }
    }

    /// The next event at the server, such as `["connected", {…}]`.
    func sees() async throws -> JSONValue? {
        guard let line = await server.line() else { return nil }
        return try JSONValue(parsing: line)
    }

    func emit(_ event: JSONValue) async throws { try await server.send("emit \(event.text)") }
    /// The server sees `["pong"]` for each answer to a ping from now on.
    func showPongs() async throws { try await server.send("pongs") }
    func ask(_ event: JSONValue) async throws { try await server.send("ask \(event.text)") }
    /// Refuses the next client.
    func refuse(_ message: String) async throws { try await server.send("refuse \(JSONValue.string(message).text)") }
    func disconnectAll() async throws { try await server.send("disconnect") }
    /// The connections stay open without traffic.
    func freeze() throws { try server.signal(.suspend) }
    /// Its connections break.
    func kill() throws { try server.signal(.kill) }
}
