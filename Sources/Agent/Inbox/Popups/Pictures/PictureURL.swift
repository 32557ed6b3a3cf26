import Basics
import FoundationEssentials

/// The URL of a picture that may be requested: `https`, or `http` to this computer where the user allows it.
///
/// Whether its host has a public address is checked when the picture is requested.
package struct PictureURL: Hashable, Sendable {
    /// An absolute URL of one line, ASCII, without user name and password.
    package let text: String
    /// The host in lower case, without brackets.
    package let host: String
    /// The hosts that may have private addresses, in lower case (`popups.private_picture_hosts`).
    package let privateHosts: Set<String>

    /// nil: the URL must not be requested.
    package init?(_ text: String, privateHosts: Set<String> = []) {
        guard let url = OpenableURL(text, schemes: ["https", "http"]),
            let name = URLComponents(string: url.text)?.percentEncodedHost?.lowercased()
        else { return nil }
        host = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
        guard Self.isHost(host) else { return nil }
        guard url.text.hasPrefix("https:") || host.isLoopbackHost && privateHosts.contains(host) else { return nil }
        self.text = url.text
        self.privateHosts = privateHosts
    }

    /// Whether a text is a name or an address, without scheme, port, brackets and path.
    package static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isAlphanumeric || "-._:".utf8.contains($0) }
    }

    /// The target of a redirect (`Location`, RFC 9110 §10.2.2); nil: it must not be requested.
    package func redirected(to location: String) -> PictureURL? {
        guard let base = URL(string: text), let target = URL(string: location, relativeTo: base) else { return nil }
        return PictureURL(target.absoluteURL.absoluteString, privateHosts: privateHosts)
    }
}
