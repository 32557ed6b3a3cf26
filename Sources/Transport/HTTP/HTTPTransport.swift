/// Sends HTTP requests, one at a time or many at once.
package protocol HTTPTransport: Sendable {
    /// Sends one request and reads its whole answer. Every status is an answer, also 3xx: redirects are not followed.
    /// Cancelling the task gives up at once.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse

    /// Uses none of the connections that are kept for the next request: they may lead nowhere, which a request on one of them would
    /// notice only at its end in time.
    func distrustConnections()
}

extension HTTPTransport {
    package func distrustConnections() {}
}

/// One line of a header.
package struct HTTPField: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A request.
package struct HTTPRequest: Sendable, Equatable {
    package var method: String
    /// `https`, or `http` to this machine only.
    package var url: String
    package var headers: [HTTPField]
    package var body: [UInt8]?
    /// From the first step of connecting to the last byte of the answer.
    package var timeout: Duration
    /// A longer answer is not read to its end; it is an error. In bytes.
    package var maximumBodySize: Int

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

/// An answer.
package struct HTTPResponse: Sendable, Equatable {
    package var status: Int
    package var headers: [HTTPField]
    package var body: [UInt8]

    package init(status: Int, headers: [HTTPField] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first header of this name, whatever its case.
    package func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }

    /// How long the server asks us to stay away. Only the form in seconds is understood, up to a day.
    package var retryAfter: Duration? {
        header("Retry-After").flatMap(RetryAfter.parse)
    }
}

/// The `Retry-After` header (RFC 9110 §10.2.3), in its form in seconds.
enum RetryAfter {
    static func parse(_ value: String) -> Duration? {
        guard let seconds = Int(value), seconds >= 0 else { return nil }
        return .seconds(min(seconds, 86_400))
    }
}
