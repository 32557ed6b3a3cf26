import AgentInterface
package import Inbox
package import ServiceKit

extension Agent {
    /// Creates the provider of an account.
    package typealias ProviderFactory = @Sendable (AccountConfiguration) throws(ConfigurationError) -> AccountProvider

    /// The provider of an account, and the account's identity at its service.
    package struct AccountProvider: Sendable {
        package var identity: AccountSession.Identity
        package var provider: any InboxProvider

        package init(identity: AccountSession.Identity, provider: any InboxProvider) {
            self.identity = identity
            self.provider = provider
        }

        /// Creates the provider by the account's service.
        package init(
            _ account: AccountConfiguration,
            environment: ServiceEnvironment
        ) throws(ConfigurationError) {
            let service = account.service
            identity = AccountSession.Identity(
                name: account.name,
                provider: type(of: service).description.name,
                user: service.user,
                key: service.inboxKey
            )
            do { provider = try service.makeProvider(environment) } catch {
                throw ConfigurationError(file: "accounts.\(account.name)", problem: error.sentence)
            }
        }
    }
}
