import Basics
import ClientKit
import Synchronization
import TestSupport
import Testing

@testable import Agent

/// A session at a server that rotates refresh tokens and ends a sign-in when an old one is used again.
@Suite(.timeLimit(.minutes(5))) struct SignInSessionTests {
    /// The authorization server, and the company's backend.
    private actor World: HTTPTransport {
        enum Fault: Sendable {
            case answer(HTTPResponse)
            /// The request takes effect, and its answer is lost.
            case lost
            /// The request takes effect, and its answer comes after ``release()``.
            case held
        }

        private(set) var requests: [String] = []
        private var access = 0
        private var refresh = 1
        private var faults: [String: [Fault]] = [:]
        private var lifetime = 300
        private var held = Waiters()
        private var arrivals = Waiters()
        private let metadata: JSONValue

        init() {
            metadata = [
                "issuer": .string(Sample.issuer.text),
                "authorization_endpoint": "https://login.example.com/authorize",
                "token_endpoint": "https://login.example.com/token",
                "revocation_endpoint": "https://login.example.com/revoke",
            ]
        }

        /// What happens to the next requests of this path.
        func fail(_ path: String, _ faults: Fault...) { self.faults[path, default: []] += faults }

        /// - Parameter lifetime: Of access tokens, in seconds.
        func grant(lifetime: Int) { self.lifetime = lifetime }

        func release() { held.wakeAll() }

        /// Waits until this path was requested.
        func requested(_ path: String) async {
            while !requests.contains(path), !Task.isCancelled { await arrivals.add().wait() }
        }

        func takeRequests() -> [String] {
            defer { requests = [] }
            return requests
        }

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            let path = String(request.url.split(separator: "/").last ?? "")
            let body = String(decoding: request.body ?? [], as: UTF8.self)
            requests.append(path)
            arrivals.wakeAll()
            let fault = faults[path]?.isEmpty == false ? faults[path]?.removeFirst() : nil
            if case .answer(let answer)? = fault { return answer }
            let response = answer(path, body, request)
            switch fault {
            case .lost?: throw TransportError(.timeout, "no answer")
            case .held?:
                await held.add().wait()
                if Task.isCancelled { throw TransportError(.cancelled, "cancelled") }
            default: break
            }
            return response
        }

        private func answer(_ path: String, _ body: String, _ request: HTTPRequest) -> HTTPResponse {
            switch path {
            case "openid-configuration": return HTTPResponse(200, metadata.text)
            case "token":
                guard body.contains("refresh_token=r\(refresh)&") else {
                    return HTTPResponse(400, #"{"error":"invalid_grant"}"#)
                }
                refresh += 1
                access += 1
                let answer = #"{"access_token":"a\#(access)","token_type":"Bearer","expires_in":\#(lifetime)"#
                return HTTPResponse(200, answer + #","refresh_token":"r\#(refresh)"}"#)
            case "backend":
                let isValid = request.headers.contains(HTTPField("Authorization", "Bearer a\(access)"))
                return isValid ? HTTPResponse(200, #"{"token":"eyJ.\#(access).s"}"#) : HTTPResponse(401, "")
            default: return HTTPResponse(200, "")
            }
        }
    }

    private final class Storage: SignInStorage {
        private let state: Mutex<(signIn: StoredSignIn?, isLocked: Bool)>

        init(_ signIn: StoredSignIn?) { state = Mutex((signIn, false)) }

        var signIn: StoredSignIn? { state.withLock(\.signIn) }
        func lock(_ isLocked: Bool) { state.withLock { $0.isLocked = isLocked } }

        func load() async throws(OAuthError) -> StoredSignIn? { signIn }
        func store(_ signIn: StoredSignIn) async throws(OAuthError) {
            let isLocked = state.withLock { state in
                if !state.isLocked { state.signIn = signIn }
                return state.isLocked
            }
            if isLocked { throw OAuthError(.transient, "locked") }
        }
        func remove() async throws(OAuthError) { state.withLock { $0.signIn = nil } }
    }

    private static let url = "https://app.example.com/backend"
    private static func stored(_ token: String, issuer: String = Sample.issuer.text) -> StoredSignIn {
        StoredSignIn(
            issuer: issuer,
            clientID: "feedbell",
            tokenEndpoint: "https://login.example.com/token",
            refreshToken: token
        )
    }

    private let world = World()
    private let clock = ManualClock()
    private let requests = TokenRequests()

    private func session(_ storage: Storage, client: ClientRegistration = Sample.client) -> SignInSession {
        SignInSession(
            server: AuthorizationServer(client, world),
            storage: storage,
            requests: requests,
            clock: clock,
            now: { Timestamp(milliseconds: 1) }
        )
    }

    /// Runs the requests of sessions beside `body`.
    private func serving(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await requests.run() }
            try await body()
            group.cancelAll()
        }
    }

    @Test("A kept sign-in gives tokens, and the rotated refresh token is kept before they are used")
    func life() async throws {
        try await serving { () async throws in
            let storage = Storage(Self.stored("r1"))
            let session = session(storage)
            #expect(try await session.backendToken(.userToken, from: Self.url).text == "eyJ.1.s")
            #expect(await world.takeRequests() == ["openid-configuration", "token", "backend"])
            #expect(storage.signIn == Self.stored("r2"))
            // The access token lasts.
            #expect(try await session.backendToken(.userToken, from: Self.url).text == "eyJ.1.s")
            #expect(await world.takeRequests() == ["backend"])
            clock.advance(by: .seconds(271))
            #expect(try await session.backendToken(.userToken, from: Self.url).text == "eyJ.2.s")
            #expect(await world.takeRequests() == ["token", "backend"])
            #expect(storage.signIn == Self.stored("r3"))
        }
    }

    @Test("Access tokens of a few seconds are used, each once") func shortAccess() async throws {
        try await serving { () async throws in
            let session = session(Storage(Self.stored("r1")))
            await world.grant(lifetime: 1)
            #expect(try await session.backendToken(.userToken, from: Self.url).text == "eyJ.1.s")
            #expect(try await session.backendToken(.userToken, from: Self.url).text == "eyJ.2.s")
            #expect(await world.takeRequests() == ["openid-configuration", "token", "backend", "token", "backend"])
        }
    }

    @Test("A program that is killed between the rotation and the use of its tokens goes on at the next start")
    func killed() async throws {
        try await serving { () async throws in
            let storage = Storage(Self.stored("r1"))
            await world.fail("backend", .lost)
            await #expect(throws: SignInSession.Failure.self) {
                try await session(storage).backendToken(.userToken, from: Self.url)
            }
            #expect(storage.signIn == Self.stored("r2"))
            #expect(try await session(storage).backendToken(.userToken, from: Self.url).text == "eyJ.2.s")
        }
    }

    @Test("Calls at once share one refresh") func concurrent() async throws {
        try await serving { () async throws in
            let session = session(Storage(Self.stored("r1")))
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 1...5 {
                    group.addTask { try await session.backendToken(.userToken, from: Self.url).text }
                }
                for try await text in group { #expect(text == "eyJ.1.s") }
            }
            #expect(await world.takeRequests().filter { $0 == "token" }.count == 1)
        }
    }

    @Test("An outage is no end: the same refresh token is used again") func outage() async throws {
        try await serving { () async throws in
            let session = session(Storage(Self.stored("r1")))
            await world.fail("token", .answer(HTTPResponse(503, "")), .answer(.html(400)))
            for _ in 1...2 {
                let failure = await #expect(throws: SignInSession.Failure.self) {
                    try await session.backendToken(.userToken, from: Self.url)
                }
                guard case .other(let error)? = failure else {
                    Issue.record("\(String(describing: failure))")
                    continue
                }
                #expect(error.kind == .transient)
            }
            #expect(try await session.backendToken(.userToken, from: Self.url).text == "eyJ.1.s")
        }
    }

    @Test("After a refresh whose answer was lost, a refusal ends the sign-in, and nothing more is sent")
    func lostAnswer() async throws {
        try await serving { () async throws in
            let session = session(Storage(Self.stored("r1")))
            await world.fail("token", .lost)
            await #expect(throws: SignInSession.Failure.self) {
                try await session.backendToken(.userToken, from: Self.url)
            }
            for _ in 1...2 {
                let failure = await #expect(throws: SignInSession.Failure.self) {
                    try await session.backendToken(.userToken, from: Self.url)
                }
                guard case .ended? = failure else {
                    Issue.record("\(String(describing: failure))")
                    continue
                }
            }
            #expect(await world.takeRequests().filter { $0 == "token" }.count == 2)
        }
    }

    @Test("An access token that the backend refuses is refreshed once; a second refusal ends the sign-in")
    func refused() async throws {
        try await serving { () async throws in
            let session = session(Storage(Self.stored("r1")))
            await world.fail("backend", .answer(HTTPResponse(401, "")))
            #expect(try await session.backendToken(.userToken, from: Self.url).text == "eyJ.2.s")
            await world.fail("backend", .answer(HTTPResponse(401, "")), .answer(HTTPResponse(401, "")))
            let failure = await #expect(throws: SignInSession.Failure.self) {
                try await session.backendToken(.userToken, from: Self.url)
            }
            guard case .ended(let error)? = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(error.message == "app.example.com no longer accepts the sign-in.")
        }
    }

    @Test("Who may not use the inbox stays signed in") func forbidden() async throws {
        try await serving { () async throws in
            let session = session(Storage(Self.stored("r1")))
            await world.fail("backend", .answer(HTTPResponse(403, "")))
            await #expect(throws: SignInSession.Failure.forbidden) {
                try await session.backendToken(.userToken, from: Self.url)
            }
            #expect(try await session.backendToken(.userToken, from: Self.url).text == "eyJ.1.s")
        }
    }

    @Test(
        "A refresh token of another server or client is never sent, and used again after a correction"
    )
    func otherIssuer() async throws {
        try await serving { () async throws in
            let other = Self.stored("r1", issuer: "https://login.example.com/realms/other")
            let storage = Storage(other)
            await #expect(throws: SignInSession.Failure.otherClient) {
                try await session(storage).backendToken(.userToken, from: Self.url)
            }
            #expect(storage.signIn == other)
            #expect(await world.takeRequests() == ["openid-configuration"])

            let kept = Storage(Self.stored("r1"))
            var mistyped = Sample.client
            mistyped.clientID = "feedbel"
            await #expect(throws: SignInSession.Failure.otherClient) {
                try await session(kept, client: mistyped).backendToken(.userToken, from: Self.url)
            }
            #expect(try await session(kept).backendToken(.userToken, from: Self.url).text == "eyJ.1.s")
            #expect(await world.takeRequests().filter { $0 == "token" }.count == 1)
        }
    }

    @Test("A keyring that is locked keeps nobody from their notifications, and gets the token later")
    func locked() async throws {
        try await serving { () async throws in
            let storage = Storage(Self.stored("r1"))
            let session = session(storage)
            storage.lock(true)
            #expect(try await session.backendToken(.userToken, from: Self.url).text == "eyJ.1.s")
            #expect(await session.storageProblem?.message == "locked")
            storage.lock(false)
            clock.advance(by: .seconds(300))
            #expect(try await session.backendToken(.userToken, from: Self.url).text == "eyJ.2.s")
            #expect(await session.storageProblem == nil)
            #expect(storage.signIn == Self.stored("r3"))
        }
    }

    @Test("A new sign-in begins where the old one has ended; signing out revokes and removes it")
    func newSignIn() async throws {
        try await serving { () async throws in
            let storage = Storage(nil)
            let session = session(storage)
            await #expect(throws: SignInSession.Failure.notSignedIn) {
                try await session.backendToken(.userToken, from: Self.url)
            }
            let tokens = GrantedTokens(accessToken: "a0", refreshToken: "r1")
            await session.signedIn(tokens, at: Sample.metadata, requestedAt: .zero)
            var kept = Self.stored("r1")
            kept.since = Timestamp(milliseconds: 1)
            #expect(storage.signIn == kept)
            #expect(try await session.backendToken(.userToken, from: Self.url).text == "eyJ.0.s")
            _ = await world.takeRequests()
            try await session.signOut()
            #expect(storage.signIn == nil)
            await #expect(throws: SignInSession.Failure.notSignedIn) {
                try await session.backendToken(.userToken, from: Self.url)
            }
        }
    }

    @Test("Why a sign-in failed stays known while nothing else is tried, and nobody is signed in after an end")
    func lastAttempt() async throws {
        let denied = OAuthError(.denied, "The browser signed in bob.")
        var old = Self.stored("r0")
        old.since = Timestamp(milliseconds: 1)
        try await serving { () async throws in
            for stored in [nil, old] {
                let session = session(Storage(stored))
                if stored != nil {
                    await #expect(throws: SignInSession.Failure.self) {
                        try await session.backendToken(.userToken, from: Self.url)
                    }
                    #expect(session.status.failure.map { if case .ended = $0 { true } else { false } } == true)
                    #expect(session.status.since == nil)
                }
                await #expect(throws: denied) {
                    try await session.signIn(
                        for: .userToken,
                        from: Self.url,
                        check: { (_, _) throws(OAuthError) in throw denied },
                        grant: { (_, complete) throws(OAuthError) in
                            try await complete(GrantedTokens(accessToken: "a0", refreshToken: "r1"))
                        }
                    )
                }
                await #expect(throws: SignInSession.Failure.self) {
                    try await session.backendToken(.userToken, from: Self.url)
                }
                #expect(session.status.failure == .other(denied))
            }
        }
    }

    @Test("A sign-in that nobody needs is used once a day") func keepAlive() async throws {
        try await serving { () async throws in
            let storage = Storage(Self.stored("r1"))
            let session = session(storage)
            _ = try await session.backendToken(.userToken, from: Self.url)
            _ = await world.takeRequests()
            await session.keepAlive()
            #expect(await world.takeRequests() == [])
            clock.advance(by: .seconds(86_400))
            await session.keepAlive()
            #expect(await world.takeRequests() == ["openid-configuration", "token"])
            #expect(storage.signIn == Self.stored("r3"))
        }
    }

    @Test("A caller that is cancelled loses nothing: the next one uses the answer to its refresh")
    func cancelledCaller() async throws {
        try await serving { () async throws in
            let storage = Storage(Self.stored("r1"))
            let session = session(storage)
            await world.fail("token", .held)
            await withTaskGroup { group in
                group.addTask { _ = try? await session.backendToken(.userToken, from: Self.url) }
                await world.requested("token")
                group.cancelAll()
            }
            await world.release()
            #expect(try await session.backendToken(.userToken, from: Self.url).text == "eyJ.1.s")
            #expect(await world.takeRequests() == ["openid-configuration", "token", "backend"])
            #expect(storage.signIn == Self.stored("r2"))
        }
    }

    @Test("The end of the program waits three seconds for the answer to a refresh", arguments: [true, false])
    func end(isAnswered: Bool) async throws {
        try await serving { () async throws in
            let storage = Storage(Self.stored("r1"))
            let session = session(storage)
            await world.fail("token", .held)
            try await withThrowingTaskGroup { group in
                group.addTask { _ = try? await session.backendToken(.userToken, from: Self.url) }
                await world.requested("token")
                group.addTask { await requests.finish(within: .seconds(3), clock: clock) }
                _ = await clock.sleeper(within: .seconds(3) ... .seconds(3))
                if isAnswered { await world.release() } else { clock.advance(by: .seconds(3)) }
                try await group.next()
                #expect(storage.signIn == Self.stored(isAnswered ? "r2" : "r1"))
                group.cancelAll()
            }
        }
    }

    @Test("Who signs out during a refresh is signed out: what it grants is revoked, and not kept")
    func signOutDuringRefresh() async throws {
        try await serving { () async throws in
            let storage = Storage(Self.stored("r1"))
            let session = session(storage)
            await world.fail("token", .held)
            await withTaskGroup { group in
                group.addTask {
                    await #expect(throws: SignInSession.Failure.notSignedIn) {
                        try await session.backendToken(.userToken, from: Self.url)
                    }
                }
                await world.requested("token")
                try? await session.signOut()
                await world.release()
            }
            await requests.finish(within: .seconds(3), clock: clock)
            #expect(storage.signIn == nil)
            #expect(await world.takeRequests().filter { $0 == "revoke" }.count == 2)
        }
    }

    @Test("A sign-in that appears in the keyring later is used then") func lateKeyring() async throws {
        try await serving { () async throws in
            let storage = Storage(nil)
            let session = session(storage)
            await #expect(throws: SignInSession.Failure.notSignedIn) {
                try await session.backendToken(.userToken, from: Self.url)
            }
            try await storage.store(Self.stored("r1"))
            #expect(try await session.backendToken(.userToken, from: Self.url).text == "eyJ.1.s")
        }
    }

    @Test("A page with status 401 from the backend is an outage, unless a new access token helps")
    func gateway() async throws {
        try await serving { () async throws in
            let session = session(Storage(Self.stored("r1")))
            await world.fail("backend", .answer(.html(401)))
            #expect(try await session.backendToken(.userToken, from: Self.url).text == "eyJ.2.s")
            await world.fail("backend", .answer(.html(401)), .answer(.html(401)))
            let failure = await #expect(throws: SignInSession.Failure.self) {
                try await session.backendToken(.userToken, from: Self.url)
            }
            guard case .other(let error)? = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
            #expect(error.kind == .transient)
            #expect(try await session.backendToken(.userToken, from: Self.url).text == "eyJ.3.s")
        }
    }

    @Test("After an answer that the token endpoint is elsewhere, the server's metadata are read again")
    func movedEndpoint() async throws {
        try await serving { () async throws in
            let session = session(Storage(Self.stored("r1")))
            await world.fail("token", .answer(HTTPResponse(404, "404 page not found")))
            await #expect(throws: SignInSession.Failure.self) {
                try await session.backendToken(.userToken, from: Self.url)
            }
            #expect(try await session.backendToken(.userToken, from: Self.url).text == "eyJ.1.s")
            let requests = ["openid-configuration", "token", "openid-configuration", "token", "backend"]
            #expect(await world.takeRequests() == requests)
        }
    }

    @Test("Signing out does not wait for the server, which is told as soon as it answers") func hungSignOut()
        async throws
    {
        try await serving { () async throws in
            let storage = Storage(Self.stored("r1"))
            await world.fail("openid-configuration", .held)
            try await session(storage).signOut()
            #expect(storage.signIn == nil)
            await world.requested("openid-configuration")
            await world.release()
            await world.requested("revoke")
        }
    }
}
