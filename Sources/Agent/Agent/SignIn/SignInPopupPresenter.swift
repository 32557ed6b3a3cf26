import Basics
import DBus
import Inbox
import Logging
import VisibleText

/// Runs ``SignInPopups``. Uses the bus only once an account needs its user.
actor SignInPopupPresenter {
    private static let actionKey = "sign-in"

    private let bus: Bus
    private let server: NotificationServer
    private let icon = ApplicationIcon.installed(DesktopNotification.desktopEntry)
    private let clock: any Clock<Duration>
    private let logger: Logger
    private var popups = SignInPopups()
    /// The accounts whose users have never signed in.
    private var new: Set<String> = []
    /// Those whose users cannot do anything about it.
    private var helpless: Set<String> = []
    private let effects = Mailbox<SignInPopups.Effect>()
    private let isNeeded = Completion()

    init(bus: Bus, clock: any Clock<Duration>, logger: Logger) {
        self.bus = bus
        self.clock = clock
        server = NotificationServer(bus: bus, logger: logger)
        self.logger = logger
    }

    /// The bus's.
    nonisolated var unownedExecutor: UnownedSerialExecutor { bus.unownedExecutor }

    /// For callers that run on the bus's executor.
    ///
    /// - Parameters:
    ///   - accounts: The names of those whose services do not let their users in.
    ///   - new: Those of them whose users have never signed in.
    ///   - helpless: Those of them to which only an administrator can give a token.
    ///   - connecting: The names of those that are trying to connect.
    ///   - isHeld: Whether popups are held back.
    nonisolated func update(
        accounts: [String],
        new: [String],
        helpless: [String],
        connecting: [String],
        isHeld: Bool
    ) {
        assumeIsolated { presenter in
            (presenter.new, presenter.helpless) = (Set(new), Set(helpless))
            presenter.receive(.held(isHeld))
            presenter.receive(.accounts(accounts, connecting: connecting))
            if !accounts.isEmpty { presenter.isNeeded.finish() }
        }
    }

    /// The user has signed in with the browser. For callers that run on the bus's executor.
    nonisolated func signedIn(to account: String) {
        assumeIsolated { presenter in
            presenter.isNeeded.finish()
            presenter.receive(.signedIn(account: account))
        }
    }

    /// The actions of clicks, which get the click's activation token.
    struct Requests: Sendable {
        var signIn: @Sendable (_ account: String, _ token: String?) async -> Void
        var openInbox: @Sendable (_ token: String?) async -> Void
    }

    /// Shows popups until the task is cancelled or the bus connection ends.
    func run(_ requests: Requests) async {
        await isNeeded.wait()
        guard !Task.isCancelled else { return }
        do throws(DBusError) {
            try await server.followSignals { [weak self] (message) throws(DBusError) in
                guard let signal = try ServerSignal(message), let server = message.sender else { return }
                self?.assumeIsolated { $0.receive(signal, of: server) }
            }
            let owners = try await bus.nameOwnerChanges(of: FreedesktopNotifications.busName)
            await withDiscardingTaskGroup { group in
                group.addTask { for await change in owners { await self.receive(.server(change.new)) } }
                for await effect in effects.messages {
                    group.addTask { await self.perform(effect, requests) }
                }
                group.cancelAll()
            }
        } catch {
            logger.debug("no popups about accounts", metadata: ["error": "\(error)"])
        }
    }

    private func receive(_ event: SignInPopups.Event) {
        for effect in popups.receive(event) { effects.send(effect) }
    }

    private func receive(_ signal: ServerSignal, of server: BusName) {
        let place = SignInPopups.Place(server: server, id: signal.id)
        switch signal.content {
        case .action: receive(.clicked(place))
        case .closed: receive(.closed(place))
        case .token(let token): receive(.activated(place, token: token))
        }
    }

    private func perform(_ effect: SignInPopups.Effect, _ requests: Requests) async {
        switch effect {
        case .wait(let number):
            guard (try? await clock.sleep(for: SignInPopups.delay)) != nil else { return }
            receive(.waited(number: number))
        case .close(let place): await close(place)
        case .signIn(let account, let token): await requests.signIn(account, token)
        case .openInbox(let token): await requests.openInbox(token)
        case .showSignedIn(let account, let owner):
            if let place = await show(signedIn(account), at: owner) { receive(.shownSignedIn(place)) }
        case .show(let account, let owner):
            let place = await show(notification(account), at: owner)
            receive(place.map { .shown(account: account, $0) } ?? .notShown(account: account))
        }
    }

    private func close(_ place: SignInPopups.Place) async {
        let server = await server.information(of: place.server)
        let quirks = ServerQuirks(name: server.name, vendor: server.vendor, version: server.version)
        await self.server.close(place.id, on: place.server, quirks: quirks)
    }

    /// - Returns: nil: it was not shown.
    private func show(_ notification: DesktopNotification, at owner: BusName) async -> SignInPopups.Place? {
        do throws(DBusError) {
            return SignInPopups.Place(server: owner, id: try await server.notify(notification, on: owner))
        } catch {
            logger.warning("a popup about an account was not shown", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// The popup stays until the user closes it or the account is online. It has none of the service's words: a server
    /// would show them as markup.
    private func notification(_ account: String) -> DesktopNotification {
        if helpless.contains(account) {
            return popup(
                // Translators: The title of a popup about an account that its service does not let in.
                translated("No access: {account}", ["account": account.onOneLine]),
                translated("Feedbell gets no token that the service accepts. Ask your administrator."),
                button: translated("Try Now"),
                expireTimeout: 0
            )
        }
        return popup(
            TrayMenu.signIn(account, isNew: new.contains(account)),
            translated("New notifications do not arrive until then."),
            // Translators: A button of a popup about an account that cannot sign in.
            button: translated("Sign in…"),
            expireTimeout: 0
        )
    }

    private func signedIn(_ account: String) -> DesktopNotification {
        popup(
            // Translators: The title of a popup after a sign-in with the browser.
            translated("Signed in: {account}", ["account": account.onOneLine]),
            translated("New notifications arrive from now on."),
            button: translated("Open inbox"),
            expireTimeout: -1
        )
    }

    private func popup(
        _ summary: String,
        _ body: String,
        button: String,
        expireTimeout: Int32
    ) -> DesktopNotification {
        DesktopNotification(
            appName: "Feedbell",
            appIcon: icon.argument(needsPath: false),
            summary: summary,
            body: body,
            // Budgie leaves out the button after the default action.
            actions: [(Self.actionKey, button), ("default", button)],
            hints: ["urgency": .byte(1), "desktop-entry": .string(DesktopNotification.desktopEntry)],
            expireTimeout: expireTimeout
        )
    }
}
