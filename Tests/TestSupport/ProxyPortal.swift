package import DBus

/// A desktop portal that answers which proxies to use (XDG Desktop Portal, `ProxyResolver`).
package enum ProxyPortal: Interface {
    package static let name: InterfaceName = "org.freedesktop.portal.ProxyResolver"
    package static let lookup = Method(
        "Lookup",
        in: (Argument<String>("uri")),
        out: (Argument<[String]>("proxies"))
    )
    package static let members: [any Member] = [lookup]

    /// Runs `body` beside a portal with this answer to each URL.
    package static func with<Result: Sendable>(
        _ answer: @escaping @Sendable (_ url: String) async throws -> [String],
        _ body: () async throws -> Result
    ) async throws -> Result {
        try await withBus { bus in
            var portal = ExportedObject("/org/freedesktop/portal/desktop")
            portal.handle(lookup) { url in try await answer(url) }
            try await bus.export(portal)
            _ = try await bus.requestName("org.freedesktop.portal.Desktop")
            return try await body()
        }
    }
}
