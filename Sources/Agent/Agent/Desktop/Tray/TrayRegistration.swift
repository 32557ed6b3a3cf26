package import DBus

/// Whether an icon is in the tray: it is added where a program shows such icons, and again after that program was
/// restarted. A value without I/O: events in, effects out.
///
/// The item's name is requested before there is a watcher, and kept when the watcher vanishes. The AppIndicator
/// extension of GNOME Shell is restarted with every unlock of the screen: it looks for items itself, and shows an item
/// twice that registers under a name which it did not have then.
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
        /// Request the item's name.
        case requestName
        /// Release it: a watcher removes the icon.
        case releaseName
        /// Export the icon, and add it.
        case add(BusName)
        /// Stop exporting the icon.
        case withdraw
    }

    private enum Phase: Sendable {
        case noWatcher
        /// No host, or not known yet, or the icon is not wanted.
        case idle(BusName)
        case added(BusName)
    }

    private var isEnabled = false
    private var hasName = false
    private var phase = Phase.noWatcher

    package init() {}

    package mutating func receive(_ event: Event) -> [Effect] {
        switch event {
        case .enabled(let isEnabled):
            guard isEnabled != self.isEnabled else { return [] }
            self.isEnabled = isEnabled
            return isEnabled ? requestName() + question : releaseName() + withdraw()
        case .watcher(let watcher):
            guard watcher != self.watcher else { return [] }
            let effects = withdraw()
            phase = watcher.map(Phase.idle) ?? .noWatcher
            return effects + (isEnabled ? requestName() : []) + question
        case .hostsChanged: return question
        case .hosts(let exist, let watcher):
            guard isEnabled, watcher == self.watcher else { return [] }
            return exist ? add(to: watcher) : remove()
        case .refused(let watcher): return watcher == self.watcher ? remove() : []
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
        return requestName() + [.add(watcher)]
    }

    /// Removes the icon from a watcher that stays.
    private mutating func remove() -> [Effect] {
        guard case .added = phase else { return [] }
        return releaseName() + withdraw()
    }

    private mutating func withdraw() -> [Effect] {
        guard case .added(let watcher) = phase else { return [] }
        phase = .idle(watcher)
        return [.withdraw]
    }

    private mutating func requestName() -> [Effect] {
        defer { hasName = true }
        return hasName ? [] : [.requestName]
    }

    private mutating func releaseName() -> [Effect] {
        defer { hasName = false }
        return hasName ? [.releaseName] : []
    }
}
