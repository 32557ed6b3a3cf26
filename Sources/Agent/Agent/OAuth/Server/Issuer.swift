import Basics
package import ClientKit

/// The identifier of an authorization server (RFC 8414 §2): an https URL without a query and a fragment, or an http URL
/// of this computer.
package struct Issuer: Hashable, Sendable {
    private let exact: ExactText
    /// Scheme, host and port.
    private let origin: String
    /// Without a slash at the end.
    private let path: String

    /// Throws the problem of an invalid one.
    package init(_ text: String) throws(BaseURL.Problem) {
        let base = try BaseURL.normal(text, schemes: ["https", "http"])
        let parts = base.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        origin = "\(parts[0])//\(parts[2])"
        path = parts.count > 3 ? "/\(parts[3])" : ""
        exact = ExactText(text)
    }

    /// As it is configured. The issuer that the server names has to have the same bytes.
    package var text: String { exact.text }

    /// Host and port, for the user.
    package var host: String { String(origin.split(separator: "/")[1]) }

    /// The place of the metadata in OpenID Connect Discovery 1.0, §4: after the path.
    package var configurationURL: String { "\(origin)\(path)/.well-known/openid-configuration" }

    /// The place of the metadata in RFC 8414, §3.1: before the path.
    package var metadataURL: String { "\(origin)/.well-known/oauth-authorization-server\(path)" }
}
