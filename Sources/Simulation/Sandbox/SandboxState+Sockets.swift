extension SandboxState {
    /// Handles a new WebSocket. `request` is its upgrade.
    mutating func opened(_ request: ServiceRequest, wall: Int64) -> (id: SocketID, effects: [SocketEffect]) {
        if let id = other?.opened() { return (id, []) }
        let (id, effects) =
            options.isMagicBell ? magicBell.opened(request, now: wall + clockOffset) : realtime.opened()
        return (id, absorb(effects))
    }

    mutating func received(_ text: String, on id: SocketID, wall: Int64) -> [SocketEffect] {
        let now = wall + clockOffset
        if let effects = other?.service.received(text, on: id, now: now) { return absorb(effects) }
        if options.isMagicBell { return absorb(magicBell.received(text, on: id, now: now)) }
        return absorb(realtime.received(text, on: id, now: now) { service.admit($0, now: now) })
    }

    mutating func receivedBinary(on id: SocketID) -> [SocketEffect] {
        if other != nil { return [] }
        return absorb(options.isMagicBell ? magicBell.sockets.receivedBinary(on: id) : realtime.receivedBinary(on: id))
    }

    mutating func timerFired(_ timer: SocketTimer, wall: Int64) -> [SocketEffect] {
        if other != nil { return [] }
        return options.isMagicBell
            ? magicBell.sockets.timerFired(timer, now: wall + clockOffset) : realtime.timerFired(timer)
    }

    mutating func closed(_ id: SocketID, wall: Int64) -> [SocketEffect] {
        let now = wall + clockOffset
        if other?.service.closed(id) != nil { return [] }
        return absorb(options.isMagicBell ? magicBell.sockets.closed(id, now: now) : realtime.closed(id, now: now))
    }

    /// Whether the server neither reads nor writes on a socket.
    func isSilent(_ id: SocketID) -> Bool {
        options.isMagicBell ? magicBell.sockets.silent.contains(id) : realtime.connections[id]?.isSilent ?? false
    }

    /// Sockets that receive events, and are not silent.
    package var joinedSockets: [SocketID] {
        if let other { return other.service.joinedSockets.sorted() }
        if options.isMagicBell { return magicBell.sockets.receivers(of: nil) }
        return realtime.connections.filter { $0.value.member != nil && !$0.value.isSilent }.keys.sorted()
    }

    package var hasOpenSockets: Bool {
        if let other { return !other.service.joinedSockets.isEmpty }
        return options.isMagicBell ? !magicBell.sockets.open.isEmpty : !realtime.connections.isEmpty
    }

    /// Part of the ids that the service makes, so that they differ between runs.
    var incarnation: String {
        get { realtime.incarnation }
        set {
            realtime.incarnation = newValue
            magicBell.incarnation = newValue
        }
    }
}
