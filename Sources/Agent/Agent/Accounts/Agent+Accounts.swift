import Basics
package import DBus
import Inbox
import Logging

/// The accounts of the agent, and what it does for them.
extension Agent {
    /// Applies the configuration file, at a request.
    ///
    /// - Throws: `InvalidArgs` if the file is invalid; then the agent keeps the configuration that it has. Also if the
    ///   file of an account in `accounts.d` is invalid; then only that account stays as it is.
    package func reload() async throws(DBusError) { try await read(.request) }

    /// Applies the configuration file after it has changed. If it was removed or is invalid, that is reported, and the
    /// agent keeps the configuration that it has.
    func configurationFileChanged() async { try? await read(.fileChange) }

    private enum Trigger { case request, fileChange }

    /// One at a time: two interleaved reloads could leave an account running that is in no list.
    private func read(_ trigger: Trigger) async throws(DBusError) {
        let cancellation = DBusError(.cancelled, "The agent was stopped.")
        try await reloading.pass(orThrow: cancellation) { () async throws(DBusError) in
            try await readConfiguration(trigger)
        }
    }

    private func readConfiguration(_ trigger: Trigger) async throws(DBusError) {
        try await applyConfiguration(trigger)
        guard trigger == .request, let unused = configuration.unused.first else { return }
        throw DBusError(.invalidArgs, unused.error.description)
    }

    /// Applies a file that this agent has changed. Call it one at a time, as ``reload()`` is.
    func applyChangedFile() async throws(DBusError) { try await applyConfiguration(.fileChange) }

    private func applyConfiguration(_ trigger: Trigger) async throws(DBusError) {
        do {
            let new =
                trigger == .request
                ? try await file.read(from: configuration, clock: environment.clock)
                : try await file.readChanged(from: configuration, clock: environment.clock)
            guard trigger == .request || new != configuration || !configurationProblem.isEmpty else { return }
            report(.reloading(since: ClockReading.now.awake))
            defer { report(.reloaded) }
            try await apply(new)
            let known = configuration.problems
            (configuration, configurationProblem) = (new, "")
            updateRules()
            logUnused(except: known)
            publish()
            await useState()
            await updateQuietHours()
            await updateLockHold()
            await applySearch()
            for account in accounts { await account.session.set(archivesOnClick: new.archivesOnClick) }
            await opener.allow(new.popups.openSchemes)
            await applyPresence()
            logger.notice("configuration read", metadata: ["accounts": "\(new.accounts.count)"])
        } catch let error as ConfigurationError {
            // A change of the file that leaves the problem as it is, is not logged again.
            if trigger == .request || configurationProblem != "\(error)" {
                logger.error("configuration rejected", metadata: ["problem": "\(error)"])
            }
            setConfigurationProblem("\(error)")
            throw DBusError(.invalidArgs, error.description)
        } catch {
            throw DBusError(reporting: error)
        }
    }

    /// Logs which files of programs are not used.
    ///
    /// - Parameter known: The problems that are logged.
    func logUnused(except known: [ConfigurationError] = []) {
        for problem in configuration.problems where !known.contains(problem) {
            logger.error("a file of the configuration is not used", metadata: ["problem": "\(problem)"])
        }
    }

    /// Shows a popup about the accounts that are not used since the start, once there is a notification server. Returns
    /// after it, or when the bus connection ends.
    func showUnused() async {
        let names = configuration.unused.map(\.fileName)
        guard !names.isEmpty else { return }
        do throws(DBusError) {
            for await change in try await bus.nameOwnerChanges(of: FreedesktopNotifications.busName)
            where change.new != nil { return await NoticePopup(bus: bus, logger: logger).show(unused: names) }
        } catch {
            logger.debug("no popup about unused accounts", metadata: ["error": "\(error)"])
        }
    }

    private func setConfigurationProblem(_ problem: String) {
        guard configurationProblem != problem else { return }
        configurationProblem = problem
        publish()
    }

    /// Deletes the state of accounts that have not been configured for a while.
    func useState() async {
        do throws(StoreError) {
            let used = accounts.flatMap { [$0.session.identity.key, $0.configuration.configuredKey] }
            await inboxes.keep(Set(used), configuration.inbox)
            try await store.use(Set(used).sorted(), now: environment.now().milliseconds)
        } catch {
            logger.error("cannot delete old state", metadata: ["reason": "\(error)"])
        }
    }

    /// Ends the accounts whose configuration changed, and starts the new ones. If a new one is invalid, all accounts
    /// stay as they are. The popups of an inbox stay open if an account has it still.
    func apply(_ new: Configuration) async throws {
        let running = new.accounts.map { configured in
            accounts.first { $0.configuration.hasSameSession(as: configured) && !$0.isSecond }
        }
        var keys = Set(running.compactMap { $0?.session.identity.key })
        var next: [Account] = []
        for (configured, running) in zip(new.accounts, running) {
            if var running {
                running.configuration = configured
                next.append(running)
            } else {
                var owner = await owner(of: configured)
                // If another account has the inbox of its last token, only the next token says whose inbox it has.
                if !keys.insert(configured.service.key(of: owner)).inserted { owner = configured.service.owner }
                next.append(Account(configuration: configured, session: try session(configured, of: owner)))
            }
        }
        let (before, after) = (accounts, next)
        accounts = next
        let inboxes = Set(after.map(\.session.identity.key))
        for account in before where !after.contains(where: { $0.configuration.name == account.configuration.name }) {
            await browserSignIns?.cancel(account.configuration.name)
            signIns?.forget(account: account.configuration.name)
        }
        for account in before where !after.contains(where: { $0.session === account.session }) {
            await account.session.end(keepingPopups: inboxes.contains(account.session.identity.key))
            let isReplaced = after.contains { $0.session.path == account.session.path }
            if !isReplaced { await bus.unexport(account.session.path) }
        }
        for account in after where !before.contains(where: { $0.session === account.session }) {
            let isReplaced = before.contains { $0.session.path == account.session.path }
            try await export(account.session, replacing: isReplaced)
            publishSignIn(of: account.configuration.name)
            started.send(account.session)
        }
        publish()
    }

    /// Exports an account's object on the bus.
    ///
    /// - Parameter isReplaced: Whether another account has its name until now. Clients find one of them at any time.
    func export(_ session: AccountSession, replacing isReplaced: Bool) async throws(DBusError) {
        let object = await session.object()
        if isReplaced { await bus.unexport(session.path) }
        try await bus.export(object)
    }

    /// The policy of popups, which name their account if there are several. Rules name accounts always.
    func policy(_ configured: PopupPolicy) -> PopupPolicy {
        var policy = configured
        let identities = accounts.map(\.session.identity)
        let names = Dictionary(identities.map { ($0.key, $0.name) }) { first, _ in first }
        (policy.accountNames, policy.namesAccounts) = (names, accounts.count > 1)
        for account in accounts { policy.linkBases[account.session.identity.key] = account.configuration.linkBase }
        if !policy.rules.isEmpty {
            policy.rules.accountNames = names
            policy.rules.update(at: environment.now())
        }
        return policy
    }

    func session(_ account: AccountConfiguration, of owner: InboxOwner) throws(ConfigurationError) -> AccountSession {
        let made = try makeInboxService(account, owner)
        return AccountSession(
            identity: made.identity,
            service: made.service,
            linkBase: account.linkBase,
            origin: account.origin,
            signIn: account.service.token?.backend,
            takesToken: account.service.token?.isReplaceable(of: account.name) ?? true,
            archivesOnClick: configuration.archivesOnClick,
            bus: bus,
            popups: popups,
            opener: opener,
            environment: environment,
            store: store,
            inboxes: inboxes,
            logger: logger,
            identified: { [identified] session, owner in identified.send((session, owner)) }
        ) { [weak self] session, summary in self?.assumeIsolated { $0.update(summary, of: session) } }
    }

    private func update(_ summary: AccountSession.Summary, of session: AccountSession) {
        guard let index = accounts.firstIndex(where: { $0.session === session }), accounts[index].summary != summary
        else { return }
        let old = accounts[index].summary
        accounts[index].summary = summary
        publishSums()
        if summary.isOnline != old.isOnline || summary.needsAttention != old.needsAttention { reportStatus() }
    }

    func respond(to response: Popups.Response) async {
        switch response {
        case .activated(let reference, let url, let key, let token):
            await clicked(reference, url, key: key, token: token)
        case .chosen(.mute, let reference): await mute(reference)
        case .chosen(let action, let reference):
            await session(reference.account)?.press(action, on: reference.id)
        case .seen(let references):
            for (account, references) in Dictionary(grouping: references, by: \.account) {
                await session(account)?.seen(references.map(\.id))
            }
        case .openInbox(let keys, let newest, let token):
            let action = newest.flatMap { session($0.account)?.showing($0.id) }
            // A failure is logged.
            try? await openInbox(of: keys.compactMap(session), action, token: token)
        case .revalidate(let references):
            for (account, references) in Dictionary(grouping: references, by: \.account) {
                await session(account)?.revalidate(references.map(\.id))
            }
        case .serverIsFull(let isFull):
            if isFull { logger.warning("popups wait: the notification server rejects more of them") }
            isServerFull = isFull
            publish()
        case .patternExceedsLimit(let pattern): report(pattern)
        }
    }

    /// The button `key` of a popup was clicked.
    ///
    /// - Parameter url: The link when the popup was shown.
    private func clicked(
        _ reference: NotificationReference,
        _ url: OpenableURL?,
        key: String,
        token: String?
    ) async {
        guard let session = session(reference.account) else {
            // Its account was removed.
            if let url = await openable(url?.text, account: "") { opener.open(url, token: token) }
            return
        }
        let hasLink = await session.popupClicked(reference.id, key: key, shown: url, token: token)
        // Its text is what there is to see.
        if !hasLink, key == Popup.defaultKey { _ = await openWindow(session.showing(reference.id), token: token) }
    }

    /// - Parameter key: See ``AccountSession/Identity/key``.
    func session(_ key: String) -> AccountSession? {
        accounts.first { $0.session.identity.key == key }?.session
    }
}
