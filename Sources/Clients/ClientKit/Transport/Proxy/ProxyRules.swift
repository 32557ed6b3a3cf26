/// Which connections use a proxy, from the environment: `https_proxy`, `all_proxy` and `no_proxy`. The variables in
/// capitals are used when the others are not set. An empty variable counts as not set.
///
/// `http_proxy` has no effect: plain HTTP is for this computer only, which is never behind a proxy.
package struct ProxyRules: Sendable, Equatable {
    private enum Setting: Sendable, Equatable {
        case proxy(ProxyServer)
        case unusable(variable: String, reason: String)
    }

    private var setting: Setting?
    private var exceptions = ProxyExceptions("")

    /// No proxy.
    package init() {}

    /// The rules of these environment variables.
    package init(environment: [String: String]) {
        func value(_ names: String...) -> (name: String, text: String)? {
            names.lazy.compactMap { name in environment[name].map { (name, $0) } }.first { !$0.1.isEmpty }
        }
        exceptions = ProxyExceptions(value("no_proxy", "NO_PROXY")?.text ?? "")
        guard let (name, text) = value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY") else { return }
        do throws(ProxyServer.Unusable) {
            setting = .proxy(try ProxyServer(text, source: name))
        } catch {
            setting = .unusable(variable: name, reason: error.reason)
        }
    }

    /// The problem with the environment, in a sentence that names the variable and not its value; nil: none.
    package var problem: String? {
        guard case .unusable(let variable, let reason) = setting else { return nil }
        return "The proxy in \(variable) cannot be used: \(reason). Correct the variable or unset it."
    }

    /// The proxy for `endpoint`; nil: none.
    ///
    /// Throws for an unusable proxy: as in curl, an unusable proxy is reported, never bypassed.
    func proxy(for endpoint: Endpoint) throws(TransportError) -> ProxyServer? {
        guard let setting, !isException(endpoint) else { return nil }
        switch setting {
        case .proxy(let proxy): return proxy
        case .unusable: throw TransportError(.proxy(status: nil), problem ?? "")
        }
    }

    /// Whether the variables leave the proxy for `endpoint` to the desktop's settings.
    func leaveOpen(_ endpoint: Endpoint) -> Bool { setting == nil && !isException(endpoint) }

    private func isException(_ endpoint: Endpoint) -> Bool {
        endpoint.isLoopback || exceptions.contain(host: endpoint.host, port: endpoint.port)
    }
}
