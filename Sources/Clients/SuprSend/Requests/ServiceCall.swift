import Basics
import ClientKit

/// A call of the service as a value: method, URL, body.
package protocol ServiceCall: Sendable {
    /// The HTTP method.
    var method: String { get }
    /// The JSON body; nil for GET, `{}` without a payload.
    var body: String? { get }
    /// Whether the call asks for several rows, and can ask for fewer.
    var isDivisible: Bool { get }
    /// The complete URL for the user and the hosts of `scope`.
    func url(in scope: RequestScope) -> String
}

extension ServiceCall {
    package var isDivisible: Bool { false }
    var isRead: Bool { method == "GET" }
}

/// The values of a URL besides the call's own.
package struct RequestScope: Sendable, Equatable {
    package var hosts: Hosts
    package var distinctID: String
    /// Nil for calls without a tenant.
    package var tenantID: String?

    package init(hosts: Hosts, distinctID: String, tenantID: String?) {
        self.hosts = hosts
        self.distinctID = distinctID
        self.tenantID = tenantID
    }
}

/// Query parameters, not yet encoded.
typealias Query = [(name: String, value: String)]

extension Query {
    /// `?a=b&c=d`, or empty.
    var encoded: String {
        isEmpty ? "" : "?" + map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }
}
