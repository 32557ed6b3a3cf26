import Basics

/// Servers that reject further popups beyond a limit, which also counts popups that are no longer on the screen.
extension Popups {
    /// Closes the oldest popup and retries the rejected one. If it is rejected again, it is retried later.
    mutating func makeRoom(for request: Request, now: Timestamp) -> [Effect] {
        guard let call = inFlight.removeValue(forKey: request) else { return [] }
        var back = call.undelivered
        guard !back.isEmpty else { return [] }
        let wasInVain = back.contains(where: \.hasRoom)
        for index in back.indices { back[index].hasRoom = true }
        waiting.insert(contentsOf: back, at: 0)
        guard room != .none else { return [] }
        let replaced = Set(inFlight.values.map(\.replaces))
        if !wasInVain, let oldest = order.first(where: { !replaced.contains($0) }) {
            return forget([oldest]) + [.close(id: oldest)] + showWaiting(now: now)
        }
        let isNew = room == .unknown
        room = .none
        return (isNew ? [.serverIsFull(true)] : []) + [.wait(.full, Self.fullInterval)]
    }

    /// Retries waiting popups; if one is rejected again, another popup is closed for it.
    mutating func askFullServer(now: Timestamp) -> [Effect] {
        guard room == .none else { return [] }
        room = .tried
        for index in waiting.indices { waiting[index].hasRoom = false }
        return (waiting.isEmpty && inFlight.isEmpty ? hasRoom() : []) + showWaiting(now: now)
    }

    /// The server has accepted a popup.
    mutating func hasRoom() -> [Effect] {
        guard room != .unknown else { return [] }
        room = .unknown
        return [.serverIsFull(false)]
    }
}
