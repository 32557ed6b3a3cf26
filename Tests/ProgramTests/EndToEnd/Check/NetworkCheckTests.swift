import AgentInterface
import AgentTestSupport
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

    @Test("Each unreachable host is a finding") func unreachableHosts() async throws {
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
    }

    @Test("An untrusted certificate is a finding with its reason") func certificates() async throws {
        try await TLSServer.with { port in
            let url = "https://localhost:\(port)"
            let findings = AgentCheck.problems(try await AgentCheck.findings(account(hub: url, api: url, socket: url)))
            #expect(
                findings.map(\.sentence)
                    == ["preferences", "notifications", "realtime events"].map {
                        "Cannot reach the server for \($0): the certificate of localhost:\(port) expired 24 hours ago."
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
            await other.inject(RequestFault(.respond(page), times: 1))
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

    @Test("A proxy that refuses is found") func wrongProxy() async throws {
        let text = account(hub: "https://a.invalid", api: "https://b.invalid", socket: "wss://c.invalid")
        try await Relay.with(to: 1, admission: .proxy(status: 403)) { relay in
            let environment: [Environment.Key: String?] = [
                "HTTPS_PROXY": "http://127.0.0.1:\(relay.port)", "NO_PROXY": nil, "no_proxy": nil, "https_proxy": nil,
            ]
            let refused = AgentCheck.problems(
                try await TemporaryFile.with(text) { file in
                    try await AgentCheck.run(["check", "--config", file.path], environment: environment)
                }
            )
            #expect(refused.count == 3)
            #expect(
                refused.allSatisfy { $0.remedy?.hasPrefix("Check that the proxy allows this host") == true },
                "\(refused)"
            )
        }
    }

    @Test("The authorization server and the backend are reached through the proxy of the desktop's settings")
    func proxyOfSignIn() async throws {
        let text =
            account(hub: "http://127.0.0.1:1", api: "http://127.0.0.1:1", socket: "ws://127.0.0.1:1")
            + "token_url = \"https://backend.invalid/token\"\n\n[accounts.work.sign_in]\n"
            + "issuer = \"https://issuer.invalid\"\nclient_id = \"feedbell\"\n"
        try await Relay.with(to: 1, admission: .proxy(status: 403)) { relay in
            let findings = try await ProxyPortal.with { _ in
                ["http://127.0.0.1:\(relay.port)"]
            } _: {
                AgentCheck.problems(try await AgentCheck.findings(text))
            }
            let hosts = Set(relay.requests.compactMap { $0.split(separator: " ").dropFirst().first })
            #expect(hosts == ["backend.invalid:443", "issuer.invalid:443"], "\(findings)")
            for host in ["backend.invalid", "issuer.invalid"] {
                let refusal = "(the desktop's settings) refused the connection to \(host) with HTTP status 403."
                #expect(findings.contains { $0.sentence.contains(refusal) }, "\(findings)")
            }
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
                await sandbox.inject(RequestFault(.respond(page), times: 3))
                return ""
            }
        )
        #expect(findings.map(\.topic) == [.network, .network, .network])
        #expect(findings[0].sentence.contains("is not SuprSend. The host answered with a web page (status 200)"))
        #expect(findings[2].sentence.contains("HTTP status 200 instead of opening a WebSocket"))
        #expect(findings.allSatisfy { $0.remedy?.contains("the network may require a login") == true })
    }
}
