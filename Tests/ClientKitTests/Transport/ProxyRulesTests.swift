import Testing

@testable import ClientKit

struct ProxyRulesTests {
    private static func proxy(_ environment: [String: String], to url: String = "https://a.example/") throws -> String?
    {
        try ProxyRules(environment: environment).proxy(for: Endpoint(url))?.description
    }

    // MARK: Variables

    @Test(
        "Lowercase variables come first, the empty ones are ignored, and http_proxy is not read",
        arguments: [
            ([:], nil),
            (["https_proxy": "http://p:1"], "p:1 (https_proxy)"),
            (["HTTPS_PROXY": "http://p:1"], "p:1 (HTTPS_PROXY)"),
            (["https_proxy": "http://low:1", "HTTPS_PROXY": "http://up:1"], "low:1 (https_proxy)"),
            (["https_proxy": "", "HTTPS_PROXY": "http://up:1"], "up:1 (HTTPS_PROXY)"),
            (["https_proxy": "", "ALL_PROXY": ""], nil),
            (["all_proxy": "http://p:1"], "p:1 (all_proxy)"),
            (["ALL_PROXY": "http://p:1"], "p:1 (ALL_PROXY)"),
            (["ALL_PROXY": "http://all:1", "HTTPS_PROXY": "http://p:1"], "p:1 (HTTPS_PROXY)"),
            // A request header may set it (“httpoxy”), and plain HTTP is only for loopback.
            (["HTTP_PROXY": "http://p:1", "http_proxy": "http://p:1"], nil),
        ] as [([String: String], String?)]
    )
    func variables(environment: [String: String], expected: String?) throws {
        #expect(try Self.proxy(environment) == expected)
        #expect(try Self.proxy(environment, to: "wss://a.example/") == expected)
    }

    // MARK: Values

    struct Read: Equatable {
        var kind: ProxyServer.Kind
        var host: String
        var port: Int
    }

    @Test(
        "A proxy variable contains scheme, credentials, host and port, or only some of them",
        arguments: [
            ("http://p.example:3128", .http(credentials: nil), "p.example", 3128),
            ("HTTP://p.example:3128/", .http(credentials: nil), "p.example", 3128),
            ("p.example:3128", .http(credentials: nil), "p.example", 3128),
            ("p.example", .http(credentials: nil), "p.example", 80),
            ("http://[2001:db8::1]:8080", .http(credentials: nil), "2001:db8::1", 8080),
            ("http://anna:geheim@p:1", .http(credentials: "YW5uYTpnZWhlaW0="), "p", 1),
            ("anna:geheim@p:1", .http(credentials: "YW5uYTpnZWhlaW0="), "p", 1),
            // anna@corp : p:a/ß
            ("http://anna%40corp:p%3Aa%2F%C3%9F@p:1", .http(credentials: "YW5uYUBjb3JwOnA6YS/Dnw=="), "p", 1),
            ("http://anna@p:1", .http(credentials: "YW5uYTo="), "p", 1),
            ("socks5://p:9050", .socks, "p", 9050), ("socks5h://p", .socks, "p", 1080),
            ("socks://p", .socks, "p", 1080),
        ] as [(String, ProxyServer.Kind, String, Int)]
    )
    func values(text: String, kind: ProxyServer.Kind, host: String, port: Int) throws {
        let proxy = try ProxyServer(text, source: "v")
        #expect(Read(kind: proxy.kind, host: proxy.host, port: proxy.port) == Read(kind: kind, host: host, port: port))
    }

    /// As with curl, an unusable proxy is never bypassed.
    @Test(
        "An unusable proxy variable is an error for all hosts that need the proxy",
        arguments: [
            "http://", "http://:3128", "https://geheim:geheim@p:1", "socks4://p:1", "ftp://p:1", "http://p:0",
            "http://p:99999",
            "http://geheim geheim", "socks5://anna:geheim@p:1", "http://%FF:geheim@p:1",
        ]
    )
    func unusable(text: String) throws {
        let rules = ProxyRules(environment: ["HTTPS_PROXY": text])
        let error = #expect(throws: TransportError.self) { try rules.proxy(for: Endpoint("https://a.example/")) }
        #expect(error?.kind == .proxy(status: nil))
        #expect(error?.detail == rules.problem)
        #expect(error?.detail.hasPrefix("The proxy in HTTPS_PROXY cannot be used: ") == true)
        #expect(error?.detail.contains("geheim") == false)
        #expect(try rules.proxy(for: Endpoint("https://127.0.0.1/")) == nil)
        #expect(
            try ProxyRules(environment: ["HTTPS_PROXY": text, "no_proxy": "*"]).proxy(for: Endpoint("https://a/"))
                == nil
        )
    }

    @Test("The credentials of a proxy appear in no description") func secretCredentials() throws {
        let proxy = try ProxyServer("http://anna:geheim@p:1", source: "v")
        let rules = ProxyRules(environment: ["https_proxy": "http://anna:geheim@p:1"])
        var dumped = ""
        dump((proxy, rules), to: &dumped)
        for text in ["\(proxy)", String(reflecting: proxy), "\(rules)", String(reflecting: rules), dumped] {
            #expect(!text.contains("geheim") && !text.contains("YW5uY"))
        }
    }

    // MARK: Exceptions

    static let exceptions: [(String, String, Bool)] = [
        ("", "https://a.example/", false), ("*", "https://a.example/", true),
        ("b.example,*", "https://a.example/", true),
        // Names.
        ("a.example", "https://a.example/", true), ("A.Example", "https://a.eXAMPLE/", true),
        ("example", "https://a.example/", true), (".example", "https://a.example/", true),
        (".a.example", "https://a.example/", true), ("xample", "https://a.example/", false),
        ("a.example.", "https://a.example/", true), ("a.example", "https://a.example./", true),
        ("b.a.example", "https://a.example/", false), ("a.example.com", "https://a.example/", false),
        (".", "https://a.example/", false), ("*.example", "https://a.example/", false),
        // Separators.
        ("b.example,a.example", "https://a.example/", true), ("b.example a.example", "https://a.example/", true),
        (" b.example ,\ta.example ,", "https://a.example/", true), (",,", "https://a.example/", false),
        // Ports.
        ("a.example:443", "https://a.example/", true), ("a.example:443", "wss://a.example:8443/", false),
        (".example:8443", "https://a.example:8443/", true), ("*:8443", "https://a.example/", false),
        ("a.example:x", "https://a.example/", false), ("a.example:", "https://a.example/", false),
        // Addresses.
        ("192.0.2.1", "https://192.0.2.1/", true), ("192.0.2.1:443", "https://192.0.2.1/", true),
        ("192.0.2.1:444", "https://192.0.2.1/", false), ("192.0.2.1", "https://192.0.2.10/", false),
        ("2.1", "https://192.0.2.1/", false), ("192.0.2.1", "https://a192.0.2.1/", false),
        ("2001:db8::1", "https://[2001:db8::1]/", true), ("2001:DB8:0::1", "https://[2001:db8::1]/", true),
        ("[2001:db8::1]", "https://[2001:db8::1]/", true), ("[2001:db8::1]:443", "https://[2001:db8::1]/", true),
        ("[2001:db8::1]:444", "https://[2001:db8::1]/", false), ("2001:db8::2", "https://[2001:db8::1]/", false),
        // Networks.
        ("192.0.2.0/24", "https://192.0.2.255/", true), ("192.0.2.0/24", "https://192.0.3.1/", false),
        ("192.0.2.128/25", "https://192.0.2.127/", false), ("192.0.2.128/25", "https://192.0.2.129/", true),
        ("0.0.0.0/0", "https://192.0.2.1/", true), ("0.0.0.0/0", "https://[2001:db8::1]/", false),
        ("192.0.2.1/32", "https://192.0.2.1/", true), ("192.0.2.1/33", "https://192.0.2.1/", false),
        ("192.0.2.1/-1", "https://192.0.2.1/", false), ("192.0.2.1/", "https://192.0.2.1/", false),
        ("192.0.2.0/24/8", "https://192.0.2.1/", false), ("2001:db8::/32", "https://[2001:db8:1::1]/", true),
        ("2001:db8::/33", "https://[2001:db8:8000::1]/", false), ("::/0", "https://192.0.2.1/", false),
        ("192.0.2.0/24", "https://a.example/", false),
    ]

    @Test("no_proxy matches names, ports, addresses and networks", arguments: exceptions.indices) func noProxy(
        index: Int
    ) throws {
        let (list, url, isDirect) = Self.exceptions[index]
        for name in ["no_proxy", "NO_PROXY"] {
            let proxy = try Self.proxy(["https_proxy": "http://p:1", name: list], to: url)
            #expect((proxy == nil) == isDirect, "\(name)=\(list) \(url)")
        }
    }

    @Test(
        "Connections to this computer never use a proxy",
        arguments: [
            "https://localhost/", "https://127.0.0.1/", "https://127.9.9.9:1/", "https://[::1]/", "ws://localhost/",
        ]
    )
    func loopback(url: String) throws {
        #expect(try Self.proxy(["https_proxy": "http://p:1"], to: url) == nil)
    }

    // MARK: The desktop's settings

    @Test(
        "The desktop's settings count if no variable sets a proxy or an exception",
        arguments: [
            ([:], true), (["https_proxy": ""], true), (["no_proxy": "b.example"], true),
            (["no_proxy": ".example"], false), (["https_proxy": "http://p:1"], false),
            (["https_proxy": "http://p:1", "no_proxy": "*"], false), (["ALL_PROXY": "ftp://p"], false),
        ] as [([String: String], Bool)]
    )
    func desktop(environment: [String: String], isAsked: Bool) throws {
        let rules = ProxyRules(environment: environment)
        #expect(try rules.leaveOpen(Endpoint("https://a.example/")) == isAsked)
        #expect(try !rules.leaveOpen(Endpoint("https://127.0.0.1/")))
        #expect(try !rules.leaveOpen(Endpoint("ws://localhost:8080/")))
    }

    @Test(
        "The answer of the desktop's settings is a list of ways, of which unusable ones are ignored",
        arguments: [
            ([], ["direct"]), (["direct://"], ["direct"]),
            (["http://p:3128"], ["p:3128 (the desktop's settings)"]),
            (["http://p:1", "direct://"], ["p:1 (the desktop's settings)", "direct"]),
            (
                ["socks://p:1", "socks5://[::1]:2"],
                ["p:1 (the desktop's settings)", "[::1]:2 (the desktop's settings)"]
            ),
            (["https://p:1", "socks4://p:1", "http://q:2"], ["q:2 (the desktop's settings)"]),
            (["https://p:1", "direct://"], ["direct"]),
            (Array(repeating: "direct://", count: 9), Array(repeating: "direct", count: 4)),
        ] as [([String], [String])]
    )
    func ways(answer: [String], expected: [String]) throws {
        #expect(try ProxyServer.ways(in: answer).map { $0?.description ?? "direct" } == expected)
    }

    @Test("An answer of the desktop's settings without a usable way is an error")
    func unusableWays() {
        let error = #expect(throws: TransportError.self) {
            try ProxyServer.ways(in: ["https://anna:geheim@p:1", "socks4://p:1"])
        }
        #expect(error?.kind == .proxy(status: nil))
        #expect(
            error?.detail
                == "The proxy in the desktop's settings cannot be used: the scheme https is not supported; "
                + "use http or socks5. Correct the settings."
        )
    }
}
