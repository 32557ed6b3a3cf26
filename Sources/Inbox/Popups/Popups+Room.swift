/// Servers that keep a limited number of popups, also of those that are no longer on the screen, and refuse every further one.
extension Popups {
    /// Closes the oldest popup and shows what was refused in its place. If that was refused, too, it is shown later.
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

    /// Shows what waits for room; if it is refused again, another popup is closed for it.
    mutating func askFullServer(now: Timestamp) -> [Effect] {
        guard room == .none else { return [] }
        room = .tried
        for index in waiting.indices { waiting[index].hasRoom = false }
        return (waiting.isEmpty && inFlight.isEmpty ? hasRoom() : []) + showWaiting(now: now)
    }

    /// The server has shown a popup.
    mutating func hasRoom() -> [Effect] {
        guard room != .unknown else { return [] }
        room = .unknown
        return [.serverIsFull(false)]
    }
}
