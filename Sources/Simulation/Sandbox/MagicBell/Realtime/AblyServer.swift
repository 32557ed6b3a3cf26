/// The WebSocket side of Ably (protocol 2 to 6, JSON), as far as a client that only receives needs it.
///
/// A value without clock and I/O: its input is what happens on a connection, its output are effects. Each user has one
/// channel. Messages of the last ``stateTTL`` are kept, so that a client that resumes gets those it missed.
package struct AblyServer: Sendable, Equatable {
    /// One connection of a client, which can outlive its socket.
    package struct Connection: Sendable, Equatable {
        /// The connection id, `c1`; a resumed connection keeps it.
        package var id: String
        /// Numbers the connection keys, `c1!k1`; a new one after each CONNECTED.
        var keyCount = 1
        package var token: SimulatedAblyTokens.Token
        /// Attached channels and the serial that each has reached.
        package var attached: [String: Int] = [:]
        package var isResumed = false
        /// The serials that channels had reached when the connection was lost.
        var lostAt: [String: Int] = [:]
        /// The client's position is unknown to the server: attaching does not continue.
        var hasLostContinuity = false
        /// CLOSED was sent: the client ended the connection.
        var isClosed = false

        var key: String { "\(id)!k\(keyCount)" }
    }

    /// The messages of a channel that a client may have missed.
    struct Channel: Sendable, Equatable {
        struct Sent: Sendable, Equatable { var serial: Int; var frame: String; var time: Int64 }

        /// The serial of the newest message.
        var serial = 0
        var history: [Sent] = []

        /// Removes messages sent before `time`; of more than a thousand messages, keeps the newest 900.
        mutating func discard(before time: Int64) {
            history.removeAll { $0.time < time }
            if history.count > 1_000 { history.removeFirst(history.count - 900) }
        }
    }

    struct Departed: Sendable, Equatable { var connection: Connection; var time: Int64 }

    /// Ably's `connectionStateTtl`, in milliseconds.
    package var stateTTL: Int64
    /// Ably's `maxIdleInterval`, in milliseconds.
    package var maxIdleInterval: Int64
    /// Without heartbeats, an idle connection is silent for longer than its `maxIdleInterval`.
    package var sendsHeartbeats = true
    /// ATTACH is not answered.
    package var holdsAttach = false
    /// How many of the next resumes fail.
    package var failingResumes = 0
    /// How many of the next ATTACHED lack the flag RESUMED although nothing was missed.
    package var omittedFlags = 0
    /// The errors that the next connections get instead of CONNECTED, one each.
    package var refusals: [AblyError] = []
    /// By socket; without those that were refused.
    package internal(set) var connections: [SocketID: Connection] = [:]
    var departed: [String: Departed] = [:]
    var channels: [String: Channel] = [:]
    /// Part of every connection id and serial, so that they differ between runs of the server.
    var incarnation = ""
    private var lastConnection = 0
    var lastMessage = 0

    init(options: MagicBellOptions) {
        stateTTL = options.connectionStateTTL
        maxIdleInterval = options.maxIdleInterval
    }

    /// The sockets of a user that have attached its channel, or of all users.
    package func attached(_ user: String?) -> [SocketID] {
        connections.filter { connection in
            !connection.value.attached.isEmpty && (user == nil || connection.value.token.user == user)
        }.keys.sorted()
    }

    // MARK: Connecting

    /// Handles a new socket: CONNECTED or ERROR.
    mutating func opened(
        _ id: SocketID,
        _ parameters: SocketRequest.AblyParameters,
        tokens: SimulatedAblyTokens,
        now: Int64
    )
        -> [SocketEffect]
    {
        let token: SimulatedAblyTokens.Token
        do throws(AblyError) {
            if !refusals.isEmpty { throw refusals.removeFirst() }
            token = try tokens.check(parameters.token, now: now)
        } catch {
            return [.log("connection \(id): refused, \(error.message)")] + fail(id, error)
        }
        var effects: [SocketEffect] = []
        var error: AblyError?
        if let key = parameters.resume {
            if failingResumes > 0 {
                failingResumes -= 1
                error = AblyError(80008, 400, "Unable to recover connection")
            } else if var connection = takeResumable(key, user: token.user, now: now, &effects) {
                connection.token = token
                connection.keyCount += 1
                connection.isResumed = true
                (connection.lostAt, connection.attached) = (connection.attached, [:])
                connections[id] = connection
            } else {
                error = AblyError(80008, 400, "Unable to recover connection: it has expired")
            }
        }
        if connections[id] == nil {
            lastConnection += 1
            connections[id] = Connection(
                id: "c\(lastConnection)\(incarnation)",
                token: token,
                hasLostContinuity: error != nil
            )
        }
        let how = connections[id]?.isResumed == true ? "resumed" : "connected"
        effects.append(.log("connection \(id): \(how) \(connections[id]?.id ?? "")"))
        effects.append(connected(id, error: error))
        if parameters.wantsHeartbeats, maxIdleInterval > 0 { effects.append(heartbeatTimer(id)) }
        return effects + tokenTimers(id, now: now)
    }

    /// The connection with this key: one that was lost, or one whose loss the server has not noticed.
    private mutating func takeResumable(_ key: String, user: String, now: Int64, _ effects: inout [SocketEffect])
        -> Connection?
    {
        departed = departed.filter { now - $0.value.time <= stateTTL }
        if let found = departed.first(where: {
            $0.value.connection.key == key && $0.value.connection.token.user == user
        }) {
            departed[found.key] = nil
            return found.value.connection
        }
        guard let (id, connection) = connections.first(where: { $0.value.key == key && $0.value.token.user == user })
        else { return nil }
        connections[id] = nil
        effects.append(.hangUp(id, .finish))
        return connection
    }

    func connected(_ id: SocketID, error: AblyError? = nil) -> SocketEffect {
        guard let connection = connections[id] else { return .log("connection \(id): has ended") }
        var frame: [String: JSON] = [
            "action": 4, "connectionId": .string(connection.id),
            "connectionDetails": [
                "connectionKey": .string(connection.key), "connectionStateTtl": .integer(stateTTL),
                "maxIdleInterval": .integer(maxIdleInterval), "maxMessageSize": 65_536, "maxInboundRate": 250,
                "maxOutboundRate": 100, "maxFrameSize": 524_288, "serverId": "sandbox.1",
            ],
        ]
        if let error { frame["error"] = error.json }
        return .send(id, JSON.object(frame).text)
    }

    /// ERROR for the whole connection, which then ends for good.
    mutating func fail(_ id: SocketID, _ error: AblyError) -> [SocketEffect] {
        connections[id] = nil
        return [.send(id, Self.frame(9, error: error)), .hangUp(id, .close(code: 1000))]
    }

    /// DISCONNECTED: the client may resume.
    mutating func disconnect(_ id: SocketID, _ error: AblyError?, now: Int64) -> [SocketEffect] {
        leave(id, now: now)
        return [.send(id, Self.frame(6, error: error)), .hangUp(id, .close(code: 1000))]
    }

    /// Keeps the connection of a lost socket for ``stateTTL``.
    mutating func leave(_ id: SocketID, now: Int64) {
        guard let connection = connections.removeValue(forKey: id), !connection.isClosed else { return }
        departed[connection.id] = Departed(connection: connection, time: now)
    }

    /// A ProtocolMessage as text.
    static func frame(_ action: Int64, channel: String? = nil, error: AblyError? = nil) -> String {
        var frame: [String: JSON] = ["action": .integer(action)]
        if let channel { frame["channel"] = .string(channel) }
        if let error { frame["error"] = error.json }
        return JSON.object(frame).text
    }
}
