import Sandbox
import TestSupport
import Testing

/// The sandbox with a client of other authors, python-socketio.
@Suite(.timeLimit(.minutes(5))) struct StockClientTests {
    private let sandbox = Sandbox.current

    @Test(
        "A stock client stays connected and receives events",
        .sandbox(SandboxOptions(requireToken: false, pingInterval: 100, pingTimeout: 60_000))
    ) func events() async throws {
        let lines = try await ClientPrograms.run(StockClient.script, sandbox.baseURL) {
            try await StockClient.isReady(sandbox)
            // The client answers two pings.
            try await sandbox.wait { $0.pongs(of: 1) >= 2 ? true : nil }
            try await sandbox.publish(["n_id": "A"])
            try await sandbox.execute("publish", ["n_id": "B", "ack": true])
            let acknowledged = try await sandbox.wait { $0.realtime.acks.first?.arguments }
            #expect(acknowledged == ["received"])
            try await sandbox.execute("emit", ["event": "bye"])
        }
        #expect(lines.contains("connected"))
        #expect(lines.contains(#"joined_room [{}]"#))
        #expect(lines.contains { $0.hasPrefix(#"new_notification [{"n_id": "A"}, ""#) })
        #expect(lines.contains(#"new_notification [{"n_id": "B"}]"#))
        #expect(lines.last == "disconnected")
        try await sandbox.waitForNoConnections()
        let upgrade = try await sandbox.waitForRequest()
        #expect((upgrade.path, upgrade.status) == ("/socket.io/", 101))
    }

    @Test(
        "A stock client receives the reason of a refusal",
        .sandbox(SandboxOptions(requireToken: true), expectsNoViolations: false)
    ) func refusal() async throws {
        let lines = try await ClientPrograms.run(StockClient.script, sandbox.baseURL)
        #expect(lines.contains("refused Authentication Error: wrong auth token"))
    }

    @Test(
        "A stock client detects each kind of drop",
        .sandbox(.open),
        arguments: ["reset", "finish", "close", "disconnect"]
    )
    func drops(how: String) async throws {
        let lines = try await ClientPrograms.run(StockClient.script, sandbox.baseURL) {
            try await StockClient.isReady(sandbox)
            try await sandbox.execute("drop", ["how": .string(how)])
        }
        #expect(lines.last == "disconnected")
    }
}

extension SandboxState {
    /// Pings that a connection has answered.
    fileprivate func pongs(of id: Int) -> Int { realtime.connections[id]?.answeredPings ?? 0 }
}

/// python-socketio's client.
private enum StockClient {
    /// Prints one line per event, and ends when it is disconnected or receives "bye".
    static let script = """
        import json, os, sys, urllib.request, socketio
        client = socketio.Client(reconnection=False)
        def say(*words): sys.stdout.write(" ".join(words) + "\\n"); sys.stdout.flush()
        @client.on("*")
        def received(event, *arguments):
            say(event, json.dumps(arguments))
            if event == "bye": client.disconnect()
            return "received"
        @client.event
        def connect(): say("connected")
        @client.event
        def disconnect(reason):
            say("disconnected")
            # Its threads take half a minute to end when the server was first.
            if reason != client.reason.CLIENT_DISCONNECT: os._exit(0)
        @client.event
        def connect_error(data): say("refused", data["message"] if isinstance(data, dict) else str(data))
        try:
            # A busy machine takes more than the second that is usual.
            client.connect(sys.argv[1], transports=["websocket"], wait_timeout=30, auth={
                "authorization": "SS.PUBK.sandbox", "distinct_id": "user-1", "tenant_id": "default", "schema": "1"})
            ready = json.dumps({"n_id": "ready", "announce": False}).encode()
            urllib.request.urlopen(sys.argv[1] + "/control/publish", ready).read()
            client.wait()
        except socketio.exceptions.ConnectionError:
            pass
        """

    /// Returns when the client's own `connect` has returned; before that, it takes a disconnection for a refusal.
    static func isReady(_ sandbox: Sandbox) async throws {
        try await sandbox.wait { $0.service[InboxKey(user: "user-1")].row("ready") }
    }
}
