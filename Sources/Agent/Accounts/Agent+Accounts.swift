import Basics
import DBus
import Inbox
import Logging
import ServiceKit
import Store

/// The accounts of the agent, and what it does for them.
extension Agent {
    /// One at a time: two interleaved reloads could leave an account running that is in no list.
    func reload() async throws(DBusError) {
        let cancellation = DBusError(.cancelled, "The agent was stopped.")
        try await reloading.pass(orThrow: cancellation) { () async throws(DBusError) in try await readConfiguration() }
    }

    private func readConfiguration() async throws(DBusError) {
        do {
            let new = try file.read()
            try await apply(new)
            configuration = new
            await useState()
            await updateQuietHours()
            await opener.allow(new.popups.openSchemes)
            logger.notice("configuration read", metadata: ["accounts": "\(new.accounts.count)"])
        } catch let error as ConfigurationError {
            logger.error("configuration rejected", metadata: ["problem": "\(error)"])
            throw DBusError(.invalidArgs, error.description)
        } catch {
            throw DBusError(reporting: error)
        }
    }

    /// Deletes the state of accounts that have not been configured for a while.
    func useState() async {
        do throws(StoreError) {
            try await store.use(accounts.map(\.session.identity.key), now: environment.now().milliseconds)
        } catch {
            logger.error("cannot delete old state", metadata: ["reason": "\(error)"])
        }
    }

    /// Ends the accounts whose configuration changed, and starts the new ones. If a new one is invalid, all accounts
    /// stay as they are.
    func apply(_ new: Configuration) async throws {
        var next: [Account] = []
        for configured in new.accounts {
            let running = accounts.first { $0.configuration == configured }
            next.append(try running ?? Account(configuration: configured, session: session(configured)))
        }
        let (before, after) = (accounts, next)
        accounts = next
        for account in before where !after.contains(where: { $0.session === account.session }) {
            await account.session.end()
        }
        for account in after where !before.contains(where: { $0.session === account.session }) {
            try await account.session.export()
            started.send(account.session)
        }
        popups.post(.policyChanged(policy(new.popups)))
        publish()
    }

    /// The policy of popups, which name their account if there are several.
    private func policy(_ configured: PopupPolicy) -> PopupPolicy {
        var policy = configured
        if accounts.count > 1 {
            let names = accounts.map { ($0.session.identity.key, $0.session.identity.name) }
            policy.accountNames = Dictionary(names) { first, _ in first }
        }
        return policy
    }

    private func session(_ account: AccountConfiguration) throws(ConfigurationError) -> AccountSession {
        let made = try makeProvider(account)
        return AccountSession(
            identity: made.identity,
            provider: made.provider,
            bus: bus,
            popups: popups,
            opener: opener,
            environment: environment,
            store: store,
            logger: logger
        ) { [weak self] session, summary in self?.assumeIsolated { $0.update(summary, of: session) } }
    }

    private func update(_ summary: AccountSession.Summary, of session: AccountSession) {
        guard let index = accounts.firstIndex(where: { $0.session === session }), accounts[index].summary != summary
        else { return }
        accounts[index].summary = summary
        publishSums()
    }

    func respond(to response: PopupPresenter.Response) async {
        switch response {
        case .activated(let reference, let url, let token):
            // The click is on disk before its link is opened. If the agent is killed in between, the link is not
            // opened.
            await session(reference.account)?.interacted(reference.id)
            if let url { opener.open(url.text, token: token) }
        case .seen(let references):
            for (account, references) in Dictionary(grouping: references, by: \.account) {
                await session(account)?.seen(references.map(\.id))
            }
        case .revalidate(let references):
            for (account, references) in Dictionary(grouping: references, by: \.account) {
                await session(account)?.revalidate(references.map(\.id))
            }
        case .serverIsFull(let isFull):
            isServerFull = isFull
            publish()
        }
    }

    /// - Parameter key: See ``AccountSession/Identity/key``.
    private func session(_ key: String) -> AccountSession? {
        accounts.first { $0.session.identity.key == key }?.session
    }
}
