import AgentInterface
import Basics
import DBus
import Inbox

/// The tray icon and the launcher's badge: what they show, and what clicks do.
extension Agent {
    /// Runs both until the task is cancelled.
    func runPresence() async {
        await applyPresence()
        presenceChanged()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.tray.run(for: self) }
            group.addTask { await self.badge.run() }
        }
    }

    /// Applies the configuration.
    func applyPresence() async {
        tray.setEnabled(configuration.desktop.trayIcon)
        await badge.receive(.setting(configuration.desktop.launcherBadge))
    }

    /// Something changed that they may show.
    func presenceChanged() {
        updateSignInPopups()
        tray.assumeIsolated { $0.changed() }
        let contents = LauncherBadge.Contents(count: shownUnread, isUrgent: needsAttention)
        badge.assumeIsolated { $0.receive(.changed(contents)) }
    }

    // MARK: Contents

    var trayContents: TrayContents {
        TrayContents(
            accounts: accounts.map { account in
                TrayContents.Account(
                    name: account.session.identity.name,
                    unread: account.summary.shownUnread,
                    needsAttention: account.summary.needsAttention
                )
            },
            hasConfigurationProblem: !configurationError.isEmpty,
            pause: pauseWords
        )
    }

    private var pauseWords: PauseText? {
        guard pause.isOn else { return nil }
        return PauseText(until: pause.until, now: environment.now(), localTime: environment.localTime)
    }

    func trayMenu() async -> TrayMenu {
        var menu = TrayMenu(
            unauthorized: accounts.filter(\.summary.needsAttention).map(\.session.identity.name),
            new: Set(accounts.filter(\.summary.isNew).map(\.session.identity.name)),
            unread: shownUnread,
            hidden: accounts.reduce(0) { $0 + $1.summary.hiddenUnread },
            hasSeveralAccounts: accounts.count > 1,
            pause: pauseWords,
            isTextHidden: hidesText,
            isTextFixed: configuration.isPopupTextFixed,
            isOffline: accounts.contains { !$0.summary.isOnline }
        )
        for account in accounts {
            menu.notifications += await account.session.newestUnread(TrayMenu.notificationLimit)
            menu.preferences.add(await account.session.menuPreferences())
        }
        return menu
    }

    /// Loads the preferences of all accounts, if they are unknown or stale.
    func loadTrayPreferences() async {
        let sessions = accounts.map(\.session)
        await withDiscardingTaskGroup { group in
            for session in sessions { group.addTask { await session.loadMenuPreferences() } }
        }
    }

    // MARK: Clicks

    func togglePause() async {
        if pause.isOn { await resume() } else { try? await pause(until: 0) }
    }

    /// - Parameter token: The activation token for what is opened.
    func press(_ key: TrayMenuKey, token: String?) async throws(DBusError) {
        switch key {
        case .heading, .hidden, .separator, .notification, .mute, .pause, .preferences, .preferencesNote,
            .categoryChannels:
            break
        case .signIn(let account): try await signIn(to: account, token: token)
        case .open(let account, let id): try await click(id, of: session(named: account), token: token)
        case .markRead(let account, let id): try await session(named: account).submit([.read(id)])
        case .muteCategory(let account, _, let category, let end):
            try await mute(category: category, of: account, until: until(end))
        case .inbox: try await openInbox(token: token)
        case .markAllRead: try await markAllRead()
        case .pauseFor(let minutes):
            try await pause(until: environment.now().advanced(milliseconds: Int64(minutes) * 60_000).milliseconds)
        case .pauseUntilTomorrow: try await pause(until: nextMidnight.milliseconds)
        case .resume: await resume()
        case .hideText: try await hideText(!hidesText)
        case .category(let account, let id): try await session(named: account).toggleCategory(id)
        case .channel(let account, let category, let name):
            try await session(named: account).toggleChannel(name, ofCategory: category)
        case .reconnect: for account in accounts { await account.session.reconnect() }
        case .diagnose: try await openTerminal(.doctor, token: token)
        }
    }

    /// nil: without an end.
    private func until(_ end: TrayMuteEnd) -> Timestamp? {
        switch end {
        case .hour: environment.now().advanced(milliseconds: 3_600_000)
        case .tomorrow: nextMidnight
        case .never: nil
        }
    }

    private var nextMidnight: Timestamp {
        WeeklyHours(from: 0, to: 0).nextTransition(after: environment.now(), localTime: environment.localTime)
    }

    private func session(named name: String) throws(DBusError) -> AccountSession {
        if let account = accounts.first(where: { $0.session.identity.name == name }) { return account.session }
        throw DBusError(AgentErrors.notFound, "There is no account \"\(name)\". It was removed.")
    }
}

extension TrayMenu.Preferences {
    /// Adds those of another account.
    mutating func add(_ other: TrayMenu.Preferences) {
        switch (self, other) {
        case (_, .unsupported): break
        case (.unsupported, _), (.unknown, .known): self = other
        case (.known, .unknown), (.unknown, .unknown): break
        case (.known(let categories), .known(let others)): self = .known(categories + others)
        }
    }
}
