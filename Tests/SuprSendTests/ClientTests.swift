import Testing

@testable import SuprSend

@Suite struct ClientTests {
    @Test(
        "Hosts are https addresses, or http addresses of this machine",
        arguments: [
            ("https://inboxs.live", "https://inboxs.live"),
            ("https://inboxs.live///", "https://inboxs.live"),
            ("https://host:8443/prefix/", "https://host:8443/prefix"),
            ("http://127.0.0.1:80", "http://127.0.0.1:80"),
            ("http://localhost", "http://localhost"),
            ("http://[::1]:9", "http://[::1]:9"),
            ("https://inboxs.live:0", nil), ("https://inboxs.live:x", nil), ("https://inboxs.live:70000", nil),
            ("inboxs.live", nil), ("ftp://inboxs.live", nil), ("https://", nil), ("https:///path", nil),
            ("http://inboxs.live", nil), ("http://127.0.0.1.evil.example", nil), ("http://localhost.example", nil),
            ("https://a b", nil), ("https://a\r\nb", nil), ("https://u@h", nil), ("https://h?x", nil),
            ("https://[zz]", nil), ("", nil),
        ] as [(String, String?)]
    )
    func hosts(given: String, used: String?) throws {
        let hosts = Hosts(api: given)
        if let used {
            #expect(try hosts.validated().api == used)
        } else {
            let error = try #require(throws: SuprSendError.self) { try hosts.validated() }
            #expect(error.kind == .invalidArgument)
            #expect(error.message.contains("API"))
        }
    }

    @Test("Hosts that a feed's options omit are the client's")
    func hostsOfAFeed() async throws {
        let context = try RequestContext.test(
            hosts: Hosts(hub: "https://hub.example", api: "https://api.example", socket: "https://socket.example")
        )
        let client = try SuprSendClient(context, identifiedAs: "user-1")
        let socket = try client.feeds.initialize(FeedOptions(hosts: Hosts(socket: "https://other.example/")))
        #expect(await socket.service.scope.hosts.api == "https://api.example")
        #expect(await socket.connection.url.hasPrefix("wss://other.example/"))
        let api = try client.feeds.initialize(FeedOptions(hosts: Hosts(api: "https://other.example")))
        #expect(await api.service.scope.hosts.api == "https://other.example")
        #expect(await api.connection.url.hasPrefix("wss://socket.example/"))
        var none = Hosts()
        #expect(try await client.feeds.initialize(FeedOptions(hosts: none)).service.scope.hosts == context.hosts)
        none.hub = "https://third.example"
        #expect(try await client.feeds.initialize(FeedOptions(hosts: none)).service.scope.hosts.hub == none.hub)
    }

    @Test("Hosts that a client omits are the service's public ones")
    func publicHosts() throws {
        let hosts = try RequestContext.test(hosts: Hosts(api: "https://api.example")).hosts
        #expect(hosts.hub == "https://hub.suprsend.com")
        #expect(hosts.api == "https://api.example")
        #expect(hosts.socket == "https://betainbox.suprsend.com")
    }

    @Test(
        "An invalid option of a feed is rejected, and the error names it",
        arguments: [
            (FeedOptions(tenantID: ""), "tenant"),
            (FeedOptions(pageSize: 0), "page size 0"),
            (FeedOptions(pageSize: 101), "page size 101"),
            (FeedOptions(maximumRows: 19), "19 rows"),
            (FeedOptions(maximumRows: 10_001), "10001 rows"),
            (FeedOptions(stores: [.init(id: "")]), "empty id"),
            (FeedOptions(stores: [.init(id: "badge")]), "badge"),
            (FeedOptions(stores: [.init(id: "a"), .init(id: "a")]), "\"a\""),
            (FeedOptions(hosts: Hosts(socket: "nowhere")), "socket host \"nowhere\""),
        ]
    )
    func options(options: FeedOptions, named: String) throws {
        let client = try SuprSendClient.test()
        let error = try #require(throws: SuprSendError.self) { try client.feeds.initialize(options) }
        #expect(error.kind == .invalidArgument)
        #expect(error.message.contains(named))
    }

    @Test(
        "A public key that is empty or has other characters than printable ASCII is rejected",
        arguments: ["", "a\nb", "a b", "ä"]
    ) func publicKey(key: String) throws {
        let error = #expect(throws: SuprSendError.self) { try SuprSendClient(publicKey: key) }
        #expect(error?.kind == .invalidArgument)
        #expect(error?.message.contains("public key") == true)
    }

    @Test("An unknown store, an empty id and a page before the first fail without a request")
    func unknownStoreEmptyIDAndMissingPage() async throws {
        let inbox = FakeInbox()
        let feed = try SuprSendClient.test(http: inbox).feeds.initialize(FeedOptions(stores: [.init(id: "a")]))
        let error = await #expect(throws: SuprSendError.self) { try await feed.changeActiveStore("b") }
        #expect(error?.message.contains("\"b\"") == true)
        await #expect(throws: SuprSendError.self) { try await feed.markAsRead("") }
        await #expect(throws: SuprSendError.self) { try await feed.fetchNextPage() }
        #expect(await inbox.requests.isEmpty)
    }
}
