import AgentInterface
package import ClientKit
import VisibleText

/// The requests of a client to its authorization server.
package struct AuthorizationServer: Sendable {
    package var client: ClientRegistration
    package var transport: any HTTPTransport

    package init(_ client: ClientRegistration, _ transport: any HTTPTransport) {
        self.client = client
        self.transport = transport
    }

    private var host: String { client.issuer.host }

    /// What the server says about itself, in one document or two.
    ///
    /// - Parameter isForDevice: Whether it is about a sign-in with a code.
    package func metadata(isForDevice: Bool = false) async throws(OAuthError) -> ServerMetadata {
        var documents: [JSONValue] = []
        for url in [client.issuer.configurationURL, client.issuer.metadataURL]
        where documents.first.map({ ServerMetadata.isComplete($0, isForDevice: isForDevice) }) != true {
            do throws(OAuthError) {
                if let document = try await document(url) { documents.append(document) }
            } catch {
                // The second one only completes the first.
                if documents.isEmpty || !ServerMetadata.isSufficient(documents[0]) { throw error }
            }
        }
        return try ServerMetadata(documents, of: client.issuer)
    }

    /// nil: there is none here.
    private func document(_ url: String) async throws(OAuthError) -> JSONValue? {
        let request = HTTPRequest(
            url: url,
            headers: [HTTPField("Accept", "application/json")],
            maximumBodySize: 256 << 10
        )
        let response = try await send(request)
        switch response.status {
        case 200..<300:
            guard !response.isHTML, let object = try? JSONValue(parsing: response.body, isTolerant: true),
                object.object != nil
            else { throw OAuthError(.transient, response.unreadableContents(of: host)) }
            return object
        case 400, 401, 403, 404, 405, 410: return nil
        default: throw OAuthError(.transient, response.refusal(by: host), retryAfter: response.pause)
        }
    }

    /// Redeems a code or a refresh token.
    package func tokens(
        _ grant: TokenEndpointRequest.Grant,
        at metadata: ServerMetadata
    ) async throws(OAuthError) -> GrantedTokens {
        let request = TokenEndpointRequest(grant, at: metadata, for: client).httpRequest()
        let tokens = try GrantedTokens(try await send(request), from: host)
        if case .code(_, let request) = grant { try tokens.check(request, of: client) }
        return tokens
    }

    /// A code for a user to enter on any device.
    package func deviceAuthorization(at metadata: ServerMetadata) async throws(OAuthError) -> DeviceAuthorization {
        guard let request = TokenEndpointRequest(deviceAt: metadata, for: client) else {
            let sentence = translated(
                "{server} has no sign-in with a code. Use --no-browser, which names a tunnel for the browser "
                    + "of another computer.",
                ["server": host]
            )
            throw OAuthError(.misconfigured, sentence)
        }
        return try DeviceAuthorization(try await send(request.httpRequest()), from: host)
    }

    /// What the server says about whether the user has entered the code; nil: nothing.
    package func deviceAnswer(
        to authorization: DeviceAuthorization,
        at metadata: ServerMetadata
    ) async -> HTTPResponse? {
        let grant = TokenEndpointRequest.Grant.device(code: authorization.deviceCode)
        return try? await send(TokenEndpointRequest(grant, at: metadata, for: client).httpRequest())
    }

    /// Tells the server that a sign-in has ended. Many servers refuse it to programs like this one; the sign-in ends
    /// here all the same.
    package func revoke(_ refreshToken: String, at metadata: ServerMetadata) async {
        guard let request = TokenEndpointRequest(revoking: refreshToken, at: metadata, for: client) else { return }
        _ = try? await send(request.httpRequest(timeout: .seconds(5)))
    }

    /// The user token of the company's backend.
    package func backendToken(
        _ kind: BackendToken.Kind,
        from url: String,
        accessToken: String
    ) async throws(BackendToken.Failure) -> BackendToken {
        let response: HTTPResponse
        do throws(OAuthError) {
            response = try await send(BackendToken.request(url, accessToken: accessToken))
        } catch {
            throw .other(error)
        }
        return try BackendToken(response, of: kind, from: BackendToken.host(of: url))
    }

    /// Names the program: firewalls refuse requests that do not, and the administrator finds them in logs.
    private func send(_ request: HTTPRequest) async throws(OAuthError) -> HTTPResponse {
        var request = request
        request.headers.append(HTTPField("User-Agent", "Feedbell/\(AgentNames.version)"))
        do throws(TransportError) { return try await transport.send(request) } catch {
            let kind: OAuthError.Kind = [.invalidURL, .insecure].contains(error.kind) ? .misconfigured : .transient
            throw OAuthError(kind, error.detail, retryAfter: error.retryAfter)
        }
    }
}
