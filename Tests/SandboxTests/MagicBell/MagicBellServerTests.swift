import FoundationEssentials
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The simulated MagicBell on a real port.
@Suite(.timeLimit(.minutes(5)), .sandbox(.magicBell())) struct MagicBellServerTests {
    private typealias Requests = MagicBellRequests

    private let sandbox = Sandbox.current

    private func exchange(_ request: ServiceRequest) async throws -> (status: String, body: [UInt8]) {
        let answer = try await RawConnection.exchange(RawConnection.text(request), port: sandbox.port)
        let separator = try #require(answer.bytes.firstRange(of: Array("\r\n\r\n".utf8)))
        let status = String(decoding: answer.bytes.prefix(12).suffix(3), as: UTF8.self)
        return (status, Array(answer.bytes[separator.upperBound...]))
    }

    @Test("An action is answered without a body") func noContent() async throws {
        let id = try await sandbox.publish(["title": "Hi"])
        let answer = try await exchange(Requests.rest("POST", "/notifications/\(id)/read"))
        #expect((answer.status, answer.body) == ("204", []))
        #expect(await sandbox.magicBellInbox()[id]?.readAt != nil)
    }

    @Test("A truncated answer is a complete answer without the end of its JSON") func truncated() async throws {
        await sandbox.inject(RequestFault(.truncated))
        let answer = try await exchange(Requests.rest("GET", "/notifications"))
        #expect(answer.status == "200")
        #expect(answer.body.first == UInt8(ascii: "{"))
        #expect(JSON(parsing: answer.body) == nil)
    }

    @Test("A fault of upgrades does not concern other requests") func failedUpgrade() async throws {
        await sandbox.inject(.init(.respond(.magicBellError(503, nil, "busy")), onlyUpgrades: true))
        #expect(try await exchange(Requests.rest("GET", "/notifications")).status == "200")
        let upgrade = SandboxTests.Requests.upgrade("/?accessToken=unknown&v=6&format=json")
        let refused = try await RawConnection.exchange(upgrade, port: sandbox.port)
        #expect(String(decoding: refused.bytes, as: UTF8.self).hasPrefix("HTTP/1.1 503 "))
        let granted = try await RawConnection.exchange(upgrade, port: sandbox.port) {
            $0.firstRange(of: Array("40140".utf8)) != nil
        }
        #expect(String(decoding: granted.bytes, as: UTF8.self).hasPrefix("HTTP/1.1 101 "))
        try await sandbox.waitForNoConnections()
    }

    @Test("A stock WebSocket client receives the events of the own socket and the reason of its end")
    func stockSocketClient() async throws {
        let token = String(repeating: "0123456789abcdef", count: 4)
        let body: JSON = ["inbox": ["token": .string(token)]]
        #expect(try await exchange(Requests.rest("POST", "/channels/in_app/inbox/tokens", body)).status == "201")
        let output = try await ClientPrograms.run(script, "\(sandbox.socketURL)/?api_key=pk_sandbox&token=\(token)") {
            try await sandbox.waitForConnection()
            try await sandbox.publish(["id": "A"])
            try await sandbox.execute("socket-close")
            try await sandbox.execute("drop", ["how": "close"])
        }
        #expect(output.count == 3)
        #expect(output.first.flatMap { JSON(parsing: $0) }?["data"] == ["id": "A"])
        #expect(output.dropFirst().first == #"{"type":"close"}"#)
        #expect(output.last == "closed 1001")
        let refused = try await ClientPrograms.run(script, "\(sandbox.socketURL)/?api_key=pk_sandbox&token=other")
        #expect(refused == ["closed 4002"])
    }

    @Test("The program prints all addresses, and its control commands work") func program() async throws {
        let test = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: test).deletingLastPathComponent().appending(path: "feedbell-sandbox").path
        let script = """
            set -eu
            work=$(mktemp -d)
            trap 'rm -r "$work"' EXIT
            "$1" serve --service magicbell --user anna@example.com --port-file "$work/port" >"$work/output" </dev/null &
            until [ -s "$work/port" ]; do sleep 0.05; done
            url=http://127.0.0.1:$(cat "$work/port")
            "$1" control "$url" publish '{"id":"A","title":"Hi"}'
            "$1" token "$url" | tr -cd . | wc -c
            kill $!
            wait $! || true
            sed "s|:$(cat "$work/port")|:PORT|" "$work/output"
            """
        let result = try await Subprocess.run(
            .name("sh"),
            arguments: ["-c", script, "sh", program],
            output: .string(limit: 1 << 16),
            error: .string(limit: 1 << 16)
        )
        #expect(result.standardError == "")
        let lines = result.standardOutput.split(separator: "\n").map(String.init)
        #expect(lines.prefix(3) == [#"{"ids":["A"]}"#, "2", "listening on http://127.0.0.1:PORT"])
        #expect(lines.contains("user API (v2): http://127.0.0.1:PORT/v2"))
        #expect(lines.contains("MagicBell's socket: ws://127.0.0.1:PORT/?api_key=…&token=…"))
        #expect(lines.contains("anna@example.com: published A Hi"))
    }
}

/// The client of the package `websockets`. Prints each frame, and the code with which the server closes the connection.
private let script = """
    import sys
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect
    with connect(sys.argv[1], open_timeout=30) as socket:
        try:
            while True: print(socket.recv(), flush=True)
        except ConnectionClosed as end:
            print("closed", end.rcvd.code if end.rcvd else None)
    """
