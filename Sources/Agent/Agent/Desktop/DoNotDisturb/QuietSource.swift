import Basics
import DBus
import Logging
import ProgramKit

/// Where a notification server's do-not-disturb is read, and what announces a change of it.
struct QuietSource: Sendable {
    typealias State = DoNotDisturb.State

    /// The interval at which a file is read that cannot be watched.
    private static let interval = Duration.seconds(5)

    /// Signals after which the state is read again.
    var changeSignal: MatchRule?
    /// Whether a signal that matches may be such a change.
    var concerns: @Sendable (Message) -> Bool = { _ in true }
    /// A file that contains the state.
    var file: String?
    /// Whether the state belongs to the desktop and exists without the server.
    var isSetting = false
    /// The time by which the server may notice a change later than this program does.
    var latency: Duration?
    /// Reads the state.
    var read: @Sendable () async -> State

    /// The source of a server; nil: its state is unknown.
    static func find(_ bus: Bus, _ owner: BusName, _ environment: [String: String]) async -> QuietSource? {
        let server = Proxy(bus, owner, FreedesktopNotifications.path)
        let capabilities = try? await server.call(
            FreedesktopNotifications.getCapabilities,
            timeout: NotificationServer.deadline,
            autoStart: false
        )
        if capabilities?.contains("inhibitions") == true {
            return property(of: owner) { try? await server.get(PlasmaNotifications.inhibited, autoStart: false) }
        }
        // mako has the capability too, but no such property: it is off.
        if capabilities?.contains("x-dunst-stack-tag") == true {
            return property(of: owner) { try? await server.get(Dunst.paused, autoStart: false) }
        }
        let information = try? await server.call(
            FreedesktopNotifications.getServerInformation,
            timeout: NotificationServer.deadline,
            autoStart: false
        )
        return switch (information?.0 ?? "", information?.1 ?? "") {
        case ("Xfce Notify Daemon", _): xfce(bus)
        case ("Notification Daemon", "MATE"): mate(environment)
        case ("lxqt-notificationd", _): lxqt(environment)
        case ("cinnamon", _): cinnamon(environment)
        case ("Budgie Notification Server", _): budgie(bus, owner)
        default: nil
        }
    }

    /// Reports the state at first and after each change, until the task is cancelled.
    func run(_ bus: Bus, _ logger: Logger, _ report: @escaping @Sendable (State) -> Void) async {
        let changes = Mailbox<Void>(.bufferingNewest(1))
        var signals: AsyncStream<Message>?
        do {
            if let changeSignal { signals = try await bus.signals(matching: changeSignal) }
        } catch {
            logger.debug("cannot follow do-not-disturb", metadata: ["error": "\(error)"])
        }
        await withDiscardingTaskGroup { group in
            if let signals {
                group.addTask { for await signal in signals where concerns(signal) { changes.send() } }
            }
            if let file {
                group.addTask {
                    let watch = FileWatch(paths: [file], loop: bus.loop)
                    if await watch.run(started: { changes.send() }, changed: { changes.send() }) { return }
                    // The user has no inotify(7) instance left.
                    while (try? await Task.sleep(for: Self.interval)) != nil { changes.send() }
                }
            }
            changes.send()
            var last = State.off
            for await _ in changes.messages {
                var state = await read()
                // The server would discard a popup that comes before it has noticed the end.
                if state < last, let latency, (try? await Task.sleep(for: latency)) != nil { state = await read() }
                last = state
                report(state)
            }
            group.cancelAll()
        }
    }
}
