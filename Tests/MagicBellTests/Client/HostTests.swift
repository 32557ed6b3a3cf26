import ClientKit
import FoundationEssentials
import MagicBell
import TestSupport
import Testing

@Suite("Hosts and the context of requests")
struct HostTests {
    @Test("The defaults are the service's public hosts")
    func defaults() throws {
        let hosts = try Hosts().validated()
        #expect(hosts == Hosts())
        #expect(hosts.api == "https://api.magicbell.com" && hosts.ablyREST == "https://rest.ably.io")
        #expect(hosts.ablyRealtime == "wss://realtime.ably.io" && hosts.socket == "wss://ws.magicbell.com")
    }

    @Test("Trailing slashes are removed, and a path is a prefix of every request")
    func prefix() async throws {
        let http = ScriptedHTTP()
        let context = try RequestContext.scripted(http, hosts: Hosts(api: "http://127.0.0.1:8080/mb/"))
        try await UserAPI(.maryToken, context: context).change("n/1", to: .unarchived)
        #expect(await http.requests.first?.url == "http://127.0.0.1:8080/mb/v2/notifications/n%2F1/unarchive")
    }

    @Test(
        "An invalid host is named",
        arguments: [
            (Hosts(api: "http://api.example"), "API"), (Hosts(ablyREST: "rest.ably.io"), "Ably REST"),
            (Hosts(ablyRealtime: "ws://ably.example"), "Ably realtime"), (Hosts(socket: "ftp://x"), "socket"),
        ]
    )
    func invalid(hosts: Hosts, name: String) {
        let error = #expect(throws: MagicBellError.self) { try hosts.validated() }
        #expect(error?.kind == .invalidArgument)
        #expect(error?.message.hasPrefix("The \(name) host ") == true)
    }

    @Test("After a shutdown nothing is sent")
    func shutdown() async throws {
        let http = ScriptedHTTP()
        let context = try RequestContext.scripted(http)
        let api = try RESTAPI(.mary, context: context)
        context.shutDown()
        let error = await #expect(throws: MagicBellError.self) { try await api.change("n1", to: .read) }
        #expect(error?.kind == .invalidState)
        #expect(await http.requests.isEmpty)
    }

    @Test("The clock offset is that of the service's answers, and not of a gateway's")
    func clockOffset() async throws {
        let date = ["Date": "Thu, 01 Jan 2026 01:00:00 GMT"]
        let http = ScriptedHTTP(answer(404, "<html>", date), answer(204, "", date))
        let context = try RequestContext.scripted(http)
        let api = try RESTAPI(.mary, context: context)
        await #expect(throws: MagicBellError.self) { try await api.change("n1", to: .read) }
        #expect(context.clockOffset == nil)
        try await api.change("n1", to: .read)
        #expect(context.clockOffset == 3_600)
    }
}
