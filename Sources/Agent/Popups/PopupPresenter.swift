import DBus
package import Desktop
package import Inbox
package import Logging

/// Runs the `Popups` machine: shows what it wants shown, and tells it what the notification server says.
package struct PopupPresenter: Sendable {
    /// What a person did to popups.
    package enum Response: Sendable, Equatable {
        /// Clicked: open the address, if there is one, and count the notification as interacted.
        case activated(Popups.Subject, OpenableURL?, token: String?)
        case seen([Popups.Subject])
    }

    private enum Call: Sendable {
        case notify(Popups.Request, Popup)
        case close(UInt32)
    }

    /// A server that comes with the session gets so long before the bus may start another one: in the login race an early
    /// start would start the wrong one (desktop-notifications.md §2.9).
    package static let graceAtStart = Duration.seconds(10)

    private let server: NotificationServer
    private let surroundings: Surroundings
    private let logger: Logger
    private let events: AsyncStream<Popups.Event>
    private let input: AsyncStream<Popups.Event>.Continuation

    package init(server: NotificationServer, surroundings: Surroundings, logger: Logger) {
        self.server = server
        self.surroundings = surroundings
        self.logger = logger
        (events, input) = AsyncStream.makeStream()
    }

    /// Takes note of something that concerns popups. Returns at once.
    package func post(_ event: Popups.Event) { input.yield(event) }

    /// Shows popups until the task is cancelled or the bus is gone.
    package func run(policy: PopupPolicy, _ respond: @escaping @Sendable (Response) async -> Void) async throws {
        let (calls, caller) = AsyncStream<Call>.makeStream()
        let (needs, starter) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await server.run { note($0) } }
            group.addTask { for await call in calls { await perform(call) } }
            group.addTask { await startServers(needs) }
            group.addTask { await decide(Popups(policy: policy), caller, starter, respond) }
        }
    }

    private func decide(
        _ machine: Popups,
        _ caller: AsyncStream<Call>.Continuation,
        _ starter: AsyncStream<Void>.Continuation,
        _ respond: @escaping @Sendable (Response) async -> Void
    ) async {
        var popups = machine
        await withDiscardingTaskGroup { group in
            for await event in events {
                for effect in popups.receive(event) {
                    switch effect {
                    case .notify(let request, let popup): caller.yield(.notify(request, popup))
                    case .close(let id): caller.yield(.close(id))
                    case .needServer: starter.yield()
                    case .activated(let subject, let url, let token):
                        group.addTask { await respond(.activated(subject, url, token: token)) }
                    case .seen(let subjects):
                        group.addTask { await respond(.seen(subjects)) }
                    }
                }
            }
        }
    }

    private func note(_ event: NotificationServer.Event) {
        switch event {
        case .appeared(let owner, let information):
            let features = ServerFeatures(
                capabilities: information.capabilities,
                name: information.name,
                version: information.version
            )
            post(.serverAppeared(owner: owner.text, features, now: surroundings.now()))
        case .vanished: post(.serverVanished)
        case .activationToken(let owner, let id, let token):
            post(.activationToken(owner: owner.text, id: id, token: token))
        case .actionInvoked(let owner, let id, let key): post(.actionInvoked(owner: owner.text, id: id, key: key))
        case .closed(let owner, let id, let reason): post(.closed(owner: owner.text, id: id, reason: reason))
        }
    }

    /// One call after the other, so that popups appear in their order.
    private func perform(_ call: Call) async {
        switch call {
        case .close(let id):
            await server.close(id)
        case .notify(let request, let popup):
            do {
                let id = try await server.notify(DesktopNotification(popup))
                logger.debug("popup shown", metadata: ["id": "\(id)"])
                post(.shown(request, id: id, now: surroundings.now()))
            } catch {
                let isGone = error.isMissingServer
                if !isGone {
                    logger.warning("the notification server refused a popup", metadata: ["error": "\(error)"])
                }
                post(.failed(request, retry: isGone, now: surroundings.now()))
            }
        }
    }

    private func startServers(_ needs: AsyncStream<Void>) async {
        guard (try? await surroundings.clock.sleep(for: Self.graceAtStart)) != nil else { return }
        for await _ in needs where await server.isMissing { await server.start() }
    }
}

extension DesktopNotification {
    /// The id of our desktop entry, without `.desktop` (design.md §1).
    package static let desktopEntry = "org.feedbell.Agent"

    /// The call that shows a popup.
    init(_ popup: Popup) {
        var hints: [String: Value] = ["urgency": .byte(popup.urgency), "desktop-entry": .string(Self.desktopEntry)]
        if !popup.category.isEmpty { hints["category"] = .string(popup.category) }
        if popup.isResident { hints["resident"] = .bool(true) }
        self.init(
            appName: "Feedbell",
            appIcon: "preferences-system-notifications",
            summary: popup.summary,
            body: popup.body,
            actions: popup.buttons.map { (key: $0.key, label: $0.label) },
            hints: hints,
            expireTimeout: popup.timeout
        )
    }
}
