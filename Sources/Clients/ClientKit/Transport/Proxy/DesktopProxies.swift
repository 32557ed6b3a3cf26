/// Asks the desktop's settings for the proxies on the way to a URL, which are tried in order. nil: there is no answer.
///
/// A proxy is `http://host:port`, `socks5://host:port` or `socks://host:port`; `direct://` is the way without one
/// (XDG Desktop Portal, `org.freedesktop.portal.ProxyResolver`).
package typealias DesktopProxies = @Sendable (_ url: String) async -> [String]?

extension ProxyServer {
    /// The maximum number of ways. Each gets its share of the time for a connection.
    private static let maximum = 4

    /// The ways in an answer of the desktop's settings, at least one; nil: the direct one.
    ///
    /// Throws if nothing of the answer is usable: an unusable proxy is reported, never bypassed.
    static func ways(in answer: [String]) throws(TransportError) -> [ProxyServer?] {
        var ways: [ProxyServer?] = []
        var problem: Unusable?
        for text in answer.prefix(maximum) {
            do throws(Unusable) {
                ways.append(text.hasPrefix("direct:") ? nil : try ProxyServer(text, source: desktop))
            } catch {
                problem = problem ?? error
            }
        }
        guard ways.isEmpty else { return ways }
        guard let problem else { return [nil] }
        let sentence = "The proxy in \(desktop) cannot be used: \(problem.reason). Correct the settings."
        throw TransportError(.proxy(status: nil), sentence)
    }
}
