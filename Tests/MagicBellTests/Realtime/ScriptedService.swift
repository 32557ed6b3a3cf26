import Basics
import ClientKit
import MagicBell
import Synchronization
import TestSupport
import Testing

/// The service's side of the realtime feed in memory: the configuration, token requests and inbox tokens.
actor ScriptedService: InboxAPI {
    nonisolated let capabilities: APICapabilities
    /// The requests to the service, in order.
    private(set) var calls: [String] = []
    private var configurations: [Result<UserConfiguration?, MagicBellError>] = []
    private var authorizations: [Result<AblyAuthorization, MagicBellError>] = []
    private var registrations: [Result<String, MagicBellError>] = []
    private var isHeld = false
    private var watchers = Waiters()

    init(capabilities: APICapabilities = [.ably]) { self.capabilities = capabilities }

    // The next answers, one each.
    func configure(_ next: Result<UserConfiguration?, MagicBellError>...) { configurations += next }
    func authorize(_ next: Result<AblyAuthorization, MagicBellError>...) { authorizations += next }
    func register(_ next: Result<String, MagicBellError>...) { registrations += next }

    /// Token requests wait until ``release()``.
    func hold() { isHeld = true }

    func release() {
        isHeld = false
        watchers.wakeAll()
    }

    func count(_ call: String) -> Int { calls.count { $0.hasPrefix(call) } }

    func wait(for call: String, _ count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async {
        let (what, seen) = ("\(count) calls of \(call)", SeenValues())
        await waiting(for: what, seen: { seen.description }, sourceLocation: sourceLocation) {
            while self.count(call) < count, !Task.isCancelled {
                seen.note("\(calls)")
                await watchers.add().wait()
            }
        }
    }

    private func record(_ call: String) {
        calls.append(call)
        watchers.wakeAll()
    }

    func configuration() async throws(MagicBellError) -> UserConfiguration? {
        record("configuration")
        if !configurations.isEmpty { return try configurations.removeFirst().get() }
        return UserConfiguration(channel: "c")
    }

    /// Without a signature of its own, each request is still another one: its nonce counts.
    func realtimeTokenRequest() async throws(MagicBellError) -> AblyAuthorization {
        record("token request")
        while isHeld, !Task.isCancelled { await watchers.add().wait() }
        if Task.isCancelled { throw MagicBellError(.cancelled, "cancelled") }
        if !authorizations.isEmpty { return try authorizations.removeFirst().get() }
        return .request(["keyName": "app.key", "nonce": .integer(Int64(count("token request"))), "mac": "s3cr3t-mac"])
    }

    func registerInboxToken(_ token: String) async throws(MagicBellError) -> InboxTokenRegistration {
        record("inbox token \(token)")
        if !registrations.isEmpty {
            return InboxTokenRegistration(token: try registrations.removeFirst().get(), apiKey: "pk")
        }
        return InboxTokenRegistration(token: token, apiKey: "pk")
    }

    // MARK: Not for the realtime feed

    private nonisolated var unused: MagicBellError { MagicBellError(.unsupported, "not for the realtime feed") }

    func page(
        of predicate: StorePredicate,
        after cursor: InboxPageCursor?,
        size: Int,
        showPart: PartialPages
    ) async throws(MagicBellError) -> StorePage { throw unused }
    func counts(of predicate: StorePredicate) async throws(MagicBellError) -> StoreCounts { throw unused }
    func notification(_ id: String) async throws(MagicBellError) -> InboxNotification { throw unused }
    func change(_ id: String, to change: StateChange) async throws(MagicBellError) { throw unused }
    func delete(_ id: String) async throws(MagicBellError) { throw unused }
    func changeAll(_ predicate: StorePredicate, to change: StateChange) async throws(MagicBellError) { throw unused }
    func preferences() async throws(MagicBellError) -> NotificationPreferences { throw unused }
    func updatePreferences(_ changes: NotificationPreferences) async throws(MagicBellError)
        -> NotificationPreferences?
    { throw unused }
    func register(_ token: PushToken) async throws(MagicBellError) { throw unused }
    func unregister(_ token: PushToken) async throws(MagicBellError) { throw unused }
}

/// Ably's REST API in memory: exchanges each token request for the tokens `tok-1`, `tok-2`, …, valid for an hour.
actor ScriptedAblyREST: HTTPTransport {
    private(set) var requests: [HTTPRequest] = []
    private var answers: [Result<HTTPResponse, TransportError>] = []
    private let retirements = Mutex(0)

    /// The next answers, one each.
    func answer(_ next: Result<HTTPResponse, TransportError>...) { answers += next }

    func answer(_ status: Int, _ body: String, headers: [HTTPField] = []) {
        answers.append(.success(HTTPResponse(status: status, headers: headers, body: Array(body.utf8))))
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        requests.append(request)
        if !answers.isEmpty { return try answers.removeFirst().get() }
        let body = #"{"token":"tok-\#(requests.count)","keyName":"app.key","issued":1000,"expires":3601000}"#
        return HTTPResponse(status: 201, body: Array(body.utf8))
    }

    nonisolated func retireConnections() { retirements.withLock { $0 += 1 } }

    nonisolated var retirementCount: Int { retirements.withLock { $0 } }
}
