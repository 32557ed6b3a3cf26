import DBus
import Desktop
package import Inbox
import Logging
import Store

/// Runs the `Popups` machine: shows what it wants shown, keeps what it wants kept, and tells it what the notification server says.
package struct PopupPresenter: Sendable {
    /// What a person did to popups, and what the machine wants to know.
    package enum Response: Sendable, Equatable {
        /// Clicked: open the address, if there is one, and count the notification as interacted.
        case activated(Popups.Subject, OpenableURL?, token: String?)
        case seen([Popups.Subject])
        /// Withdraw those of them that need no popup any more.
        case revalidate([Popups.Subject])
        /// Whether popups wait because the server keeps as many as it can.
        case serverIsFull(Bool)
    }

    private struct Call: Sendable {
        enum Method: Sendable {
            case notify(Popups.Request, Popup, replacing: UInt32)
            case close(UInt32)
        }
        /// For which server it is meant.
        var server: String
        /// Whether that server has said what it can do.
        var isKnown: Bool
        var method: Method
    }

    private struct Input: Sendable {
        var event: Popups.Event
        /// To be finished when what follows from the event is kept.
        var isKept: AsyncStream<Never>.Continuation?
    }

    /// A server that comes with the session gets so long before the bus may start another one: in the login race an early
    /// start would start the wrong one (desktop-notifications.md §2.9).
    package static let graceAtStart = Duration.seconds(10)

    private let server: NotificationServer
    private let memory: PopupMemory
    private let surroundings: Surroundings
    private let logger: Logger
    private let current = CurrentServer()
    private let events: AsyncStream<Input>
    private let input: AsyncStream<Input>.Continuation

    init(server: NotificationServer, memory: PopupMemory, surroundings: Surroundings, logger: Logger) {
        self.server = server
        self.memory = memory
        self.surroundings = surroundings
        self.logger = logger
        (events, input) = AsyncStream.makeStream()
    }

    /// Takes note of something that concerns popups. Returns at once.
    package func post(_ event: Popups.Event) { input.yield(Input(event: event)) }

    /// Asks for the servers' signals: a click that comes before ``run(_:policy:_:)`` is counted by it.
    func subscribe() async throws(DBusError) -> NotificationServer.Subscription { try await server.subscribe() }

    /// Shows popups until the task is cancelled or the bus is gone.
    func run(
        _ subscription: NotificationServer.Subscription,
        policy: PopupPolicy,
        _ respond: @escaping @Sendable (Response) async -> Void
    ) async throws {
        let (calls, caller) = AsyncStream<Call>.makeStream()
        let (needs, starter) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let alarms: [Popups.Timer: RestartableTimer] = [
            .settled: RestartableTimer(), .burst: RestartableTimer(), .expiry: RestartableTimer(),
            .full: RestartableTimer(),
        ]
        let bus = try await server.busID
        var popups = Popups(policy: policy)
        let (marks, open) = await memory.recall()
        _ = popups.receive(.restored(marks, open))
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await server.run(subscription) { note($0, on: bus) } }
            group.addTask { for await call in calls { await perform(call, on: bus) } }
            group.addTask { await startServers(needs) }
            for (timer, alarm) in alarms {
                group.addTask {
                    await alarm.run(clock: surroundings.clock) { post(.fired(timer, now: surroundings.now())) }
                }
            }
            group.addTask { [popups] in await decide(popups, alarms, caller, starter, respond) }
        }
    }

    private func decide(
        _ machine: Popups,
        _ alarms: [Popups.Timer: RestartableTimer],
        _ caller: AsyncStream<Call>.Continuation,
        _ starter: AsyncStream<Void>.Continuation,
        _ respond: @escaping @Sendable (Response) async -> Void
    ) async {
        var popups = machine
        await withDiscardingTaskGroup { group in
            for await input in events {
                let effects = popups.receive(input.event)
                let (server, isKnown) = (popups.server ?? "", popups.features.isKnown)
                current.set(server)
                var responses: [Response] = []
                var calls: [Call] = []
                for effect in effects {
                    switch effect {
                    case .notify(let request, let popup, let replaced):
                        let method = Call.Method.notify(request, popup, replacing: replaced)
                        calls.append(Call(server: server, isKnown: isKnown, method: method))
                    case .serverIsFull(let isFull):
                        if isFull { logger.warning("popups wait: the notification server has no room for them") }
                        await respond(.serverIsFull(isFull))
                    case .needServer: starter.yield()
                    case .wait(let timer, let delay): await alarms[timer]?.set(after: delay)
                    case .activated(let subject, let url, let token):
                        responses.append(.activated(subject, url, token: token))
                    case .seen(let subjects): responses.append(.seen(subjects))
                    case .revalidate(let subjects): responses.append(.revalidate(subjects))
                    case .close, .delivered, .keep, .forget, .forgetServers: break
                    }
                }
                let (ends, others) = (effects.filter(\.endsPopups), effects.filter { !$0.endsPopups })
                // Where a server is full, popups are closed to make room for others.
                let makesRoom = responses.isEmpty && !ends.isEmpty
                if !makesRoom { for call in calls { caller.yield(call) } }
                await memory.keep(others)
                input.isKept?.finish()
                // What a person did is kept before the popup goes: one that stays can be clicked again.
                if responses.isEmpty {
                    await end(ends, on: server, caller)
                    if makesRoom { for call in calls { caller.yield(call) } }
                } else {
                    group.addTask { [responses] in
                        for response in responses { await respond(response) }
                        await end(ends, on: server, caller)
                    }
                }
            }
        }
    }

    private func end(
        _ ends: [Popups.Effect],
        on server: String,
        _ caller: AsyncStream<Call>.Continuation
    ) async {
        await memory.keep(ends)
        for case .close(let id) in ends { caller.yield(Call(server: server, isKnown: true, method: .close(id))) }
    }

    private func note(_ event: NotificationServer.Event, on bus: String) {
        func name(_ owner: BusName) -> String { "\(bus) \(owner.text)" }
        switch event {
        case .appeared(let owner, let information):
            let features = ServerFeatures(
                capabilities: information.capabilities,
                name: information.name,
                version: information.version,
                isKnown: information.isKnown
            )
            let alias = information.broadcaster.map(name)
            let (closed, now) = (information.closed, surroundings.now())
            post(.serverAppeared(server: name(owner), features, closed: closed, alias: alias, now: now))
        case .vanished: post(.serverVanished)
        case .activationToken(let owner, let id, let token):
            post(.activationToken(server: name(owner), id: id, token: token))
        case .actionInvoked(let owner, let id, let key): post(.actionInvoked(server: name(owner), id: id, key: key))
        case .closed(let owner, let id, let reason): post(.closed(server: name(owner), id: id, reason: reason))
        }
    }

    /// A server that did not say what it can do is asked again before each popup, for this time.
    private static let secondQuestion = Duration.seconds(2)

    /// One call after the other, so that popups appear in their order, and each when the one before is kept: whenever the agent is killed,
    /// at most one of them is shown twice.
    private func perform(_ call: Call, on bus: String) async {
        // What was meant for a server that is gone is shown by its successor.
        guard current.isCurrent(call.server), let owner = call.server.split(separator: " ").last,
            let owner = try? BusName(String(owner))
        else { return }
        switch call.method {
        case .close(let id):
            await server.close(id, on: owner)
        case .notify(let request, let popup, let replaced):
            if !call.isKnown {
                let information = await server.information(of: owner, timeout: Self.secondQuestion)
                if information.isKnown {
                    note(.appeared(owner: owner, information), on: bus)
                    return post(.unsent(request, now: surroundings.now()))
                }
            }
            do {
                let id = try await server.notify(DesktopNotification(popup), replacing: replaced, on: owner)
                logger.debug("popup shown", metadata: ["id": "\(id)"])
                let (kept, isKept) = AsyncStream<Never>.makeStream()
                input.yield(Input(event: .shown(request, id: id, now: surroundings.now()), isKept: isKept))
                for await _ in kept {}
            } catch {
                refused(request, by: call.server, error)
            }
        }
    }

    private func refused(_ request: Popups.Request, by server: String, _ error: DBusError) {
        let now = surroundings.now()
        if error.isMissingServer { return post(.serverLost(server)) }
        logger.warning("the notification server refused a popup", metadata: ["error": "\(error)"])
        post(error.isFullServer ? .refusedAsFull(request, now: now) : .failed(request, retry: false, now: now))
    }

    private func startServers(_ needs: AsyncStream<Void>) async {
        guard (try? await surroundings.clock.sleep(for: Self.graceAtStart)) != nil else { return }
        for await _ in needs where await server.isMissing { await server.start() }
    }
}

extension Popups.Effect {
    fileprivate var endsPopups: Bool {
        switch self {
        case .close, .forget: true
        default: false
        }
    }
}
