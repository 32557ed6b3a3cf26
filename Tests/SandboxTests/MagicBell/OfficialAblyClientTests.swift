import Sandbox
import TestSupport
import Testing

/// The sandbox with Ably's own client for Python.
@Suite(.timeLimit(.minutes(5)), .sandbox(.magicBell())) struct OfficialAblyClientTests {
    private let sandbox = Sandbox.current

    @Test("Ably's client gets a token, attaches the channel, receives events and resumes after a dropped socket")
    func wholeConversation() async throws {
        let lines = try await ClientPrograms.run(script, sandbox.baseURL) {
            let first = try await sandbox.waitForConnection()
            try await sandbox.publish(["id": "A"])
            try await sandbox.execute("drop", ["how": "reset", "connection": .integer(Int64(first))])
            try await sandbox.publish(["id": "B"])
            let second = try await sandbox.waitForConnection(after: first)
            #expect(await sandbox.state.magicBell.sockets.ably.connections[second]?.isResumed == true)
            try await sandbox.publish(["id": "C"])
            try await sandbox.execute("emit", ["name": "bye"])
        }
        let events = lines.filter { $0.hasPrefix("event ") }
        #expect(events == ["A", "B", "C"].map { #"event notifications/new {"id": "\#($0)"}"# })
        #expect(lines.contains("channel attached, resumed: True"))
        try await sandbox.waitForNoConnections()
    }

    @Test("Ably's client renews an expired token") func expiredToken() async throws {
        try await ClientPrograms.run(script, sandbox.baseURL) {
            let first = try await sandbox.waitForConnection()
            try await sandbox.execute("expire-ably-tokens")
            try await sandbox.waitForConnection(after: first)
            try await sandbox.execute("emit", ["name": "bye"])
        }
        let exchanges = await sandbox.requests.filter { $0.path.hasSuffix("/requestToken") }
        #expect(exchanges.count == 2)
        #expect(exchanges.allSatisfy { $0.status == 201 })
    }

    @Test("Ably's client sends a new token when the server requests one") func requestedToken() async throws {
        try await ClientPrograms.run(script, sandbox.baseURL) {
            let id = try await sandbox.waitForConnection()
            try await sandbox.execute("announce", ["frame": "auth"])
            try await sandbox.wait {
                $0.magicBell.sockets.ably.connections[id]?.token.text.hasPrefix("sandbox.token-2")
            }
            try await sandbox.execute("emit", ["name": "bye"])
        }
    }
}

/// Prints one line per event and state, and ends with "bye".
private let script = """
    import asyncio, json, logging, sys, urllib.request
    from ably import AblyRealtime, AblyRest
    logging.basicConfig(level=logging.ERROR)
    base = sys.argv[1]
    address = base.removeprefix("http://")
    host, port = address.split(":")
    headers = {"X-MAGICBELL-API-KEY": "pk_sandbox", "X-MAGICBELL-USER-EXTERNAL-ID": "user-1"}
    def say(*words): print(*words, flush=True)
    async def main():
        config = json.load(urllib.request.urlopen(urllib.request.Request(base + "/config", headers=headers)))
        ended = asyncio.Event()
        # The realtime client has no option for a port other than its host's, and REST has one only apart from it.
        rest = AblyRest(
            auth_url=base + "/ws/auth", auth_method="POST", auth_headers=headers, use_binary_protocol=False,
            tls=False, endpoint=host, port=int(port))
        async def token(parameters): return await rest.auth.request_token()
        client = AblyRealtime(auth_callback=token, use_binary_protocol=False, tls=False, endpoint=address)
        channel = client.channels.get(config["ws"]["channel"])
        channel.on("attached", lambda change: say("channel attached, resumed:", change.resumed))
        def receive(message):
            if message.name == "bye": ended.set()
            else: say("event", message.name, json.dumps(message.data))
        await channel.subscribe(receive)
        await ended.wait()
        await client.close()
        await rest.close()
    asyncio.run(asyncio.wait_for(main(), 50))
    """
