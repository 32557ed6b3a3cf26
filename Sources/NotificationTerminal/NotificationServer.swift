package import DBus

/// A notification server without a desktop: it answers `org.freedesktop.Notifications`, draws popups as text, and somebody (a person at a
/// terminal, or a test) clicks by calling a method.
///
/// It is on duty in ``serving(_:)``, ``run()`` or ``serveTerminal(bus:capabilities:drawing:lines:output:)``, beside the connection's own
/// `run()`. It takes the name only when nobody owns it.
package actor NotificationServer {
    /// What it offers unless told otherwise.
    package static let defaultCapabilities = ["actions", "body", "body-markup", "persistence"]

    /// Every `Notify` call, in order; also one that was refused, with the id 0.
    package private(set) var calls: [RecordedNotification] = []
    /// The ids that `CloseNotification` was called with, in order.
    package private(set) var closeCalls: [UInt32] = []
    /// Every accepted `Notify` call as it happens. For one reader.
    package nonisolated let notifications: AsyncStream<RecordedNotification>

    private let bus: Bus
    private let clock: any Clock<Duration>
    private let capabilities: [String]
    private let capacity: Int?
    private let drawing: PopupDrawing
    private let tokens: @Sendable () -> String
    private let output: @Sendable (String) -> Void
    private var board: PopupBoard
    private let recorded: AsyncStream<RecordedNotification>.Continuation
    private let timers: AsyncStream<(PopupBoard.Timer, Duration)>
    private let timersInput: AsyncStream<(PopupBoard.Timer, Duration)>.Continuation

    /// A server on `bus`, not yet on duty.
    /// - Parameters:
    ///   - capabilities: what `GetCapabilities` answers.
    ///   - capacity: how many popups can be open; further ones are refused, as by notification-daemon; `nil`: any number.
    ///   - defaultTimeout: how long a popup stays that leaves it to the server; `nil`: until it is closed.
    ///   - keepsInvoked: whether a popup stays when an action is chosen, until it is closed.
    ///   - clock: for expiry.
    ///   - tokens: makes the activation token of a click.
    ///   - output: gets text for people, one or more lines at a time.
    package init(
        bus: Bus,
        capabilities: [String] = NotificationServer.defaultCapabilities,
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
        (notifications, recorded) = AsyncStream.makeStream()
        (timers, timersInput) = AsyncStream.makeStream()
    }

    // MARK: On duty

    /// Owns the name while `body` runs, then gives it back. Once.
    /// - Throws: `AddressInUse` when another server owns the name; it is left alone.
    package nonisolated func serving<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await begin()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.keepTime() }
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            group.cancelAll()
            await end()
            return try result.get()
        }
    }

    /// Owns the name until the task is cancelled.
    /// - Throws: as ``serving(_:)``.
    package nonisolated func run() async throws {
        try await serving { await forever() }
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
            let owner = try await bus.nameOwner(of: name)?.text ?? "somebody else"
            throw DBusError(
                "org.freedesktop.DBus.Error.AddressInUse",
                "Another notification server (\(owner)) owns \(name); it is not replaced. End it, or use a bus of your own."
            )
        }
        output("Showing notifications here. Type “help” for what can be done.")
    }

    private func end() async {
        _ = try? await bus.releaseName(FreedesktopNotifications.busName)
        await bus.unexport(FreedesktopNotifications.path)
        recorded.finish()
    }

    private func keepTime() async {
        await withDiscardingTaskGroup { group in
            for await (timer, delay) in timers {
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

    // MARK: What programs do

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
            recorded.yield(call)
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

    // MARK: What the user does

    /// The open popups, the oldest first.
    package var popups: [Popup] { board.popups }

    /// Chooses an action. The token is sent before it; `nil`: none is sent, as many servers do.
    /// - Throws: `InvalidArgs` when no such popup is open, or it has no such action.
    package func invoke(id: UInt32, action key: String = "default", token: String? = nil) async throws(DBusError) {
        await perform(try board.invoke(id, key: key, token: token))
    }

    /// Takes a popup away.
    /// - Throws: `InvalidArgs` when no such popup is open.
    package func dismiss(id: UInt32) async throws(DBusError) { await perform(try board.dismiss(id)) }

    /// Ends a popup's time. Nothing happens when it is not open.
    package func expire(id: UInt32) async { await perform(board.expire(id)) }

    // MARK: Effects

    private func perform(_ effects: [PopupBoard.Effect]) async {
        for effect in effects {
            switch effect {
            case .show(let popup):
                output(drawing.lines(popup).joined(separator: "\n"))
            case .closed(let id, let reason):
                output("Popup \(id) is gone (\(reason.sentence)).")
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
                output("Popup \(id): “\(PlainText.visible(key))” was chosen.")
                try? await bus.emit(
                    FreedesktopNotifications.actionInvoked,
                    id,
                    key,
                    from: FreedesktopNotifications.path
                )
            case .startTimer(let timer, let delay):
                timersInput.yield((timer, delay))
            }
        }
    }

    // MARK: A person at a terminal

    /// Serves a person: popups and answers go to `output`, what is typed comes from `lines`.
    ///
    /// Ends with `quit`, or when the task is cancelled. The end of the input ends nothing: popups are shown on.
    /// - Throws: as ``serving(_:)``, and what `lines` throws.
    package static func serveTerminal<Lines: AsyncSequence>(
        bus: Bus,
        capabilities: [String] = NotificationServer.defaultCapabilities,
        drawing: PopupDrawing = PopupDrawing(),
        lines: Lines,
        output: @escaping @Sendable (String) -> Void
    ) async throws where Lines.Element == String {
        let server = NotificationServer(bus: bus, capabilities: capabilities, drawing: drawing, output: output)
        try await server.serving {
            for try await line in lines {
                if try await server.obey(line) == .quit { return }
            }
            await forever()
        }
    }

    /// Does what a line says, or says why not. Returns the command.
    @discardableResult
    package func obey(_ line: String) async throws -> TerminalCommand? {
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

    /// Button `number`, or for 0 the popup itself.
    private func choose(_ id: UInt32, _ number: Int) async throws {
        guard let popup = board.popup(id) else { return output("No popup \(id) is open.") }
        if number == 0 {
            guard popup.actions.contains(where: { $0.key == "default" }) else {
                return output(
                    "A click on popup \(id) does nothing; \(popup.actions.isEmpty ? "it has no buttons" : "try its buttons")."
                )
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
        case .expired: "its time was over"
        case .dismissed: "dismissed"
        case .closedByCall: "closed by its program"
        case .undefined: "no reason given"
        }
    }
}

/// Returns when the task is cancelled.
private func forever() async {
    let (never, _) = AsyncStream.makeStream(of: Never.self)
    for await _ in never {}
}
