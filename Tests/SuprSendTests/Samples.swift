import Basics
import ClientKit
import FoundationEssentials
import Logging

@testable import SuprSend

/// The base time of the samples, 2025-08-04T22:32:25.613Z.
let base: Timestamp = 1_754_346_745_613

/// A row made `age` milliseconds before the base time.
func row(
    _ id: String,
    age: Int64 = 0,
    pinned: Bool = false,
    category: String = "system",
    tags: [String] = [],
    archived: Bool = false,
    seen: Timestamp? = nil,
    read: Timestamp? = nil,
    expiry: Timestamp? = nil
) -> FeedNotification {
    FeedNotification(
        id: id,
        category: category,
        tags: tags,
        isArchived: archived,
        isPinned: pinned,
        created: Timestamp(milliseconds: base.milliseconds - age),
        seen: seen,
        read: read,
        expiry: expiry
    )
}

extension FeedNotification {
    /// The row as the service writes it.
    var json: String {
        func number(_ time: Timestamp?) -> String { time.map { "\($0.milliseconds)" } ?? "null" }
        return #"""
            {"n_id":"\#(id)","n_category":"\#(category)","created_on":\#(sortKey.milliseconds),\#
            "seen_on":\#(number(seen)),\#
            "read_on":\#(number(read)),"interacted_on":\#(number(interacted)),"archived":\#(isArchived),\#
            "tags":[\#(tags.map { "\"\($0)\"" }.joined(separator: ","))],"expiry":\#(number(expiry)),\#
            "is_expiry_visible":false,"is_pinned":\#(isPinned),"message":{"schema":"1","text":"text"}}
            """#
    }
}

func response(_ status: Int, _ body: String, _ headers: [HTTPField] = []) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
}

extension RequestContext {
    /// A context over parts in memory.
    static func test(
        http: any HTTPTransport = FakeInbox(),
        webSocket: any WebSocketTransport = FakeSocket(),
        hosts: Hosts = Hosts(),
        environment: ClientEnvironment = ClientEnvironment()
    ) throws -> RequestContext {
        try RequestContext(
            publicKey: "SS.PUBK.example",
            hosts: hosts,
            http: http,
            webSocket: webSocket,
            environment: environment,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }
}

extension SuprSendClient {
    /// The client of "user-1" over parts in memory.
    static func test(
        http: any HTTPTransport = FakeInbox(),
        webSocket: any WebSocketTransport = FakeSocket(),
        environment: ClientEnvironment = ClientEnvironment(),
        tenantID: String? = nil,
        token: UserTokenProvider? = nil
    ) throws -> SuprSendClient {
        try SuprSendClient(
            .test(http: http, webSocket: webSocket, environment: environment),
            identifiedAs: "user-1",
            tenantID: tenantID,
            refreshUserToken: token
        )
    }
}

/// Runs a client while `body` runs.
func withRunning(_ client: SuprSendClient, _ body: () async throws -> Void) async rethrows {
    try await withThrowingTaskGroup { group in
        group.addTask { await client.run() }
        try await body()
        group.cancelAll()
    }
}

/// A token that expires this number of seconds after the base time. The signature is nonsense.
func token(expiring seconds: Int, name: String = "a", entity: String = "user-1") -> String {
    let exp = Int(base.milliseconds / 1000) + seconds
    let payload = #"{"entity_id":"\#(entity)","exp":\#(exp),"jti":"\#(name)","scope":{"tenant_id":["acme","default"]}}"#
    let base64 = Data(payload.utf8).base64EncodedString()
    let url = String(base64.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }.filter { $0 != "=" })
    return "eyJhbGciOiJFUzI1NiJ9.\(url).c2ln"
}
