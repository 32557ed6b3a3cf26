import Basics
import VisibleText

/// A sign-in with a browser of any device, where the user enters a code (RFC 8628): for a session without a browser.
package struct DeviceSignIn: Sendable {
    package var server: AuthorizationServer
    package var clock: any Clock<Duration>

    package init(server: AuthorizationServer, clock: any Clock<Duration>) {
        self.server = server
        self.clock = clock
    }

    /// Waits until the user has signed in.
    ///
    /// - Parameters:
    ///   - offer: Gets the code for the user, and where to enter it.
    ///   - redeeming: Called when the user has entered it.
    ///   - complete: Gets the tokens.
    package func run(
        at metadata: ServerMetadata,
        offer: @Sendable (DeviceAuthorization) async -> Void,
        redeeming: @Sendable () -> Void,
        complete: @Sendable (GrantedTokens) async throws(OAuthError) -> Void
    ) async throws(OAuthError) {
        let uptime = clock.stopwatch()
        let authorization = try await server.deviceAuthorization(at: metadata)
        await offer(authorization)
        let host = server.client.issuer.host
        var polling = DevicePolling(authorization)
        while uptime() + polling.wait < authorization.lifetime {
            guard (try? await clock.sleep(for: polling.wait)) != nil else { throw .cancelled }
            switch polling.step(after: await server.deviceAnswer(to: authorization, at: metadata), from: host) {
            case .again: continue
            case .failed(let error): throw error
            case .granted(let tokens):
                redeeming()
                try tokens.check(of: server.client)
                return try await complete(tokens)
            }
        }
        throw .expiredCode(of: host)
    }
}
