import Basics
package import DBus
import FoundationEssentials
package import Logging

/// Whether the user has switched on "do not disturb".
///
/// | Server | Source |
/// |---|---|
/// | Plasma | property `Inhibited`, where the capabilities have `inhibitions` |
/// | dunst | property `paused` |
/// | SwayNotificationCenter | `GetDnd` and `IsInhibited` of its control centre |
/// | Budgie | `GetDoNotDisturb` of its server |
/// | Xfce, MATE, LXQt, Cinnamon | the desktop's setting (``QuietSource``) |
/// | GNOME, mako | unknown |
///
/// So ``State/off`` may also mean unknown. The servers of Xfce, MATE, LXQt, Cinnamon and Budgie discard popups
/// meanwhile; the others keep them.
package struct DoNotDisturb: Sendable {
    /// Which popups are suppressed.
    package enum State: Int, Sendable, Comparable {
        case off
        /// All but critical ones.
        case exceptCritical
        case all

        package static func < (left: State, right: State) -> Bool { left.rawValue < right.rawValue }
    }

    private enum Report: Sendable {
        case server(State)
        case controlCenter(State)
        /// The state of the server of this unique name is included in the last report.
        case known(BusName)
    }

    private enum Step: Sendable {
        case changed(NameOwnerChange?)
        case ended
    }

    private let bus: Bus
    private let logger: Logger
    private let environment: [String: String]

    /// - Parameters:
    ///   - bus: The session bus.
    ///   - environment: Says where the user's settings are.
    package init(
        bus: Bus,
        logger: Logger,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.bus = bus
        self.logger = logger
        self.environment = environment
    }

    /// Reports every change until the task is cancelled or the bus disconnects, also a change caused by another
    /// notification server. Until the first call, "do not disturb" is off.
    ///
    /// - Parameter serverKnown: Called with the unique name of each server when its state is included.
    package func run(
        _ receive: (State) async -> Void,
        serverKnown: (BusName) async -> Void = { _ in }
    ) async {
        let reports = Mailbox<Report>()
        await withDiscardingTaskGroup { group in
            group.addTask {
                await withDiscardingTaskGroup { group in
                    group.addTask { await self.followServers { reports.send($0) } }
                    group.addTask { await self.followControlCenter { reports.send(.controlCenter($0)) } }
                }
                reports.close()
            }
            var (server, center, last) = (State.off, State.off, State.off)
            for await report in reports.messages {
                switch report {
                case .server(let state): server = state
                case .controlCenter(let state): center = state
                case .known(let owner): await serverKnown(owner)
                }
                guard max(server, center) != last else { continue }
                last = max(server, center)
                await receive(last)
            }
            group.cancelAll()
        }
    }

    // MARK: Notification servers

    /// Follows the state of each server in turn.
    private func followServers(_ report: @escaping @Sendable (Report) -> Void) async {
        do throws(DBusError) {
            let changes = try await bus.nameOwnerChanges(of: FreedesktopNotifications.busName)
            var source: QuietSource?
            var change = await changes.first { _ in true }
            while let current = change {
                if let owner = current.new {
                    source = await QuietSource.find(bus, owner, environment)
                } else if source?.isSetting != true {
                    // A setting also applies to a server that is started for the next popup.
                    source = nil
                }
                change = await follow(source, of: current.new, until: changes, report)
            }
        } catch {
            logger.debug("cannot follow the notification server", metadata: ["error": "\(error)"])
        }
    }

    /// Follows a source, and returns the next change of servers.
    private func follow(
        _ source: QuietSource?,
        of owner: BusName?,
        until changes: AsyncStream<NameOwnerChange>,
        _ report: @escaping @Sendable (Report) -> Void
    ) async -> NameOwnerChange? {
        if source == nil {
            report(.server(.off))
            if let owner { report(.known(owner)) }
        }
        return await withTaskGroup(of: Step.self) { group in
            group.addTask {
                await source?.run(bus, logger) { state in
                    report(.server(state))
                    if let owner { report(.known(owner)) }
                }
                return .ended
            }
            group.addTask { .changed(await changes.first { _ in true }) }
            for await case .changed(let change) in group {
                group.cancelAll()
                return change
            }
            return nil
        }
    }

    // MARK: SwayNotificationCenter

    private func followControlCenter(_ report: @escaping @Sendable (State) -> Void) async {
        typealias Center = SwayControlCenter
        let center = Proxy(bus, Center.busName, Center.path)
        // The names of its signals depend on the version: Subscribe, SubscribeV2.
        let changes = MatchRule(sender: Center.busName, path: Center.path, interface: Center.name)
        let state = FollowedState(bus: bus, owner: Center.busName, changeSignal: changes) {
            if (try? await center.call(Center.getDnd, autoStart: false)) == true { return true }
            return try? await center.call(Center.isInhibited, autoStart: false)
        }
        let follow = BooleanAggregator.source(state, logger)
        await follow { report($0 ? .exceptCritical : .off) }
    }
}
