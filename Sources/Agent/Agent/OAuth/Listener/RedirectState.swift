import Basics

/// Which requests the listener on this computer answers, and how: pages of any origin, and every program of this
/// computer, can send requests to it (RFC 8252 §8.3).
package struct RedirectState: Hashable, Sendable {
    package enum Answer: Hashable, Sendable {
        /// A redirect of the browser to the authorization request.
        case start
        /// The query of a request for the redirect URI. Whether it is a response, the owner decides.
        case redirected(query: String)
        /// The start address was used before.
        case used
        /// An empty answer with this status.
        case status(Int)
    }

    /// The name and port in redirect URIs: `127.0.0.1:PORT`, or `localhost:PORT` where a server wants it.
    private let redirectAuthority: String
    private let port: Int
    private let startPath: String
    private var hasStarted = false

    /// - Parameters:
    ///   - port: The port that is bound.
    ///   - host: The name of this computer in the redirect URI.
    package init(port: Int, host: String = "127.0.0.1") {
        self.port = port
        redirectAuthority = "\(host):\(port)"
        startPath = "/start/\(SecretText.random(bytes: 16))"
    }

    package var redirectURI: String { "http://\(redirectAuthority)/callback" }

    /// The address that the browser is started with. Arguments of a program can be read by all users of the computer;
    /// this one can be used only once.
    package var startURL: String { "http://127.0.0.1:\(port)\(startPath)" }

    /// - Parameter host: The values of the header `Host`.
    package mutating func answer(method: String, target: String, host: [String]) -> Answer {
        let path = target.prefix { $0 != "?" }
        let isStart = String(path).hasSameBytes(as: startPath)
        guard isStart || path == "/callback", host == [isStart ? "127.0.0.1:\(port)" : redirectAuthority] else {
            return .status(404)
        }
        guard method == "GET" else { return .status(405) }
        guard isStart else { return .redirected(query: String(target.dropFirst(path.count + 1))) }
        defer { hasStarted = true }
        return hasStarted ? .used : .start
    }
}
