/// Sends HTTP requests, concurrently if needed.
package protocol HTTPTransport: Sendable {
    /// Sends one request and reads the whole response. Every status is a response, also 3xx: redirects are not
    /// followed. Cancelling the task cancels the request at once.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse

    /// Closes idle connections and opens new ones for later requests: after a change of the network, the old ones may
    /// be dead, which a request would notice only at its timeout.
    func retireConnections()
}

extension HTTPTransport {
    package func retireConnections() {}
}

/// A header field.
package struct HTTPField: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// An HTTP request.
package struct HTTPRequest: Sendable, Equatable {
    package var method: String
    /// `https`, or `http` to this computer only.
    package var url: String
    package var headers: [HTTPField]
    package var body: [UInt8]?
    /// From the start of connecting to the first byte of the request, and from there to the last byte of the response.
    package var timeout: Duration
    /// Whether ``timeout`` is the maximum time without a further part of the response, and the whole may take longer:
    /// on a slow link. For requests without an effect.
    package var restartsTimeout = false
    /// Whether a request for less can be sent instead. It fails with ``TransportError/isTooSlow`` as soon as
    /// the response would take more than a few times ``timeout``.
    package var isDivisible = false
    /// The maximum size of the response body, in bytes, at most ``longestBody``. A longer body is an error.
    package var maximumBodySize: Int
    /// The largest size that may be requested; also the limit of what a compressed body may become.
    package static let longestBody = 16 << 20

    package init(
        method: String = "GET",
        url: String,
        headers: [HTTPField] = [],
        body: [UInt8]? = nil,
        timeout: Duration = .seconds(20),
        maximumBodySize: Int = 4 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maximumBodySize = maximumBodySize
    }
}

/// An HTTP response.
package struct HTTPResponse: Sendable, Equatable {
    package var status: Int
    package var headers: [HTTPField]
    package var body: [UInt8]

    package init(status: Int, headers: [HTTPField] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first header of this name, ignoring case.
    package func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }

    /// The delay that `Retry-After` asks for, at most one day.
    package var retryAfter: Duration? {
        header("Retry-After").flatMap { RetryAfter.parse($0, date: header("Date")) }
    }
}
