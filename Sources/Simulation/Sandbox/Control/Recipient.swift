/// The inbox that a command applies to. nil selects the only user or tenant.
package struct Recipient: Sendable, Equatable {
    package var user: String?
    package var tenant: String?

    package init(_ user: String? = nil, tenant: String? = nil) {
        self.user = user
        self.tenant = tenant
    }

    /// The arguments of a command for this inbox.
    package func arguments(with others: [String: JSON] = [:]) -> JSON {
        var arguments = others
        arguments["user"] = user.map(JSON.string)
        arguments["tenant"] = tenant.map(JSON.string)
        return .object(arguments)
    }
}
