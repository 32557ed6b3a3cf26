package import Basics
package import DBus

/// A notification server without a desktop: it implements `org.freedesktop.Notifications` and draws popups as text. A
/// user at a terminal, or a test, clicks by calling a method.
///
/// The server serves during ``serving(_:)``, ``run()`` or ``serveTerminal(bus:capabilities:drawing:lines:output:)``;
/// the connection's `run()` must run, too. It requests the name only if the name has no owner.
package actor TerminalServer {
    /// The default capabilities.
    package static let defaultCapabilities = ["actions", "body", "body-markup", "persistence"]

    /// Every `Notify` call, in order; also rejected ones, with the id 0.
    package private(set) var calls: [RecordedNotification] = []
    /// The ids that `CloseNotification` was called with, in order.
    package private(set) var closeCalls: [UInt32] = []
    /// Every accepted `Notify` call when it arrives. For one reader.
    package nonisolated var notifications: Mailbox<RecordedNotification>.Messages { accepted.messages }

    private let bus: Bus
    private let clock: any Clock<Duration>
    private let capabilities: [String]
    private let capacity: Int?
    private let drawing: PopupDrawing
    private let tokens: @Sendable () -> String
    private let output: @Sendable (String) -> Void
    private var board: PopupBoard
    private let accepted = Mailbox<RecordedNotification>()
    private let timers = Mailbox<(PopupBoard.Timer, Duration)>()

    /// A server on `bus` that does not serve yet.
    /// - Parameters:
    ///   - capabilities: The result of `GetCapabilities`.
    ///   - capacity: The maximum number of open popups; further ones are rejected, as notification-daemon does; `nil`:
    ///     no limit.
    ///   - defaultTimeout: The timeout of popups with `expire_timeout` -1; `nil`: they stay until they are closed.
    ///   - keepsInvoked: Whether a popup stays open after an action, until it is closed.
    ///   - clock: Measures timeouts.
    ///   - tokens: Generates the activation token of a click.
    ///   - output: Called with text for the user, one or more lines at a time.
    package init(
        bus: Bus,
        capabilities: [String] = TerminalServer.defaultCapabilities,
        capacity: Int? = nil,
        defaultTimeout: Duration? = nil,
        keepsInvoked: Bool = false,
        drawing: PopupDrawing = PopupDrawing(),
        clock: any Clock<Duration> = ContinuousClock(),
        tokens: @escaping @Sendable () -> String = { "token-\(UInt32.random(in: 1 ... .max))" },
        output: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.bus = bus
        self.capabilities = capabilities
        self.capacity = capacity
        self.drawing = drawing
        self.clock = clock
        self.tokens = tokens
        self.output = output
        board = PopupBoard(defaultTimeout: defaultTimeout, keepsInvoked: keepsInvoked)
    }

    // MARK: Serving

    /// Owns the name while `body` runs, then releases it. Call it once.
    /// - Throws: `AddressInUse` if another server owns the name.
    package nonisolated func serving<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await begin()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.runTimers() }
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            group.cancelAll()
            await end()
            return try result.get()
        }
    }

    /// Owns the name until the task is cancelled.
    /// - Throws: As ``serving(_:)``.
    package nonisolated func run() async throws {
        try await serving { await Completion().wait() }
    }

    private func begin() async throws(DBusError) {
        let name = FreedesktopNotifications.busName
        try await bus.export(object())
        let reply: NameReply
        do throws(DBusError) {
            reply = try await bus.requestName(name, flags: [.doNotQueue])
        } catch {
            await bus.unexport(FreedesktopNotifications.path)
            throw error
        }
        guard reply.isOwner else {
            await bus.unexport(FreedesktopNotifications.path)
            let owner = try await bus.nameOwner(of: name)?.text ?? "unknown"
            throw DBusError(
                "org.freedesktop.DBus.Error.AddressInUse",
                "Another notification server (\(owner)) owns \(name). Stop it, or use a private bus."
            )
        }
        output("Notifications appear here. Type “help” for a list of commands.")
    }

    private func end() async {
        _ = try? await bus.releaseName(FreedesktopNotifications.busName)
        await bus.unexport(FreedesktopNotifications.path)
        accepted.close()
    }

    private func runTimers() async {
        await withDiscardingTaskGroup { group in
            for await (timer, delay) in timers.messages {
                group.addTask { [clock] in
                    guard (try? await clock.sleep(for: delay)) != nil else { return }
                    await self.fired(timer)
                }
            }
            group.cancelAll()
        }
    }

    private func fired(_ timer: PopupBoard.Timer) async { await perform(board.timerFired(timer)) }

    private func object() -> ExportedObject {
        var object = ExportedObject(FreedesktopNotifications.path)
        object.handle(FreedesktopNotifications.notify) {
            appName,
            replacesID,
            appIcon,
            summary,
            body,
            actions,
            hints,
            expireTimeout in
            try await self.notify(
                RecordedNotification(
                    appName: appName,
                    replacesID: replacesID,
                    appIcon: appIcon,
                    summary: summary,
                    body: body,
                    actions: actions,
                    hints: hints,
                    expireTimeout: expireTimeout
                )
            )
        }
        object.handle(FreedesktopNotifications.closeNotification) { id in try await self.close(id) }
        object.handle(FreedesktopNotifications.getCapabilities) { [capabilities] in capabilities }
        object.handle(FreedesktopNotifications.getServerInformation) {
            ("Feedbell Terminal", "feedbell.org", "1.0", "1.3")
        }
        return object
    }

    // MARK: Calls of programs

    private static let isFull = DBusError(
        "org.freedesktop.Notifications.MaxNotificationsExceeded",
        "Exceeded maximum number of notifications"
    )

    private func notify(_ call: RecordedNotification) async throws(DBusError) -> UInt32 {
        var call = call
        do throws(DBusError) {
            let effects: [PopupBoard.Effect]
            if let capacity, board.popups.count >= capacity, board.popup(call.replacesID) == nil {
                throw Self.isFull
            }
            (call.id, effects) = try board.notify(call)
            calls.append(call)
            accepted.send(call)
            await perform(effects)
            return call.id
        } catch {
            calls.append(call)
            throw error
        }
    }

    private func close(_ id: UInt32) async throws(DBusError) {
        closeCalls.append(id)
        await perform(try board.close(id))
    }

    // MARK: Actions of the user

    /// The open popups, the oldest first.
    package var popups: [TerminalPopup] { board.popups }

    /// Chooses an action. The token is sent before it; `nil` sends none, like many servers.
    /// - Throws: `InvalidArgs` if no such popup is open or it has no such action.
    package func invoke(id: UInt32, action key: String = "default", token: String? = nil) async throws(DBusError) {
        await perform(try board.invoke(id, key: key, token: token))
    }

    /// Dismisses a popup.
    /// - Throws: `InvalidArgs` if no such popup is open.
    package func dismiss(id: UInt32) async throws(DBusError) { await perform(try board.dismiss(id)) }

    /// Expires a popup. Does nothing if it is not open.
    package func expire(id: UInt32) async { await perform(board.expire(id)) }

    // MARK: Effects

    private func perform(_ effects: [PopupBoard.Effect]) async {
        for effect in effects {
            switch effect {
            case .show(let popup):
                output(drawing.lines(popup).joined(separator: "\n"))
            case .closed(let id, let reason):
                output("Popup \(id) closed (\(reason.sentence)).")
                try? await bus.emit(
                    FreedesktopNotifications.notificationClosed,
                    id,
                    reason.rawValue,
                    from: FreedesktopNotifications.path
                )
            case .invoked(let id, let key, let token):
                if let token {
                    try? await bus.emit(
                        FreedesktopNotifications.activationToken,
                        id,
                        token,
                        from: FreedesktopNotifications.path
                    )
                }
                output("Popup \(id): “\(TerminalText.visible(key))” was chosen.")
                try? await bus.emit(
                    FreedesktopNotifications.actionInvoked,
                    id,
                    key,
                    from: FreedesktopNotifications.path
                )
            case .startTimer(let timer, let delay):
                timers.send((timer, delay))
            }
        }
    }

    // MARK: Terminal

    /// Serves a user at a terminal: popups and replies go to `output`, commands come from `lines`.
    ///
    /// Returns after `quit`, or when the task is cancelled. After the end of the input, popups are still shown.
    /// - Throws: As ``serving(_:)``, and errors of `lines`.
    package static func serveTerminal<Lines: AsyncSequence>(
        bus: Bus,
        capabilities: [String] = TerminalServer.defaultCapabilities,
        drawing: PopupDrawing = PopupDrawing(),
        lines: Lines,
        output: @escaping @Sendable (String) -> Void
    ) async throws where Lines.Element == String {
        let server = TerminalServer(bus: bus, capabilities: capabilities, drawing: drawing, output: output)
        try await server.serving {
            for try await line in lines {
                if try await server.execute(line) == .quit { return }
            }
            await Completion().wait()
        }
    }

    /// Executes a command line, or prints an error. Returns the command.
    @discardableResult
    package func execute(_ line: String) async throws -> TerminalCommand? {
        do {
            guard let command = try TerminalCommand.parse(line) else { return nil }
            switch command {
            case .click(let id): try await choose(id, 0)
            case .button(let id, let number): try await choose(id, number)
            case .dismiss(let id): try await dismiss(id: id)
            case .list:
                output(popups.isEmpty ? "No popup is open." : popups.map(drawing.summary).joined(separator: "\n"))
            case .help: output(TerminalCommand.manual)
            case .quit: break
            }
            return command
        } catch let error as TerminalCommand.Misunderstood {
            output(error.sentence)
        } catch let error as DBusError {
            output(error.message)
        }
        return nil
    }

    /// Chooses button `number`, or for 0 the popup itself.
    private func choose(_ id: UInt32, _ number: Int) async throws {
        guard let popup = board.popup(id) else { return output("No popup \(id) is open.") }
        if number == 0 {
            guard popup.actions.contains(where: { $0.key == "default" }) else {
                let advice = popup.actions.isEmpty ? " and no buttons" : "; use its buttons"
                return output("Popup \(id) has no default action\(advice).")
            }
            return try await invoke(id: id, token: tokens())
        }
        guard popup.actions.indices.contains(number - 1) else { return output("Popup \(id) has no button \(number).") }
        try await invoke(id: id, action: popup.actions[number - 1].key, token: tokens())
    }
}

extension PopupBoard.CloseReason {
    fileprivate var sentence: String {
        switch self {
        case .expired: "expired"
        case .dismissed: "dismissed"
        case .closedByCall: "by its program"
        case .undefined: "reason unknown"
        }
    }
}
