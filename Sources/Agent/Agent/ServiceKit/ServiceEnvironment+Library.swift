import AgentInterface
package import ClientKit

/// The environment for a service's library.
extension ServiceEnvironment {
    /// The program that uses the library.
    package static var app: AppInfo { AppInfo(name: "feedbell-agent", version: AgentNames.version) }

    package var forLibrary: ClientEnvironment { ClientEnvironment(clock: clock, waitScale: waitScale) }

    /// The account's token; nil: it has no source.
    ///
    /// - Parameters:
    ///   - name: The beginning of the source's key.
    ///   - user: The user of the account, for sentences; empty: unknown.
    ///   - caFile: A PEM file of additional trusted certificate authorities.
    package func token(
        from source: TokenSource?,
        named name: String = "token",
        user: String = "",
        caFile: String? = nil
    ) -> AccountToken? {
        guard let source else { return nil }
        var reader = TokenReader(source: source, named: name, clock: clock, keyring: keyring)
        reader.user = user
        if let backend = source.backend { reader.signIn = signIns?.session(backend, transport, caFile: caFile) }
        return AccountToken(reader)
    }
}
