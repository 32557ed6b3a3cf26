import Basics

/// Appearing and vanishing servers.
extension Popups {
    mutating func appear(
        _ server: String,
        _ features: ServerFeatures,
        _ closed: Set<UInt32>?,
        _ alias: String?,
        now: Timestamp
    ) -> [Effect] {
        let signals = self.server == nil ? pendingSignals : []
        var effects = server == self.server ? [] : forgetServer()
        let isNew = self.server == nil
        self.server = server
        self.features = features
        self.alias = alias
        guard isNew else { return showWaiting(now: now) }
        effects.append(.forgetServers(except: server))
        let kept = restored.removeValue(forKey: server) ?? [:]
        restored = [:]
        shown = kept.mapValues(\.open)
        order = shown.keys.sorted()
        for signal in signals { effects += receive(signal) }
        effects += forget(closed ?? []) + expire(now: now)
        if closed != nil {
            effects += order.compactMap { id in kept[id].map { notify([], $0, replacing: id) } }
        }
        return effects + showWaiting(now: now)
    }

    mutating func loseServer() -> [Effect] {
        let effects = forgetServer()
        return effects + (waiting.contains { !isHeld(policy.urgency(of: $0.notification)) } ? [.needServer] : [])
    }

    private mutating func forgetServer() -> [Effect] {
        let isReportedFull = room != .unknown
        server = nil
        alias = nil
        unpaired = []
        room = .unknown
        shown = [:]
        order = []
        pendingSignals = []
        let lost = inFlight.sorted { $0.key.number < $1.key.number }.flatMap(\.value.undelivered)
        inFlight = [:]
        waiting.insert(contentsOf: lost, at: 0)
        return isReportedFull ? [.serverIsFull(false)] : []
    }
}
