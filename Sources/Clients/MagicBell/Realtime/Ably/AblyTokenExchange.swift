import Basics
import ClientKit
import FoundationEssentials

/// Exchanges the service's signed token requests for tokens at Ably (Ably's REST API, "Request a token").
struct AblyTokenExchange: Sendable {
    /// The timeout of Ably's libraries for a token.
    private static let timeout = Duration.seconds(10)
    /// The maximum number of fallback hosts for one request, and the time after which no other one is tried (Ably's
    /// feature specification, TO3l5 and TO3l6).
    private static let fallbackLimit = (hosts: 3, time: Duration.seconds(15))

    let http: any HTTPTransport
    /// The base URLs of Ably's REST API.
    let hosts: HostFallback.Hosts
    let environment: ClientEnvironment

    /// Exchanges a request, which is valid once. If a host is unreachable, or answers with a status of 500 to 504,
    /// others are tried (RSC15).
    @concurrent  // returns to the caller's executor: CallerExecutorTests
    func token(for request: TokenRequest) async throws(MagicBellError) -> TokenDetails {
        let elapsed = environment.clock.stopwatch()
        var fallbacks = hosts.shuffledFallbacks(random: environment.jitter).prefix(Self.fallbackLimit.hosts)
        var host = hosts.primary
        while true {
            let result = await send(request, to: host)
            let isHostFault =
                switch result {
                case .success(let response): 500...504 ~= response.status
                case .failure(let error): error.isHostFault
                }
            if isHostFault, elapsed() < Self.fallbackLimit.time, let next = fallbacks.popFirst() {
                host = next
                continue
            }
            switch result {
            case .success(let response):
                return try Self.decode(response, secrets: request.json["mac"]?.string.map { [$0] } ?? [])
            case .failure(let error): throw MagicBellError(ably: error)
            }
        }
    }

    @concurrent  // returns to the caller's executor: CallerExecutorTests
    private func send(_ request: TokenRequest, to host: String) async -> Result<HTTPResponse, TransportError> {
        do throws(TransportError) {
            let response = try await http.send(
                HTTPRequest(
                    method: "POST",
                    url: AblyURL.tokenExchange(host: host, keyName: request.keyName),
                    headers: [HTTPField("Content-Type", "application/json"), HTTPField("Accept", "application/json")],
                    body: Array(request.json.text.utf8),
                    timeout: Self.timeout,
                    maximumBodySize: 256 << 10
                )
            )
            return .success(response)
        } catch {
            return .failure(error)
        }
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
