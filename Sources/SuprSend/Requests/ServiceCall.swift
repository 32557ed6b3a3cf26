import ClientKit

/// One call of the service, as a value: method, URL, body.
package protocol ServiceCall: Sendable {
    /// The HTTP method.
    var method: String { get }
    /// The JSON body; nil for GET. Without a payload it is `{}` (suprsend.md §2).
    var body: String? { get }
    /// The whole URL for the person and the hosts of `scope`.
    func url(in scope: RequestScope) -> String
}

/// What a URL needs besides the call itself.
package struct RequestScope: Sendable, Equatable {
    package var hosts: Hosts
    package var distinctID: String
    /// Nil where a call goes without one.
    package var tenantID: String?

    package init(hosts: Hosts, distinctID: String, tenantID: String?) {
        self.hosts = hosts
        self.distinctID = distinctID
        self.tenantID = tenantID
    }
}

/// Parameters of a URL, not yet encoded.
typealias Query = [(name: String, value: String)]

extension Query {
    /// `?a=b&c=d`, or nothing.
    var encoded: String {
        isEmpty ? "" : "?" + map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }
}
