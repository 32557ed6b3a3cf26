import Basics
import DBus
import Logging

/// The agent's icon in the tray and its menu. While no desktop shows it, nothing is exported and nothing is computed.
/// The menu is made when a program asks for it.
actor TrayIcon {
    private static let interval = Duration.seconds(1)
    /// Trays request the whole menu after a change, also while they do not show it.
    private static let menuInterval = Duration.seconds(10)

    let bus: Bus
    let logger: Logger
    private let host: TrayHost
    private let icons: TrayIcons
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let timer = RestartableTimer()
    /// Requests to load the preferences for the menu.
    let preferenceLoads = Mailbox<Void>(.bufferingNewest(1))

    /// While ``run(for:)`` runs.
    private(set) weak var agent: Agent?
    /// The item as last published to the hosts; nil: the icon is not in a tray.
    private var shown: TrayItem?
    private var spacing = ChangeSpacing(interval: TrayIcon.interval)
    private var menuSpacing = ChangeSpacing(interval: TrayIcon.menuInterval)
    private let menuTimer = RestartableTimer()
    var menu = MenuTree<TrayMenuKey>()
    /// The revision of the menu that a program has.
    var deliveredRevision: UInt32 = 0
    /// The submenus whose entries were announced to programs that request a menu level by level.
    var announcedSubmenus: Set<Int32> = []
    /// For what the next click opens.
    private var token: String?

    init(bus: Bus, icons: TrayIcons, clock: any Clock<Duration>, logger: Logger) {
        self.bus = bus
        self.icons = icons
        self.clock = clock
        self.logger = logger
        elapsed = clock.stopwatch()
        host = TrayHost(bus: bus, logger: logger)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { bus.unownedExecutor }

    /// Whether the user wants the icon.
    nonisolated func setEnabled(_ isEnabled: Bool) { host.setEnabled(isEnabled) }

    /// Shows the icon until the task is cancelled or the bus disconnects.
    func run(for agent: Agent) async {
        self.agent = agent
        defer { self.agent = nil }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.timer.run(clock: self.clock) { await self.announceDelayed() } }
            group.addTask { await self.menuTimer.run(clock: self.clock) { await self.expireMenuDelayed() } }
            group.addTask { for await _ in self.preferenceLoads.messages { await self.loadPreferences() } }
            do throws(DBusError) {
                try await host.run {
                    () async throws(DBusError) in
                    try await self.export()
                } withdraw: {
                    await self.withdraw()
                }
            } catch {
                logger.debug("cannot follow the tray", metadata: ["reason": "\(error.message)"])
            }
            group.cancelAll()
        }
    }

    // MARK: The object

    private func export() async throws(DBusError) {
        guard let item else { return }
        var object = item.object(icons)
        object.handle(StatusNotifierItem.activate) { _, _ in try await self.press(.inbox) }
        object.handle(StatusNotifierItem.secondaryActivate) { _, _ in await self.togglePause() }
        object.handle(StatusNotifierItem.contextMenu) { _, _ in
            throw DBusError(.notSupported, "The menu is the object at the property Menu.")
        }
        object.handle(StatusNotifierItem.scroll) { _, _ in }
        object.handle(StatusNotifierItem.provideXdgActivationToken) { token in await self.keep(token) }
        try await bus.export(object)
        try await bus.export(menuObject())
        shown = item
        // Publishes changes since `item` was exported.
        changed()
    }

    private func withdraw() async {
        shown = nil
        timer.set(after: nil)
        spacing = ChangeSpacing(interval: Self.interval)
        menuTimer.set(after: nil)
        menuSpacing = ChangeSpacing(interval: Self.menuInterval)
        await bus.unexport(StatusNotifierItem.path)
        await bus.unexport(TrayItem.menuPath)
        menu = MenuTree()
        deliveredRevision = 0
        announcedSubmenus = []
    }

    private var item: TrayItem? { agent?.assumeIsolated { $0.trayContents }.item(icons) }

    // MARK: Changes

    /// Something changed that the icon may show.
    func changed() {
        guard let shown, item != shown else { return }
        switch spacing.change(at: elapsed()) {
        case .announce?: announce()
        case .wait(let time)?: timer.set(after: time)
        case nil: break
        }
    }

    private func announceDelayed() {
        spacing.waited(until: elapsed())
        announce()
    }

    private func announce() {
        guard let shown, let item, item != shown else { return }
        self.shown = item
        menuChanged()
        var properties = PropertyChanges()
        item.set(in: &properties)
        let changes = item.changes(since: shown)
        bus.sendSignals(logger) { [properties] (bus) throws(DBusError) in
            let path = StatusNotifierItem.path
            bus.set(properties, at: path)
            if changes.contains(.icon) { try bus.emit(StatusNotifierItem.newIcon, from: path) }
            if changes.contains(.status) {
                try bus.emit(StatusNotifierItem.newStatus, item.status.rawValue, from: path)
            }
            if changes.contains(.toolTip) { try bus.emit(StatusNotifierItem.newToolTip, from: path) }
        }
    }

    /// GTK shows a menu in the size that it had before it was shown, so trays learn of a change in time.
    private func menuChanged() {
        guard deliveredRevision > 0 else { return }
        switch menuSpacing.change(at: elapsed()) {
        case .announce?: expireMenu()
        case .wait(let time)?: menuTimer.set(after: time)
        case nil: break
        }
    }

    private func expireMenuDelayed() {
        menuSpacing.waited(until: elapsed())
        expireMenu()
    }

    // MARK: Clicks

    private func keep(_ token: String) { self.token = token.isEmpty ? nil : token }

    /// The user has clicked an entry of the menu.
    func press(_ key: TrayMenuKey) async throws(DBusError) {
        let token = token
        self.token = nil
        try await agent?.press(key, token: token)
    }

    private func togglePause() async { await agent?.togglePause() }
}
