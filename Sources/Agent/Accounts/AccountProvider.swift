import AgentInterface
package import Inbox
package import ServiceKit

extension Agent {
    /// Creates the provider of an account with the inbox of this owner.
    package typealias ProviderFactory =
        @Sendable (AccountConfiguration, InboxOwner) throws(ConfigurationError) -> AccountProvider

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
            of owner: InboxOwner,
            environment: ServiceEnvironment
        ) throws(ConfigurationError) {
            let service = account.service
            var environment = environment
            environment.account = account.name
            identity = AccountSession.Identity(
                name: account.name,
                provider: type(of: service).description.name,
                user: owner.user,
                key: service.key(of: owner)
            )
            do { provider = try service.makeProvider(of: owner, environment) } catch {
                throw ConfigurationError(file: "accounts.\(account.name)", problem: error.sentence)
            }
        }
    }
}
