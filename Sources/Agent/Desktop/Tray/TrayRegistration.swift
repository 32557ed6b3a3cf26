package import DBus

/// Whether an icon is in the tray: it is added where a program shows such icons, and again after that program was
/// restarted. A value without I/O: events in, effects out.
package struct TrayRegistration: Sendable {
    package enum Event: Equatable, Sendable {
        /// Whether the user wants the icon.
        case enabled(Bool)
        /// The owner of ``StatusNotifierWatcher/busName``.
        case watcher(BusName?)
        /// A host appeared or vanished.
        case hostsChanged
        /// The reply to ``Effect/askForHosts(_:)``.
        case hosts(Bool, of: BusName)
        /// The watcher did not add the icon.
        case refused(by: BusName)
    }

    package enum Effect: Equatable, Sendable {
        case askForHosts(BusName)
        /// Export the icon, and add it.
        case add(BusName)
        /// Remove the icon.
        case withdraw
    }

    private enum Phase: Sendable {
        case noWatcher
        /// No host, or not known yet, or the icon is not wanted.
        case idle(BusName)
        case added(BusName)
    }

    private var isEnabled = false
    private var phase = Phase.noWatcher

    package init() {}

    package mutating func receive(_ event: Event) -> [Effect] {
        switch event {
        case .enabled(let isEnabled):
            guard isEnabled != self.isEnabled else { return [] }
            self.isEnabled = isEnabled
            return isEnabled ? question : withdraw()
        case .watcher(let watcher):
            guard watcher != self.watcher else { return [] }
            let effects = withdraw()
            phase = watcher.map(Phase.idle) ?? .noWatcher
            return effects + question
        case .hostsChanged: return question
        case .hosts(let exist, let watcher):
            guard isEnabled, watcher == self.watcher else { return [] }
            return exist ? add(to: watcher) : withdraw()
        case .refused(let watcher): return watcher == self.watcher ? withdraw() : []
        }
    }

    private var watcher: BusName? {
        switch phase {
        case .noWatcher: nil
        case .idle(let watcher), .added(let watcher): watcher
        }
    }

    private var question: [Effect] {
        guard isEnabled, let watcher else { return [] }
        return [.askForHosts(watcher)]
    }

    private mutating func add(to watcher: BusName) -> [Effect] {
        guard case .idle = phase else { return [] }
        phase = .added(watcher)
        return [.add(watcher)]
    }

    private mutating func withdraw() -> [Effect] {
        guard case .added(let watcher) = phase else { return [] }
        phase = .idle(watcher)
        return [.withdraw]
    }
}
