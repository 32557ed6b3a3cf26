import Basics
package import DBus
import Glibc
package import Logging

/// The program of the desktop that shows icons in a tray. It may appear, vanish and be replaced at any time;
/// ``TrayRegistration`` decides.
package struct TrayHost: Sendable {
    /// The timeout of a call to the watcher: a panel that is starting answers late. If it ends, the call ends as well.
    private static let deadline = Duration.seconds(60)

    private let bus: Bus
    private let logger: Logger
    private let events = Mailbox<TrayRegistration.Event>()

    package init(bus: Bus, logger: Logger) {
        self.bus = bus
        self.logger = logger
    }

    /// Whether the icon is wanted. At first it is not.
    package func setEnabled(_ isEnabled: Bool) { events.send(.enabled(isEnabled)) }

    /// Keeps the icon in the tray until the task is cancelled or the bus disconnects.
    ///
    /// - Parameters:
    ///   - export: Exports ``StatusNotifierItem`` at its path; called before the icon is added.
    ///   - withdraw: Removes that object; called when the icon is in no tray.
    package func run(
        export: @Sendable () async throws(DBusError) -> Void,
        withdraw: @Sendable () async -> Void
    ) async throws(DBusError) {
        let signals = [StatusNotifierWatcher.hostRegistered.name, StatusNotifierWatcher.hostUnregistered.name]
        var hostChanges: [AsyncStream<Message>] = []
        for signal in signals {
            let rule = MatchRule(
                sender: StatusNotifierWatcher.busName,
                interface: StatusNotifierWatcher.name,
                member: signal
            )
            hostChanges.append(try await bus.signals(matching: rule, buffering: .bufferingNewest(1)))
        }
        let owners = try await bus.nameOwnerChanges(of: StatusNotifierWatcher.busName)
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await change in owners { events.send(.watcher(change.new)) }
                events.close()
            }
            for changes in hostChanges {
                group.addTask { for await _ in changes { events.send(.hostsChanged) } }
            }
            var registration = TrayRegistration()
            for await event in events.messages {
                for effect in registration.receive(event) { await perform(effect, export, withdraw) }
            }
            group.cancelAll()
        }
    }

    private func perform(
        _ effect: TrayRegistration.Effect,
        _ export: () async throws(DBusError) -> Void,
        _ withdraw: () async -> Void
    ) async {
        switch effect {
        case .askForHosts(let watcher):
            let exist = try? await Proxy(bus, watcher, StatusNotifierWatcher.path)
                .get(StatusNotifierWatcher.isHostRegistered, timeout: Self.deadline, autoStart: false)
            events.send(.hosts(exist ?? false, of: watcher))
        case .add(let watcher):
            do throws(DBusError) {
                try await export()
                try await add(to: watcher)
                logger.info("icon added to the tray", metadata: ["watcher": "\(watcher)"])
            } catch {
                logger.warning("cannot add the icon to the tray", metadata: ["reason": "\(error.message)"])
                events.send(.refused(by: watcher))
            }
        // A sandbox may forbid the name. Then the icon stays until the connection ends.
        case .requestName: _ = try? await bus.requestName(Self.itemName)
        case .releaseName: _ = try? await bus.releaseName(Self.itemName)
        case .withdraw: await withdraw()
        }
    }

    /// The name of this process's first item (StatusNotifierItem Specification): when it is released, hosts remove the
    /// icon.
    private static let itemName: BusName = {
        let name = "org.kde.StatusNotifierItem-\(getpid())-1"
        return (try? BusName(name)) ?? "org.kde.StatusNotifierItem"
    }()

    private func add(to watcher: BusName) async throws(DBusError) {
        let reply = try? await bus.requestName(Self.itemName)
        let name = reply?.isOwner == true ? Self.itemName : await bus.uniqueName
        try await Proxy(bus, watcher, StatusNotifierWatcher.path)
            .call(StatusNotifierWatcher.registerItem, name.text, timeout: Self.deadline, autoStart: false)
    }
}
