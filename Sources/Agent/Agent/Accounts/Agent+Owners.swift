import Basics
import DBus
import Inbox
import Logging

/// The owner of an account's inbox, if only its token names the user: recorded, so that the state of that user is there
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
            guard !owner.user.isEmpty else { continue }
            try await identify(account.session, owner)
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
        guard let index = accounts.firstIndex(where: { $0.session === session }) else { return }
        let configured = accounts[index].configuration
        let key = configured.service.key(of: owner)
        if let first = accounts.first(where: { $0.session !== session && $0.session.identity.key == key }) {
            accounts[index].isSecond = true
            await session.stop(besides: first.configuration.name)
            return logger.error("two accounts have the same inbox", metadata: ["account": "\(configured.name)"])
        }
        guard session.identity.key != key else { return await record(owner, of: configured) }
        let new = try self.session(configured, of: owner)
        accounts[index] = Account(configuration: configured, session: new)
        updateRules()
        await session.end(keepingPopups: false)
        try await export(new, replacing: true)
        // When nothing more is written for the one, and nothing was read for the other.
        await popups.memory.save()
        await record(owner, of: configured)
        started.send(new)
        publish()
        logger.notice("account of another user", metadata: ["account": "\(configured.name)"])
    }

    /// Remembers the owner of an account's inbox. Until it was known, the user's actions were stored without a user.
    private func record(_ owner: InboxOwner, of account: AccountConfiguration) async {
        do throws(StoreError) {
            let key = account.service.key(of: owner)
            try await store.recordTokenUser(owner.user, inbox: owner.inbox, of: account.configuredKey, key: key)
        } catch {
            logger.error("cannot record the user of an account", metadata: ["reason": "\(error)"])
        }
    }
}

extension AccountConfiguration {
    /// Whether only the account's token names its user.
    var isNamedByToken: Bool { service.owner.user.isEmpty }

    /// The key of the inbox, as far as the configuration tells.
    var configuredKey: String { service.key(of: service.owner) }
}
