package import DBus
package import Logging

/// The notification server of the session. It may appear, vanish and be replaced at any time.
package struct NotificationServer: Sendable {
    /// The timeout of a call to the server, except ``notify(_:replacing:on:)``; some servers never answer.
    package static let deadline = Duration.seconds(10)

    private static let shell: BusName = "org.gnome.Shell"

    private let bus: Bus
    private let logger: Logger

    package init(bus: Bus, logger: Logger) {
        self.bus = bus
        self.logger = logger
    }

    /// Reports every signal of every server from now on, until the bus disconnects, on the bus's executor: after a
    /// reply to ``notify(_:replacing:on:)`` that arrived before it. Earlier signals are lost.
    ///
    /// - Parameter receive: Throws for a malformed signal, which is logged.
    package func followSignals(_ receive: @escaping @Sendable (Message) throws(DBusError) -> Void)
        async throws(DBusError)
    {
        for sender in [FreedesktopNotifications.busName, Self.shell] {
            let rule = MatchRule(
                sender: sender,
                path: FreedesktopNotifications.path,
                interface: FreedesktopNotifications.name
            )
            try await bus.forEachSignal(matching: rule) { [logger] message in
                do {
                    try receive(message)
                } catch {
                    logger.debug("malformed signal of the notification server", metadata: ["error": "\(error)"])
                }
            }
        }
    }

    /// Reports which server there is, until the task is cancelled or the bus disconnects. A signal may be reported
    /// before its server, because that report waits for the server's capabilities.
    ///
    /// - Parameter receive: Its unique name, and what is known about it; nil: none. Popup ids of an earlier server are
    ///   invalid on it.
    package func followServers(
        _ receive: @escaping @Sendable ((owner: BusName, information: Information)?) async -> Void
    ) async throws(DBusError) {
        for await change in try await bus.nameOwnerChanges(of: FreedesktopNotifications.busName) {
            await serve(change.new, receive)
        }
    }

    /// The globally unique id of this session's bus. Unique names are never reused on one bus.
    package var busID: String {
        get async throws(DBusError) { try await Proxy(bus, .bus, BusInterface.path).call(BusInterface.getID) }
    }

    /// Shows a notification. A server that is stopped, or busy, shows it when it reads again, so this returns only with
    /// the reply, or at cancellation.
    ///
    /// - Parameters:
    ///   - replaced: The id of the popup to replace; 0 for a new popup.
    ///   - owner: The server's unique name. An id of one server may identify another program's popup on the next
    ///     server.
    /// - Returns: The id of the popup, for signals, replacing and closing.
    package func notify(
        _ notification: DesktopNotification,
        replacing replaced: UInt32 = 0,
        on owner: BusName
    ) async throws(DBusError) -> UInt32 {
        try await proxy(owner).call(
            FreedesktopNotifications.notify,
            notification.appName,
            replaced,
            notification.appIcon,
            notification.summary,
            notification.body,
            notification.actionList,
            notification.hints,
            notification.expireTimeout,
            timeout: nil,
            autoStart: false
        )
    }

    /// Closes a popup. Errors are ignored: servers answer differently if the popup is already closed.
    package func close(_ id: UInt32, on owner: BusName) async {
        do {
            try await proxy(owner).call(
                FreedesktopNotifications.closeNotification,
                id,
                timeout: Self.deadline,
                autoStart: false
            )
        } catch {
            logger.debug("popup not closed", metadata: ["id": "\(id)", "error": "\(error)"])
        }
    }

    /// Whether no server owns the name at this moment.
    package var isMissing: Bool {
        get async { (try? await bus.nameOwner(of: FreedesktopNotifications.busName)) == .some(nil) }
    }

    /// Whether the server with this unique name has exited.
    package func hasExited(_ owner: BusName) async -> Bool { (try? await bus.nameOwner(of: owner)) == .some(nil) }

    /// Asks the bus to start a server, if one is installed as a D-Bus service. `run` reports it when it appears.
    package func start() async {
        do {
            try await Proxy(bus, FreedesktopNotifications.busName, FreedesktopNotifications.path)
                .call(PeerInterface.ping, timeout: Self.deadline)
        } catch {
            logger.debug("cannot start a notification server", metadata: ["error": "\(error)"])
        }
    }

    private func proxy(_ owner: BusName) -> Proxy { Proxy(bus, owner, FreedesktopNotifications.path) }

    private func serve(
        _ owner: BusName?,
        _ receive: @Sendable ((owner: BusName, information: Information)?) async -> Void
    ) async {
        guard let owner else {
            logger.notice("no notification server")
            return await receive(nil)
        }
        let information = await information(of: owner)
        logger.notice(
            "notification server",
            metadata: ["name": "\(information.name)", "version": "\(information.version)", "owner": "\(owner)"]
        )
        await receive((owner, information))
    }

    /// Name, version and capabilities of a server; ``Information/unknown`` if it does not answer.
    ///
    /// - Parameter timeout: For each call.
    package func information(of owner: BusName, timeout: Duration = Self.deadline) async -> Information {
        let proxy = proxy(owner)
        do {
            let capabilities = try await proxy.call(
                FreedesktopNotifications.getCapabilities,
                timeout: timeout,
                autoStart: false
            )
            let (name, vendor, version, _) = FreedesktopNotifications.ordered(
                try await proxy.call(
                    FreedesktopNotifications.getServerInformation,
                    timeout: timeout,
                    autoStart: false
                )
            )
            return Information(
                name: name,
                vendor: vendor,
                version: version,
                capabilities: Set(capabilities),
                closed: name == "dunst" ? await history(proxy) : nil,
                broadcaster: name == "gnome-shell" ? try await bus.nameOwner(of: Self.shell) : nil
            )
        } catch {
            logger.warning("the notification server does not report its capabilities", metadata: ["error": "\(error)"])
            return .unknown
        }
    }

    /// The ids in dunst's history of closed popups; nil if it does not answer.
    private func history(_ proxy: Proxy) async -> Set<UInt32>? {
        guard let entries = try? await proxy.call(Dunst.listHistory, timeout: Self.deadline, autoStart: false)
        else { return nil }
        return Set(
            entries.compactMap { entry in (try? entry.value("id", as: Int32.self)).flatMap { UInt32(exactly: $0) } }
        )
    }
}
