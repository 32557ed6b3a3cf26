import Basics
import DBus
import Inbox
import Logging
import ServiceKit
import Store

/// Whose inbox an account has, if only its token names the user: remembered, so that the state of that user is there
/// before the token is read.
extension Agent {
    /// The owner of an account's inbox, as far as it is known without its token.
    func owner(of account: AccountConfiguration) async -> InboxOwner {
        guard account.isNamedByToken, ownsState else { return account.service.owner }
        do throws(StoreError) {
            let found = try await store.tokenUser(of: account.configuredKey)
            return found.map { InboxOwner(user: $0.name, inbox: $0.inbox) } ?? account.service.owner
        } catch {
            logger.error("cannot read the user of an account", metadata: ["reason": "\(error)"])
            return account.service.owner
        }
    }

    /// Continues with the remembered owners, if the state could not be read before.
    func restoreOwners() async throws {
        for account in accounts where account.configuration.isNamedByToken {
            let owner = await owner(of: account.configuration)
            try await replace(account.session, with: owner)
        }
    }

    /// Replaces accounts whose tokens are of other users.
    func followOwners() async {
        for await (session, owner) in identified.messages {
            let cancellation = DBusError(.cancelled, "The agent was stopped.")
            do {
                try await reloading.pass(orThrow: cancellation) { () async throws(DBusError) in
                    do {
                        try await self.identify(session, owner)
                        await self.useState()
                    } catch {
                        throw DBusError(reporting: error)
                    }
                }
            } catch {
                logger.error("cannot change the user of an account", metadata: ["reason": "\(error.message)"])
            }
        }
    }

    /// Continues a session with the inbox of the owner that its token names, and remembers that one.
    private func identify(_ session: AccountSession, _ owner: InboxOwner) async throws {
        guard let account = accounts.first(where: { $0.session === session })?.configuration else { return }
        let key = account.configuredKey
        let isFirst = try await store.tokenUser(of: key) == nil
        try await store.recordTokenUser(owner.user, inbox: owner.inbox, of: key)
        try await replace(session, with: owner) {
            // Until the first token was read, the user's actions were stored without a user.
            guard isFirst, session.identity.key == key else { return }
            try await self.store.moveRows(of: key, to: account.service.key(of: owner))
        }
    }

    /// Ends a session, and starts one with the inbox of another owner and its state.
    ///
    /// - Parameter between: Called when the first one has ended, and the second one has not started.
    private func replace(
        _ session: AccountSession,
        with owner: InboxOwner,
        between: () async throws -> Void = {}
    ) async throws {
        guard let index = accounts.firstIndex(where: { $0.session === session }) else { return }
        let configured = accounts[index].configuration
        guard session.identity.key != configured.service.key(of: owner) else { return }
        let new = try self.session(configured, of: owner)
        accounts[index] = Account(configuration: configured, session: new)
        popups.post(.policyChanged(policy(configuration.popups)))
        await session.end()
        try await new.export()
        do { try await between() } catch {
            logger.error("cannot move the state of an account", metadata: ["reason": "\(error)"])
        }
        started.send(new)
        publish()
        logger.notice("account of another user", metadata: ["account": "\(configured.name)"])
    }
}

extension AccountConfiguration {
    /// Whether only the account's token names its user.
    var isNamedByToken: Bool { service.owner.user.isEmpty }

    /// The key of the inbox, as far as the configuration tells.
    var configuredKey: String { service.key(of: service.owner) }
}
