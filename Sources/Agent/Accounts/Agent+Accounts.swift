import DBus
import Inbox
import ServiceKit

extension Agent {
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
            start.yield(account.session)
        }
        await publish()
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
        ) { [weak self] session, summary in await self?.update(summary, of: session) }
    }

    private func update(_ summary: AccountSession.Summary, of session: AccountSession) async {
        guard let index = accounts.firstIndex(where: { $0.session === session }), accounts[index].summary != summary
        else { return }
        accounts[index].summary = summary
        await publish()
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
            await publish()
        }
    }

    /// - Parameter key: See ``AccountSession/Identity/key``.
    private func session(_ key: String) -> AccountSession? {
        accounts.first { $0.session.identity.key == key }?.session
    }
}
