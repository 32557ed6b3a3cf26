import AgentInterface
import DBus

/// The bus of the agent: a notification server that answers at once, and an observer.
struct Desktop: Sendable {
    /// The maximum number of open popups; beyond it the oldest one expires, as on a real desktop.
    private static let openPopups = 3
    /// `NotificationClosed`: the popup expired.
    private static let expired: UInt32 = 1

    let bus: Bus
    /// Each `Notify`, in order.
    let popups: AsyncStream<Popup>
    private let shown: ShownPopups

    /// A popup, when its `Notify` arrived here.
    struct Popup: Sendable {
        var time: ContinuousClock.Instant
        var application: String
    }

    /// How many popups there were so far.
    var popupCount: Int { get async { Int(await shown.last) } }

    /// Runs `body` beside a notification server.
    static func with<Result: Sendable>(_ body: (Desktop) async throws -> Result) async throws -> Result {
        let bus = try await Bus.connect(to: .session)
        let (popups, arrivals) = AsyncStream<Popup>.makeStream()
        let shown = ShownPopups()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            // Between a message and its handler no thread changes: their waits are not the agent's.
            group.addTask(executorPreference: LoopTaskExecutor(bus.loop)) { try await bus.run() }
            try await bus.export(server(on: bus, shown, arrivals))
            guard try await bus.requestName(FreedesktopNotifications.busName).isOwner else {
                throw Child.Failure(description: "this is no bus of its own; use packaging/benchmark")
            }
            let result = try await body(Desktop(bus: bus, popups: popups, shown: shown))
            await bus.close()
            try await group.waitForAll()
            return result
        }
    }

    private static func server(
        on bus: Bus,
        _ shown: ShownPopups,
        _ arrivals: AsyncStream<Popup>.Continuation
    ) -> ExportedObject {
        var object = ExportedObject(FreedesktopNotifications.path)
        object.handle(FreedesktopNotifications.getCapabilities) { ["body", "body-markup", "actions"] }
        object.handle(FreedesktopNotifications.getServerInformation) { ("benchmark", "Feedbell", "1", "1.2") }
        object.handle(FreedesktopNotifications.closeNotification) { _ in }
        object.handleCall(FreedesktopNotifications.notify) { arguments, context in
            let popup = Popup(time: .now, application: arguments.0)
            let (id, expiring) = await shown.add(of: context.sender)
            if let expiring {
                let closed = FreedesktopNotifications.notificationClosed
                let path = FreedesktopNotifications.path
                // As with dunst and GNOME, only the connection that posted the popup gets it.
                try await bus.emit(closed, expiring.id, expired, from: path, to: expiring.owner)
            }
            arrivals.yield(popup)
            return id
        }
        return object
    }

    private actor ShownPopups {
        private(set) var last: UInt32 = 0
        private var open: [(id: UInt32, owner: BusName?)] = []

        /// - Returns: The id of the new popup, and the popup that expires.
        func add(of owner: BusName?) -> (id: UInt32, expiring: (id: UInt32, owner: BusName?)?) {
            last += 1
            open.append((last, owner))
            return (last, open.count > openPopups ? open.removeFirst() : nil)
        }
    }

    /// Begins to look out for an agent, which is to be started after this has returned.
    func watchAgent() async throws -> AgentWatch {
        AgentWatch(
            owners: try await bus.nameOwnerChanges(of: AgentNames.busName),
            changes: try await account.propertyChanges(),
            account: account
        )
    }

    /// The agent's one account.
    var account: Proxy { proxy(of: AgentProgram.account) }

    func proxy(of account: String) -> Proxy { Proxy(bus, AgentNames.busName, AgentNames.accountPath(account)) }
}

/// Runs tasks on the loop of a bus.
private final class LoopTaskExecutor: TaskExecutor {
    private let loop: any BusLoop

    init(_ loop: any BusLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        loop.enqueue(.task(UnownedJob(job), asUnownedTaskExecutor()))
    }
}

/// Sees an agent appear.
struct AgentWatch {
    let owners: AsyncStream<NameOwnerChange>
    let changes: AsyncStream<Message>
    let account: Proxy

    /// When the agent owned its name, and when its account was online. For one agent.
    ///
    /// - Throws: ``Child/Failure`` if it is not online after a minute.
    func appearance() async throws -> Appearance {
        try await withThrowingTaskGroup(of: Appearance?.self) { group in
            group.addTask { try await waitForAppearance() }
            group.addTask {
                try await Task.sleep(for: .seconds(60))
                return nil
            }
            defer { group.cancelAll() }
            guard let appearance = try await group.next() ?? nil else {
                throw Child.Failure(description: "the agent was not online after a minute")
            }
            return appearance
        }
    }

    struct Appearance {
        var named: ContinuousClock.Instant
        var online: ContinuousClock.Instant
    }

    private func waitForAppearance() async throws -> Appearance {
        for await change in owners where change.new != nil { break }
        let named = ContinuousClock.now
        // The account's object may come a little after the name.
        if let state = try? await account.get(AgentAccount.state, autoStart: false), state == Self.online {
            return Appearance(named: named, online: .now)
        }
        for await message in changes {
            let values = try PropertyValues<AgentAccount>(changedIn: message)
            if try values?.value(AgentAccount.state) == Self.online { return Appearance(named: named, online: .now) }
        }
        throw Child.Failure(description: "the agent did not connect")
    }

    /// The value of `State` for a connected account.
    static let online = "online"
}
