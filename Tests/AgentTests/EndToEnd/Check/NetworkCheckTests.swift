import AgentInterface
import Foundation
import Sandbox
import Subprocess
import TestSupport
import Testing

/// The findings of `feedbell-agent check` about the connection to the service.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct NetworkCheckTests {
    private func account(hub: String, api: String, socket: String) -> String {
        """
        [accounts.work]
        provider = "suprsend"
        public_key = "SS.PUBK.sandbox"
        distinct_id = "anna"
        hub_url = "\(hub)"
        api_url = "\(api)"
        socket_url = "\(socket)"

        """
    }

    @Test("Each unreachable host is a finding; without a network there is one for all") func unreachableHosts()
        async throws
    {
        let findings = AgentCheck.problems(
            try await AgentCheck.findings(
                account(hub: "http://127.0.0.1:1", api: "https://name.invalid", socket: "ws://127.0.0.1:1")
            )
        )
        #expect(
            findings.map(\.sentence) == [
                "Cannot reach the server for preferences: 127.0.0.1 could not be reached: nothing listens there.",
                "Cannot reach the server for notifications: The name name.invalid could not be resolved.",
                "Cannot reach the server for realtime events: 127.0.0.1 could not be reached: nothing listens there.",
            ]
        )
        let nowhere = "https://name.invalid"
        let offline = AgentCheck.problems(
            try await AgentCheck.findings(account(hub: nowhere, api: nowhere, socket: nowhere))
        )
        #expect(offline.count == 1)
        #expect(offline.first?.sentence.hasPrefix("Cannot reach SuprSend: The name name.invalid") == true)
    }

    @Test(
        "An untrusted certificate is a finding with its reason",
        arguments: [(30, "is self-signed."), (-1, "expired 24 hours ago.")]
    )
    func certificates(days: Int, words: String) async throws {
        try await TLSServer.with(days: days) { port in
            let url = "https://localhost:\(port)"
            let findings = AgentCheck.problems(try await AgentCheck.findings(account(hub: url, api: url, socket: url)))
            #expect(
                findings.map(\.sentence)
                    == ["preferences", "notifications", "realtime events"].map {
                        "Cannot reach the server for \($0): the certificate of localhost:\(port) \(words)"
                    }
            )
        }
    }

    @Test("A missing CA file is found even if no host needs it")
    func missingCAFile() async throws {
        let findings = AgentCheck.problems(try await AgentCheck.findings { _ in "ca_file = \"/nonexistent.pem\"\n" })
        #expect(findings.map(\.topic) == [.network])
        #expect(findings.first?.sentence.contains("\"/nonexistent.pem\" cannot be read") == true)
    }

    @Test(
        "Another web server at one address is a problem of that address, not of the network",
        arguments: ["", "/wrong"]
    )
    func anotherWebServer(path: String) async throws {
        let page = ServiceResponse(
            status: 404,
            headers: ["Content-Type": "text/html"],
            body: Array("<html><title>Not Found</title></html>".utf8)
        )
        try await Sandbox.with(SandboxOptions(users: ["anna"], requireToken: false)) { other in
            try await other.perform(.fault(RequestFault(.respond(page), times: 1)))
            let findings = AgentCheck.problems(
                try await Sandbox.with(SandboxOptions(users: ["anna"], requireToken: false)) { sandbox in
                    let good = sandbox.baseURL
                    return try await AgentCheck.findings(
                        account(hub: good, api: other.baseURL + path, socket: good.replacing("http:", with: "ws:"))
                    )
                }
            )
            #expect(findings.map(\.topic) == [.network])
            #expect(findings.first?.level == .problem)
            #expect(findings.first?.sentence.contains("is not SuprSend") == true)
            #expect(findings.first?.remedy?.hasPrefix("Check \"api_url\" of [accounts.work].") == true)
        }
    }

    @Test("A proxy without a listener and a proxy that refuses are found") func wrongProxies() async throws {
        let text = account(hub: "https://a.invalid", api: "https://b.invalid", socket: "wss://c.invalid")
        func findings(_ proxy: String) async throws -> [Finding] {
            try await TemporaryFile.with(text) { file in
                let outcome = try await Programs.run(
                    "feedbell-agent",
                    ["check", "--config", file.path],
                    environment: ["HTTPS_PROXY": proxy, "NO_PROXY": nil, "no_proxy": nil, "https_proxy": nil]
                )
                #expect(outcome.status == .exited(0), "\(outcome.errors)")
                return try outcome.output.split(separator: "\n").map {
                    try JSONDecoder().decode(Finding.self, from: Data($0.utf8))
                }
            }
        }
        let absent = AgentCheck.problems(try await findings("http://127.0.0.1:1"))
        #expect(absent.count == 1)
        #expect(absent.first?.remedy?.hasPrefix("Check the proxy 127.0.0.1:1 (HTTPS_PROXY)") == true, "\(absent)")
        try await Relay.with(to: 1, admission: .proxy(status: 403)) { relay in
            let refused = AgentCheck.problems(try await findings("http://127.0.0.1:\(relay.port)"))
            #expect(refused.count == 3)
            #expect(
                refused.allSatisfy { $0.remedy?.hasPrefix("Check that the proxy allows this host") == true },
                "\(refused)"
            )
        }
    }

    @Test("A port that does not speak TLS is reported as such, not as a firewall") func plainPort()
        async throws
    {
        let findings = AgentCheck.problems(
            try await Sandbox.with(SandboxOptions(users: ["anna"], requireToken: false)) { sandbox in
                let url = "https://127.0.0.1:\(sandbox.port)"
                return try await AgentCheck.findings(account(hub: url, api: url, socket: url))
            }
        )
        #expect(findings.map(\.topic) == [.network, .network, .network])
        #expect(
            findings.allSatisfy { $0.remedy?.contains("The port may be for http and ws") == true },
            "\(findings)"
        )
    }

    @Test("A login page in place of the service is found") func loginPage() async throws {
        let page = ServiceResponse(
            status: 200,
            headers: ["Content-Type": "text/html", "Date": "Thu, 01 Jan 1970 00:00:00 GMT"],
            body: Array("<html>Please sign in</html>".utf8)
        )
        let findings = AgentCheck.problems(
            try await AgentCheck.findings { sandbox in
                try await sandbox.perform(.fault(RequestFault(.respond(page), times: 3)))
                return ""
            }
        )
        #expect(findings.map(\.topic) == [.network, .network, .network])
        #expect(findings[0].sentence.contains("is not SuprSend. The host answered with a web page (status 200)"))
        #expect(findings[2].sentence.contains("HTTP status 200 instead of opening a WebSocket"))
        #expect(findings.allSatisfy { $0.remedy?.contains("the network may require a login") == true })
    }
}
