import AgentInterface
import Basics
import DBus
import Inbox
import Logging
import VisibleText

/// The application that a desktop starts by D-Bus: its entry in the menu, and clicks on notifications of an agent that
/// has ended.
extension Agent {
    func applicationObject() -> ExportedObject {
        var object = ExportedObject(AgentNames.applicationPath)
        object.handle(DesktopApplication.activate) { data in
            try await self.openInbox(token: ActivationToken(data).text)
        }
        object.handle(DesktopApplication.open) { addresses, data in
            guard addresses.count == 1, let link = addresses.first, link.utf8.count <= WindowAction.linkLimit,
                ["feedbell:", "file:", "/"].contains(where: { link.lowercased().hasPrefix($0) })
            else {
                throw DBusError(
                    .notSupported,
                    "Feedbell opens one link or file for a new account at a time. Call Activate to open the inbox."
                )
            }
            try await self.addAccount(link: link, token: ActivationToken(data).text)
        }
        object.handle(DesktopApplication.activateAction) { name, parameter, data in
            try await self.activate(
                try ActivatedAction(name, parameter: parameter),
                token: ActivationToken(data).text
            )
        }
        return object
    }

    /// Waits in the queue of the name, if another agent owns it that is about to end.
    func takeApplicationName(replacing: Bool) async throws(DBusError) {
        let flags: NameFlags = replacing ? [.allowReplacement, .replaceExisting] : [.allowReplacement]
        do throws(DBusError) {
            _ = try await bus.requestName(AgentNames.applicationName, flags: flags)
        } catch {
            guard error.name == .accessDenied else { throw error }
            logger.warning("the bus refuses the name of the application", metadata: ["reason": "\(error.message)"])
        }
    }

    /// Opens the inbox of an account, preferably of one with a page on the web and with unread notifications.
    func openInbox(token: String?) async throws(DBusError) {
        let unread = accounts.filter { $0.summary.shownUnread > 0 }
        let other = accounts.filter { $0.summary.shownUnread == 0 }
        try await openInbox(of: (unread + other).map(\.session), token: token)
    }

    /// Opens the window, where it is installed; otherwise the inbox's page of the first of these accounts that has one.
    /// Without such a page, shows the inbox of the first account in a terminal. The badge of that account restarts.
    ///
    /// - Parameter action: What the window shows; nil: its list as it is.
    func openInbox(
        of sessions: [AccountSession],
        _ action: WindowAction? = nil,
        token: String?
    ) async throws(DBusError) {
        if await openWindow(action, token: token) { return }
        for session in sessions {
            let account = accounts.first { $0.session === session }
            guard let page = account?.configuration.inboxURL else { continue }
            guard let url = await openable(page, account: session.identity.name) else { return }
            try await openOnce(.page(page)) { self.opener.open(url, token: token) }
            return await session.inboxOpened()
        }
        do throws(DBusError) {
            try await openTerminal(.inbox(account: sessions.first?.identity.name), token: token)
        } catch {
            throw DBusError(error.name, "\(error.message) Or set inbox_url of an account.")
        }
        await sessions.first?.inboxOpened()
    }

    /// The URL that an address opens; nil: none. Why it cannot be opened is shown to the user.
    ///
    /// - Parameter account: The name of its account.
    func openable(_ address: String?, account: String) async -> OpenableURL? {
        guard let address else { return nil }
        let reader = LinkReader(schemes: await opener.schemes)
        do throws(LinkReader.Problem) { return try reader.url(address) } catch {
            opener.refuse(LinkFailure(error, account: account))
            return nil
        }
    }

    /// Opens the window, which resets the badges of the accounts that it shows.
    ///
    /// - Parameter action: What it shows; nil: its list as it is.
    /// - Returns: Whether it is open: it may not be installed.
    func openWindow(_ action: WindowAction?, token: String?) async -> Bool {
        do throws(DBusError) {
            try await WindowOnBus(bus: bus).open(action, token: token)
            return true
        } catch {
            if error.name != .serviceUnknown {
                logger.warning("cannot open the window", metadata: ["reason": "\(error.message)"])
            }
            return false
        }
    }

    /// Opens the form for a new account with the values of a link or a file; without the window, in a terminal.
    private func addAccount(link: String, token: String?) async throws(DBusError) {
        if await openWindow(.addAccount(link: link), token: token) { return }
        try await openTerminal(.addAccount(link: link), token: token)
    }

    /// Runs one of the command's subcommands in a terminal.
    func openTerminal(_ command: CommandTerminal.Command, token: String?) async throws(DBusError) {
        let prompt = translated("Press Enter to close this window.")
        let terminal = CommandTerminal(bus: bus, prompt: prompt, logger: logger)
        try await openOnce(.terminal(command)) { () async throws(DBusError) in
            do { try await terminal.open(command, token: token) } catch {
                self.logger.warning("cannot open a terminal", metadata: ["reason": "\(error)"])
                throw DBusError(.failed, "\(error)")
            }
        }
    }

    /// Opens something, unless it is being opened or was opened a moment ago: then the result of that is this one's.
    private func openOnce(
        _ opening: RecentOpenings.Opening,
        _ body: () async throws(DBusError) -> Void
    ) async throws(DBusError) {
        let requested = environment.uptime()
        let cancellation = DBusError(.failed, "The agent ends.")
        try await openingGate.pass(orThrow: cancellation) { () async throws(DBusError) in
            if let known = self.openings.result(of: opening, requestedAt: requested) { return try known.get() }
            let result: Result<Void, DBusError>
            do throws(DBusError) { result = .success(try await body()) } catch { result = .failure(error) }
            self.openings.record(result, of: opening, at: self.environment.uptime())
            try result.get()
        }
    }

    private func activate(_ action: ActivatedAction, token: String?) async throws(DBusError) {
        switch action {
        case .open(let account, let id):
            guard let session = try await session(named: account, having: id) else {
                throw DBusError(AgentErrors.notFound, "No account has a notification \"\(id)\".")
            }
            try await click(id, of: session, token: token)
        case .pause: try await pause(until: 0)
        case .resume: await resume()
        case .markAllRead: try await markAllRead()
        }
    }

    /// Handles a click on a notification. One without a link is shown in the window, where that is installed.
    func click(_ id: NotificationID, of session: AccountSession, token: String?) async throws(DBusError) {
        if try await !session.click(id, token: token) {
            _ = await openWindow(session.showing(id), token: token)
        }
    }

    /// The account with this name, or the one that knows the notification; otherwise, the first whose service does.
    private func session(named name: String?, having id: NotificationID) async throws(DBusError) -> AccountSession? {
        let sessions = accounts.map(\.session)
        if let name {
            guard let session = sessions.first(where: { $0.identity.name == name }) else {
                throw DBusError(AgentErrors.notFound, "There is no account \"\(name)\". Call the property Accounts.")
            }
            return session
        }
        if sessions.count < 2 { return sessions.first }
        for session in sessions where await session.isKnown(id) { return session }
        for session in sessions where (try? await session.notification(id)) != nil { return session }
        return nil
    }
}
