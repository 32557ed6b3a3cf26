import Basics
import ClientKit
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Agent

/// Sign-ins at a stock authorization server, by persons with a browser.
@Suite(.timeLimit(.minutes(5))) struct RealServerTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let pages = BrowserSignIn.Pages(
        success: RedirectPage(title: "Signed In", text: "", language: "en"),
        unfinished: RedirectPage(title: "Not Yet", text: "", language: "en"),
        failure: { RedirectPage(title: "Failed", text: $0.message, language: "en") }
    )

    /// A server, and what a client needs.
    private struct World {
        let python: PythonServer
        let server: AuthorizationServer
        let transport: NIOTransport

        func ask(_ command: JSONValue) async throws -> JSONValue {
            try await python.send(command.text)
            return try JSONValue(parsing: Array(try #require(await python.line()).utf8))
        }

        /// Signs in; the second result is the browser's last page.
        ///
        /// - Parameter client: The program's id at the server.
        func signIn(
            _ user: String,
            allow: Bool = true,
            client: String = "feedbell"
        ) async throws -> (Result<GrantedTokens, OAuthError>, String) {
            var server = server
            server.client.clientID = client
            let metadata = try await server.metadata()
            let signIn = BrowserSignIn(server: server, pages: RealServerTests.pages, clock: ContinuousClock())
            let addresses = Mailbox<String>()
            let tokens = Mutex<GrantedTokens?>(nil)
            async let page = { () async throws -> String in
                let url = await addresses.messages.next() ?? ""
                return try await ask(["visit", .string(url), .string(user), .bool(allow)]).array?[1].string ?? ""
            }()
            let result: Result<GrantedTokens, OAuthError>
            do throws(OAuthError) {
                try await signIn.run(
                    at: metadata,
                    with: RedirectListeners(on: transport.eventLoop),
                    offer: { _, start in addresses.send(start) },
                    redeeming: {},
                    complete: { granted in tokens.withLock { $0 = granted } }
                )
                result = .success(tokens.withLock { $0! })
            } catch {
                result = .failure(error)
            }
            return (result, try await page)
        }
    }

    private func withDirectory(_ body: (URL) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "oauth-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try await body(directory)
    }

    private func withServer(_ body: (World) async throws -> Void) async throws {
        try await withDirectory { try await withServer(storingIn: $0, body) }
    }

    private func withServer(storingIn directory: URL, _ body: (World) async throws -> Void) async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "server.py").path
        try await PythonServer.running(script, [directory.path]) { python in
            try await NIOTransport.withTransport(logger: Self.logger) { transport in
                let issuer = try Issuer("http://127.0.0.1:\(python.port)/o")
                let client = ClientRegistration(issuer: issuer, clientID: "feedbell", scopes: ["openid", "inbox"])
                let server = AuthorizationServer(client, transport)
                try await body(World(python: python, server: server, transport: transport))
            }
        }
    }

    @Test("A person signs in, the backend gives a user token, and refresh tokens rotate") func life() async throws {
        try await withServer { world in
            let (result, page) = try await world.signIn("anna")
            #expect(page.contains("<h1>Signed In</h1>"))
            let tokens = try result.get()
            let url = "http://127.0.0.1:\(world.python.port)/app/token"
            let token = try await world.server.backendToken(.userToken, from: url, accessToken: tokens.accessToken)
            #expect(JSONWebToken(token.text)?.claims["entity_id"] == "anna")

            let metadata = try await world.server.metadata()
            let first = try #require(tokens.refreshToken)
            let next = try await world.server.tokens(.refresh(token: first), at: metadata)
            let second = try #require(next.refreshToken)
            #expect(second != first)
            _ = try await world.server.backendToken(.userToken, from: url, accessToken: next.accessToken)
            // Reuse of a rotated one ends the sign-in for both.
            for token in [first, second] {
                await #expect { try await world.server.tokens(.refresh(token: token), at: metadata) } throws: {
                    ($0 as? OAuthError)?.kind == .ended
                }
            }
        }
    }

    @Test("A refusal, an inbox of somebody else and a revoked session are told apart") func refusals() async throws {
        try await withServer { world in
            let (refused, page) = try await world.signIn("anna", allow: false)
            #expect(page.contains("access_denied"))
            #expect { try refused.get() } throws: { ($0 as? OAuthError)?.kind == .denied }

            let url = "http://127.0.0.1:\(world.python.port)/app/token"
            let bob = try await world.signIn("bob").0.get()
            await #expect(throws: BackendToken.Failure.forbidden) {
                try await world.server.backendToken(.userToken, from: url, accessToken: bob.accessToken)
            }
            _ = try await world.ask(["revoke", "bob"])
            await #expect {
                try await world.server.backendToken(.userToken, from: url, accessToken: bob.accessToken)
            } throws: {
                ($0 as? BackendToken.Failure)?.isRefusal == true
            }
            let metadata = try await world.server.metadata()
            await #expect {
                try await world.server.tokens(.refresh(token: bob.refreshToken ?? ""), at: metadata)
            } throws: { ($0 as? OAuthError)?.kind == .ended }
        }
    }

    @Test(
        "The example of a backend gives signed tokens to whom the server lets in, and only for Feedbell",
        arguments: ["py", "mjs"]
    )
    func exampleBackend(language: String) async throws {
        try await withDirectory { directory in
            let key = directory.appending(path: "key.pem").path
            let publicKey = directory.appending(path: "public.pem").path
            try await withServer(storingIn: directory) { world in
                _ = try await world.ask(["key", .string(key), .string(publicKey)])
                let origin = "http://127.0.0.1:\(world.python.port)"
                try await PythonServer.running(
                    Checkout.root.appending(path: "packaging/installed/examples/token-backend.\(language)").path,
                    interpreter: language == "py" ? nil : "node",
                    environment: [
                        "INTROSPECTION_URL=\(origin)/o/introspect/", "INTROSPECTION_CLIENT=backend:secret",
                        "SIGNING_KEY=\(key)", "DOMAIN=example.com",
                    ]
                ) { backend in
                    let url = "http://127.0.0.1:\(backend.port)/suprsend/token"
                    let anna = try await world.signIn("anna").0.get()
                    let token = try await world.server.backendToken(
                        .userToken,
                        from: url,
                        accessToken: anna.accessToken
                    )
                    let claims = try await world.ask(["verify", .string(token.text), .string(publicKey)])
                    #expect(claims["entity_id"] == "anna@example.com" && claims["entity_type"] == "subscriber")
                    let other = try await world.signIn("anna", client: "other").0.get()
                    for refused in [other.accessToken, "x", anna.accessToken + "x"] {
                        await #expect {
                            try await world.server.backendToken(.userToken, from: url, accessToken: refused)
                        } throws: { ($0 as? BackendToken.Failure)?.isRefusal == true }
                    }
                    for status in [429, 500] as [Int64] {
                        _ = try await world.ask(["introspection", .integer(status)])
                        await #expect {
                            try await world.server.backendToken(.userToken, from: url, accessToken: anna.accessToken)
                        } throws: { error in
                            guard case .other(let error)? = error as? BackendToken.Failure else { return false }
                            return error.kind == .transient
                        }
                    }
                }
            }
        }
    }

    @Test("A person enters a code on another device, and allows the sign-in or not", arguments: [true, false])
    func device(isAllowed: Bool) async throws {
        try await withServer { world in
            var metadata = try await world.server.metadata(isForDevice: true)
            // The server has the endpoint, and does not say so.
            let origin = "http://127.0.0.1:\(world.python.port)"
            metadata.deviceAuthorizationEndpoint = origin + "/o/device-authorization/"
            let tokens = Mutex<GrantedTokens?>(nil)
            let codes = Mailbox<DeviceAuthorization>()
            async let page = { () async throws -> JSONValue in
                guard let code = await codes.messages.next() else { return .null }
                let command: JSONValue = [
                    "enter", .string(code.url), .string(code.userCode), "anna", .bool(isAllowed),
                ]
                return try await world.ask(command)
            }()
            let result: Result<Void, OAuthError>
            do throws(OAuthError) {
                try await DeviceSignIn(server: world.server, clock: ContinuousClock()).run(
                    at: metadata,
                    offer: { codes.send($0) },
                    redeeming: {},
                    complete: { granted in tokens.withLock { $0 = granted } }
                )
                result = .success(())
            } catch { result = .failure(error) }
            _ = try await page
            guard isAllowed else {
                #expect { try result.get() } throws: { ($0 as? OAuthError)?.kind == .denied }
                return
            }
            try result.get()
            let granted = try #require(tokens.withLock { $0 })
            let token = try await world.server.backendToken(
                .userToken,
                from: origin + "/app/token",
                accessToken: granted.accessToken
            )
            #expect(JSONWebToken(token.text)?.claims["entity_id"] == "anna")
            _ = try await world.server.tokens(.refresh(token: try #require(granted.refreshToken)), at: metadata)
        }
    }

    @Test("A sign-in is revoked at the server") func revocation() async throws {
        try await withServer { world in
            let tokens = try await world.signIn("anna").0.get()
            let metadata = try await world.server.metadata()
            #expect(metadata.revocationEndpoint != nil)
            _ = try await world.ask(["requests"])
            await world.server.revoke(try #require(tokens.refreshToken), at: metadata)
            #expect(try await world.ask(["requests"]).array?.contains("/o/revoke_token/") == true)
        }
    }
}

extension BackendToken.Failure {
    fileprivate var isRefusal: Bool { if case .refused(let error) = self { error.kind == .ended } else { false } }
}
