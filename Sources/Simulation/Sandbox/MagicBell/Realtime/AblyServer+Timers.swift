extension AblyServer {
    /// The next HEARTBEAT.
    func heartbeatTimer(_ id: SocketID) -> SocketEffect {
        .startTimer(SocketTimer(connection: id, purpose: .heartbeat, generation: 0), after: maxIdleInterval)
    }

    /// AUTH comes 30 s before the token expires, or at two thirds of a short lifetime.
    func tokenTimers(_ id: SocketID, now: Int64) -> [SocketEffect] {
        guard let connection = connections[id] else { return [] }
        let rest = max(0, connection.token.expiresAt - now)
        // Longer than a day does not matter to a test.
        guard rest < 86_400_000 else { return [] }
        let generation = connection.keyCount
        return [
            .startTimer(
                SocketTimer(connection: id, purpose: .tokenRequest, generation: generation),
                after: rest - min(30_000, rest / 3)
            ),
            .startTimer(SocketTimer(connection: id, purpose: .tokenExpiry, generation: generation), after: rest),
        ]
    }

    mutating func timerFired(_ timer: SocketTimer, now: Int64) -> [SocketEffect] {
        let id = timer.connection
        guard let connection = connections[id] else { return [] }
        switch timer.purpose {
        case .heartbeat where maxIdleInterval > 0:
            return (sendsHeartbeats ? [.send(id, Self.frame(0))] : []) + [heartbeatTimer(id)]
        case .tokenRequest where timer.generation == connection.keyCount: return [.send(id, Self.frame(17))]
        case .tokenExpiry where timer.generation == connection.keyCount: return disconnect(id, .expired, now: now)
        default: return []
        }
    }
}
