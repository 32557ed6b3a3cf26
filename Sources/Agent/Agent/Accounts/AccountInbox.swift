import AgentInterface
package import Inbox
import Logging

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
        ///
        /// - Parameter store: Keeps what the service registers.
        package init(
            _ account: AccountConfiguration,
            of owner: InboxOwner,
            environment: ServiceEnvironment,
            store: StateStore
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
            environment.registration = SavedRegistration(of: identity.key, in: store, environment.logger)
            do { service = try configured.makeInboxService(of: owner, environment) } catch {
                throw ConfigurationError(file: account.name.accountTable, problem: error.sentence)
            }
        }
    }
}

extension SavedRegistration {
    /// Keeps the registration of this owner in the state store.
    fileprivate init(of owner: String, in store: StateStore, _ logger: Logger) {
        self.init {
            do { return try await store.registration(of: owner) } catch {
                logger.error("cannot read a registration", metadata: ["reason": "\(error)"])
                return nil
            }
        } save: { contents in
            do { try await store.setRegistration(contents, of: owner) } catch {
                logger.error("cannot keep a registration", metadata: ["reason": "\(error)"])
            }
        }
    }
}
