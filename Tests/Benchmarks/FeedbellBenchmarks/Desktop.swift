import AgentInterface
import DBus

/// The bus of the agent: a notification server that answers at once, and an observer.
struct Desktop: Sendable {
    /// So many popups are open at once; of more the oldest expires, as on a real desktop.
    private static let openPopups: UInt32 = 3
    /// `NotificationClosed`: the popup expired.
    private static let expired: UInt32 = 1

    let bus: Bus
    /// When each `Notify` arrived here, in order.
    let popups: AsyncStream<ContinuousClock.Instant>
    private let ids: Counter

    /// How many popups there were so far.
    var popupCount: Int { get async { Int(await ids.last) } }

    /// Runs `body` beside a notification server.
    static func with<Result: Sendable>(_ body: (Desktop) async throws -> Result) async throws -> Result {
        let bus = try await Bus.connect(to: .session)
        let (popups, arrivals) = AsyncStream<ContinuousClock.Instant>.makeStream()
        let ids = Counter()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await bus.run() }
            try await bus.export(server(on: bus, ids, arrivals))
            guard try await bus.requestName(FreedesktopNotifications.busName).isOwner else {
                throw Child.Failure(description: "this is no bus of its own; use packaging/benchmark")
            }
            let result = try await body(Desktop(bus: bus, popups: popups, ids: ids))
            await bus.close()
            try await group.waitForAll()
            return result
        }
    }

    private static func server(
        on bus: Bus,
        _ ids: Counter,
        _ arrivals: AsyncStream<ContinuousClock.Instant>.Continuation
    ) -> ExportedObject {
        var object = ExportedObject(FreedesktopNotifications.path)
        object.handle(FreedesktopNotifications.getCapabilities) { ["body", "body-markup", "actions"] }
        object.handle(FreedesktopNotifications.getServerInformation) { ("benchmark", "Feedbell", "1", "1.2") }
        object.handle(FreedesktopNotifications.closeNotification) { _ in }
        object.handle(FreedesktopNotifications.notify) { _ in
            let now = ContinuousClock.now
            let id = await ids.next()
            if id > openPopups {
                let closed = FreedesktopNotifications.notificationClosed
                try await bus.emit(closed, id - openPopups, expired, from: FreedesktopNotifications.path)
            }
            arrivals.yield(now)
            return id
        }
        return object
    }

    private actor Counter {
        private(set) var last: UInt32 = 0

        func next() -> UInt32 {
            last += 1
            return last
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
    var account: Proxy { Proxy(bus, AgentNames.busName, AgentNames.accountPath(AgentProgram.account)) }
}

/// Sees an agent appear.
struct AgentWatch {
    let owners: AsyncStream<NameOwnerChange>
    let changes: AsyncStream<Message>
    let account: Proxy

    /// When the agent owned its name, and when its account was online. For one agent.
    func appearance() async throws -> (named: ContinuousClock.Instant, online: ContinuousClock.Instant) {
        for await change in owners where change.new != nil { break }
        let named = ContinuousClock.now
        // The account's object may come a little after the name.
        if let state = try? await account.get(AgentAccount.state, autoStart: false), state == Self.online {
            return (named, .now)
        }
        for await message in changes {
            let values = try PropertyValues<AgentAccount>(changedIn: message)
            if try values?.value(AgentAccount.state) == Self.online { return (named, .now) }
        }
        throw Child.Failure(description: "the agent did not connect")
    }

    /// The value of `State` for a connected account.
    private static let online = "online"
}
