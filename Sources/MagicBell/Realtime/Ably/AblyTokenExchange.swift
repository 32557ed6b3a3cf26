import Ably
import Basics
import ClientKit
import FoundationEssentials
import Transport

/// Exchanges the service's signed token requests for tokens at Ably (Ably's REST API, "Request a token").
struct AblyTokenExchange: Sendable {
    /// The timeout of Ably's libraries for a token.
    private static let timeout = Duration.seconds(10)

    let http: any HTTPTransport
    /// The base URL of Ably's REST API.
    let host: String

    /// Exchanges a request, which is valid once.
    @concurrent
    func token(for request: TokenRequest) async throws(MagicBellError) -> TokenDetails {
        let response: HTTPResponse
        do {
            response = try await http.send(
                HTTPRequest(
                    method: "POST",
                    url: AblyURL.tokenExchange(host: host, keyName: request.keyName),
                    headers: [HTTPField("Content-Type", "application/json"), HTTPField("Accept", "application/json")],
                    body: Array(request.json.text.utf8),
                    timeout: Self.timeout,
                    maximumBodySize: 256 << 10
                )
            )
        } catch {
            throw MagicBellError(ably: error)
        }
        return try Self.decode(response, secrets: request.json["mac"]?.string.map { [$0] } ?? [])
    }

    private static func decode(
        _ response: HTTPResponse,
        secrets: [String]
    ) throws(MagicBellError) -> TokenDetails {
        let body = try? JSONValue(parsing: response.body, isTolerant: true)
        if (200..<300).contains(response.status) {
            guard let token = body.flatMap(TokenDetails.init) else {
                throw MagicBellError(.unexpectedAnswer, "Ably answered without a token.", status: response.status)
            }
            return token
        }
        guard let error = body?["error"].flatMap(ErrorInfo.init) else {
            // Not Ably's: a gateway, which knows nothing of the request.
            throw MagicBellError(
                response.status >= 500 ? .serverFailure : .unexpectedAnswer,
                "Ably's host answered the token request with status \(response.status), but not in Ably's form.",
                status: response.status,
                retryAfter: response.retryAfter
            )
        }
        throw MagicBellError(
            ably: error,
            "Ably refused the token request",
            status: response.status,
            secrets: secrets,
            retryAfter: response.retryAfter
        )
    }
}
