import Basics

/// The base URL of a service's host.
package enum BaseURL {
    /// Why a URL is invalid: the end of a sentence, without the full stop.
    package struct Problem: Error, Equatable {
        package var reason: String

        /// - Parameter host: The host's name, such as "API".
        package func sentence(about url: String, of host: String) -> String {
            "The \(host) host \"\(url)\" cannot be used: \(reason)."
        }
    }

    /// The URL without trailing slashes. Throws the problem of an invalid one.
    package static func normal(_ url: String, schemes: [String]) throws(Problem) -> String {
        func malformed(_ reason: String) -> Problem { Problem(reason: reason) }
        guard let separator = url.firstRange(of: "://") else {
            throw malformed("it must begin with \(schemes[0])://")
        }
        let scheme = url[..<separator.lowerBound].lowercased()
        guard schemes.contains(scheme) else {
            throw malformed("its scheme must be one of \(schemes.joined(separator: ", "))")
        }
        var rest = url[separator.upperBound...]
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
            throw malformed("it contains a character that is not allowed in a URL")
        }
        guard !rest.contains("?"), !rest.contains("#"), !rest.contains("@") else {
            throw malformed("it must not contain a user, a query or a fragment")
        }
        while rest.last == "/" { rest.removeLast() }
        let authority = rest.prefix { $0 != "/" }
        guard let (host, port) = split(authority), !host.isEmpty else { throw malformed("it names no host") }
        if let port, UInt16(port).map({ $0 > 0 }) != true { throw malformed("its port must be 1 to 65535") }
        if scheme == "http" || scheme == "ws", !String(host).isLoopbackHost {
            throw malformed("plain \(scheme) is allowed for this computer only; use \(scheme)s")
        }
        return scheme + "://" + rest
    }

    /// Host and port of `host`, `host:port` or `[v6]:port`; nil for any other form.
    private static func split(_ authority: Substring) -> (host: Substring, port: Substring?)? {
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let host = authority[authority.index(after: authority.startIndex)..<end]
            let tail = authority[authority.index(after: end)...]
            guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
            if tail.isEmpty { return (host, nil) }
            return tail.first == ":" ? (host, tail.dropFirst()) : nil
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first,
            host.utf8.allSatisfy({
                $0.isAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
            })
        else { return nil }
        return (host, parts.count == 2 ? parts[1] : nil)
    }
}
