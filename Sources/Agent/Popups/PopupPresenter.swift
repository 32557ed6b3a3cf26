import Basics
import DBus
import Desktop
package import Inbox
import Logging
import Store

/// Runs the `Popups` state machine: performs its effects (popups, storage, timers) and sends it the events of the
/// notification server.
package struct PopupPresenter: Sendable {
    /// What the agent has to do for the user's actions and the state machine's requests.
    package enum Response: Sendable, Equatable {
        /// A click: open the link, if there is one, and mark the notification as interacted.
        case activated(NotificationReference, OpenableURL?, token: String?)
        case seen([NotificationReference])
        /// Withdraw the popups of those that are now read, archived or deleted.
        case revalidate([NotificationReference])
        /// Whether popups wait because the server rejects more.
        case serverIsFull(Bool)
    }

    private struct Call: Sendable {
        enum Method: Sendable {
            case notify(Popups.Request, Popup, replacing: UInt32)
            case close(UInt32)
        }
        /// The server to call.
        var server: String
        /// Whether that server's capabilities are known.
        var isKnown: Bool
        var method: Method
    }

    private struct Input: Sendable {
        var event: Popups.Event
        /// Finished when the effects of the event are stored.
        var isKept: Completion?
    }

    /// The time that the session's own server has to start before D-Bus activation: an early activation at login could
    /// start another server.
    package static let graceAtStart = Duration.seconds(10)

    private let server: NotificationServer
    private let memory: PopupMemory
    private let environment: AgentEnvironment
    private let logger: Logger
    private let current = CurrentServer()
    private let events = Mailbox<Input>()

    init(server: NotificationServer, memory: PopupMemory, environment: AgentEnvironment, logger: Logger) {
        self.server = server
        self.memory = memory
        self.environment = environment
        self.logger = logger
    }

    /// Queues an event. Returns at once.
    package func post(_ event: Popups.Event) { events.send(Input(event: event)) }

    /// Subscribes to the servers' signals. ``run(_:policy:_:)`` handles clicks since then.
    func subscribe() async throws(DBusError) -> NotificationServer.Subscription { try await server.subscribe() }

    /// Shows popups until the task is cancelled or the bus connection ends.
    func run(
        _ subscription: NotificationServer.Subscription,
        policy: PopupPolicy,
        _ respond: @escaping @Sendable (Response) async -> Void
    ) async throws {
        let calls = Mailbox<Call>()
        let serverRequests = Mailbox<Void>(.bufferingNewest(1))
        let timers: [Popups.Timer: RestartableTimer] = [
            .catchUp: RestartableTimer(), .burst: RestartableTimer(), .expiry: RestartableTimer(),
            .full: RestartableTimer(),
        ]
        let bus = try await server.busID
        var popups = Popups(policy: policy)
        let (marks, open) = await memory.load()
        _ = popups.receive(.restored(marks, open))
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await server.run(subscription) { post($0, on: bus) } }
            group.addTask { for await call in calls.messages { await perform(call, on: bus) } }
            group.addTask { await startServers(serverRequests) }
            for (id, timer) in timers {
                group.addTask {
                    await timer.run(clock: environment.clock) { post(.fired(id, now: environment.now())) }
                }
            }
            group.addTask { [popups] in await decide(popups, timers, calls, serverRequests, respond) }
        }
    }

    private func decide(
        _ machine: Popups,
        _ timers: [Popups.Timer: RestartableTimer],
        _ calls: Mailbox<Call>,
        _ serverRequests: Mailbox<Void>,
        _ respond: @escaping @Sendable (Response) async -> Void
    ) async {
        var popups = machine
        await withDiscardingTaskGroup { group in
            for await input in events.messages {
                let effects = popups.receive(input.event)
                let (server, isKnown) = (popups.server ?? "", popups.features.isKnown)
                current.set(server)
                var responses: [Response] = []
                var newCalls: [Call] = []
                for effect in effects {
                    switch effect {
                    case .notify(let request, let popup, let replaced):
                        let method = Call.Method.notify(request, popup, replacing: replaced)
                        newCalls.append(Call(server: server, isKnown: isKnown, method: method))
                    case .serverIsFull(let isFull):
                        if isFull { logger.warning("popups wait: the notification server rejects more of them") }
                        await respond(.serverIsFull(isFull))
                    case .needServer: serverRequests.send()
                    case .wait(let timer, let delay): await timers[timer]?.set(after: delay)
                    case .activated(let reference, let url, let token):
                        responses.append(.activated(reference, url, token: token))
                    case .seen(let references): responses.append(.seen(references))
                    case .revalidate(let references): responses.append(.revalidate(references))
                    case .close, .delivered, .keep, .forget, .forgetServers: break
                    }
                }
                let (ends, others) = (effects.filter(\.endsPopups), effects.filter { !$0.endsPopups })
                // If the server accepts no more popups, close old ones first.
                let makesRoom = responses.isEmpty && !ends.isEmpty
                if !makesRoom { for call in newCalls { calls.send(call) } }
                await memory.keep(others)
                input.isKept?.finish()
                // Store the user's action before the popup is closed: an open popup can be clicked again.
                if responses.isEmpty {
                    await end(ends, on: server, calls)
                    if makesRoom { for call in newCalls { calls.send(call) } }
                } else {
                    group.addTask { [responses] in
                        for response in responses { await respond(response) }
                        await end(ends, on: server, calls)
                    }
                }
            }
        }
    }

    private func end(
        _ ends: [Popups.Effect],
        on server: String,
        _ calls: Mailbox<Call>
    ) async {
        await memory.keep(ends)
        for case .close(let id) in ends { calls.send(Call(server: server, isKnown: true, method: .close(id))) }
    }

    private func post(_ event: NotificationServer.Event, on bus: String) {
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
            let (closed, now) = (information.closed, environment.now())
            post(.serverAppeared(server: name(owner), features, closed: closed, alias: alias, now: now))
        case .vanished: post(.serverVanished)
        case .activationToken(let owner, let id, let token):
            post(.activationToken(server: name(owner), id: id, token: token))
        case .actionInvoked(let owner, let id, let key): post(.actionInvoked(server: name(owner), id: id, key: key))
        case .closed(let owner, let id, let reason): post(.closed(server: name(owner), id: id, reason: reason))
        }
    }

    /// The timeout for another request for unknown capabilities, before each popup.
    private static let informationTimeout = Duration.seconds(2)

    /// Calls are performed one at a time, so that popups appear in order, and each after the previous one is stored: if
    /// the agent is killed, at most one popup is shown twice.
    private func perform(_ call: Call, on bus: String) async {
        // The next server shows the popups of one that has exited.
        guard current.isCurrent(call.server), let owner = call.server.split(separator: " ").last,
            let owner = try? BusName(String(owner))
        else { return }
        switch call.method {
        case .close(let id):
            await server.close(id, on: owner)
        case .notify(let request, let popup, let replaced):
            if !call.isKnown {
                let information = await server.information(of: owner, timeout: Self.informationTimeout)
                if information.isKnown {
                    post(.appeared(owner: owner, information), on: bus)
                    return post(.unsent(request, now: environment.now()))
                }
            }
            do {
                let id = try await server.notify(DesktopNotification(popup), replacing: replaced, on: owner)
                logger.debug("popup shown", metadata: ["id": "\(id)"])
                let isKept = Completion()
                events.send(Input(event: .shown(request, id: id, now: environment.now()), isKept: isKept))
                await isKept.wait()
            } catch {
                handleRejection(of: request, by: call.server, error)
            }
        }
    }

    private func handleRejection(of request: Popups.Request, by server: String, _ error: DBusError) {
        let now = environment.now()
        if error.isMissingServer { return post(.serverLost(server)) }
        logger.warning("the notification server rejected a popup", metadata: ["error": "\(error)"])
        post(error.isFullServer ? .rejectedAsFull(request, now: now) : .failed(request, retry: false, now: now))
    }

    private func startServers(_ requests: Mailbox<Void>) async {
        guard (try? await environment.clock.sleep(for: Self.graceAtStart)) != nil else { return }
        for await _ in requests.messages where await server.isMissing { await server.start() }
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
