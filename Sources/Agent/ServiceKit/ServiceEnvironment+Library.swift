import AgentInterface
package import ClientKit

/// The environment for a service's library.
extension ServiceEnvironment {
    /// The program that uses the library.
    package static var app: AppInfo { AppInfo(name: "feedbell-agent", version: AgentNames.version) }

    package var forLibrary: ClientEnvironment { ClientEnvironment(clock: clock, waitScale: waitScale) }

    /// The account's token; nil: it has no source.
    ///
    /// - Parameter name: The beginning of the source's key.
    package func token(from source: TokenSource?, named name: String = "token") -> AccountToken? {
        source.map { AccountToken(TokenReader(source: $0, named: name, clock: clock, keyring: keyring)) }
    }
}
