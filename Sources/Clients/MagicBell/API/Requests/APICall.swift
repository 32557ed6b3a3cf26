import Basics
package import ClientKit

/// A call of the service as a value.
package struct APICall: Sendable, Equatable {
    /// The HTTP method.
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// The contents of a request.
    package enum Body: Sendable, Equatable {
        case json(JSONValue)
        /// A form without fields (`application/x-www-form-urlencoded`).
        case emptyForm
    }

    package var method: Method
    /// The segments of the path below the API's base, not yet encoded.
    package var path: [String]
    package var query: QueryItems
    package var body: Body?
    /// Headers besides those of every request.
    package var headers: [HTTPField] = []
    /// Secrets to remove from messages, besides the credentials.
    var secrets: [String] = []
    /// The maximum size of the response, in bytes.
    var maximumBodySize = 4 << 20
    /// Whether the call asks for several notifications, and can ask for fewer.
    var isDivisible = false

    package init(_ method: Method, _ path: [String], query: QueryItems = [], body: JSONValue? = nil) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body.map { .json($0) }
    }

    /// Whether the service counts it as a read.
    package var isRead: Bool { method == .get }

    /// The path and the query in the form for URLs.
    package var target: String { path.map { "/" + $0.percentEncoded }.joined() + query.encoded }
}

/// Query parameters, not yet encoded.
package typealias QueryItems = [QueryItem]

/// One parameter of a query.
package struct QueryItem: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension QueryItems {
    /// `?a=b&c=d`, or empty.
    var encoded: String {
        isEmpty ? "" : "?" + map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }
}
