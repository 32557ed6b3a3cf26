import AgentInterface
package import Inbox
package import ServiceKit

extension Agent {
    /// Makes the inbox of an account that has this owner.
    package typealias InboxServiceFactory =
        @Sendable (AccountConfiguration, InboxOwner) throws(ConfigurationError) -> AccountInbox

    /// An account's inbox at its service, and the account's identity there.
    package struct AccountInbox: Sendable {
        package var identity: AccountSession.Identity
        package var service: any InboxService

        package init(identity: AccountSession.Identity, service: any InboxService) {
            self.identity = identity
            self.service = service
        }

        /// Makes it as the configuration says.
        package init(
            _ account: AccountConfiguration,
            of owner: InboxOwner,
            environment: ServiceEnvironment
        ) throws(ConfigurationError) {
            let configured = account.service
            var environment = environment
            environment.account = account.name
            identity = AccountSession.Identity(
                name: account.name,
                provider: type(of: configured).description.name,
                user: owner.user,
                key: configured.key(of: owner)
            )
            do { service = try configured.makeInboxService(of: owner, environment) } catch {
                throw ConfigurationError(file: "accounts.\(account.name)", problem: error.sentence)
            }
        }
    }
}
