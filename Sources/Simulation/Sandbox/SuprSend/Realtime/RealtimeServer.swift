/// The socket side of the service: an Engine.IO 4 / Socket.IO 5 server for all of its connections.
///
/// A value without clock and I/O: its input is what happens on a connection, its output are effects. Each user within
/// a tenant has one room.
package struct RealtimeServer: Sendable, Equatable {
    package typealias ConnectionID = SocketID
    package typealias Effect = SocketEffect
    package typealias HangUp = SocketEffect.HangUp
    package typealias Timer = SocketTimer

    /// The steps of joining at which a connection can be made to end.
    package enum JoiningStep: String, Sendable, Equatable, CaseIterable {
        /// Instead of the Engine.IO handshake.
        case open
        /// After the Engine.IO handshake.
        case handshake
        /// Instead of the answer to CONNECT.
        case connect
        /// After the answer to CONNECT.
        case joined
    }

    /// A connection that ends at a step of joining.
    package struct EarlyDrop: Sendable, Equatable {
        package var drop: Drop
        package var step: JoiningStep

        package init(drop: Drop, step: JoiningStep) {
            self.drop = drop
            self.step = step
        }
    }

    /// Checks the credentials of a CONNECT; see ``SandboxService/admit(_:now:)``.
    package typealias Admit = (JSON) -> (result: Result<InboxKey, ConnectRefusal>, violation: String?)

    package struct Connection: Sendable, Equatable {
        package enum Phase: Sendable, Equatable {
            case opened
            case refused
            case joined(Member)
            /// After a DISCONNECT of either side.
            case left
        }

        package var phase = Phase.opened
        /// The Engine.IO session id.
        package var engineID: String
        /// The server neither sends nor reads, and keeps TCP open.
        package var isSilent = false
        /// An Engine.IO close was sent; only the end of the transport may follow.
        var sentClose = false
        package var isRecovered = false
        /// Whether the connection receives its user's events. It may enter the room later than the answer to CONNECT.
        package var isInRoom = false
        var earlyDrop: EarlyDrop?
        /// The number of answered pings, also the generation of its heartbeat timers.
        package var answeredPings = 0
        var awaitsPong = false

        var isMute: Bool { isSilent || sentClose }

        package var member: Member? { if case .joined(let member) = phase { member } else { nil } }
    }

    package struct Member: Sendable, Equatable {
        package var user: InboxKey
        package var socketID: String
        /// The private session id for resuming; nil when recovery is off.
        package var pid: String?
    }

    package struct Ack: Sendable, Equatable {
        package var connection: ConnectionID
        package var id: Int
        package var event: String
        /// nil until the client acknowledges.
        package var arguments: JSON?
    }

    struct Departed: Sendable, Equatable { var member: Member; var time: Int64 }
    struct Broadcast: Sendable, Equatable { var user: InboxKey; var offset: String; var frame: String }

    package var pingInterval: Int64
    package var pingTimeout: Int64
    package var recovery: Bool
    package var recoveryWindow: Int64
    /// New connections get no events until ``openRooms()``.
    package var holdsRooms = false
    /// The answers to the next CONNECTs, one each.
    package var refusals: [ConnectRefusal] = []
    /// The early drops of the next connections, one each.
    package var earlyDrops: [EarlyDrop] = []
    package internal(set) var connections: [ConnectionID: Connection] = [:]
    /// Events sent with an ACK id, acknowledged or not, oldest first.
    package internal(set) var acks: [Ack] = []
    var departed: [String: Departed] = [:]
    /// Events that a resuming client may have missed, oldest first.
    var history: [Broadcast] = []
    var lastOffset: (time: Int64, count: Int) = (0, 0)
    /// Part of every private session id, so that ids differ between runs of the server.
    var incarnation = ""
    var lastConnection = 0
    var lastAck = 0

    package static func == (left: RealtimeServer, right: RealtimeServer) -> Bool {
        left.connections == right.connections && left.acks == right.acks && left.history == right.history
            && left.departed == right.departed && left.refusals == right.refusals
            && left.earlyDrops == right.earlyDrops
    }

    package init(options: SandboxOptions = SandboxOptions()) {
        pingInterval = options.pingInterval
        pingTimeout = options.pingTimeout
        recovery = options.recovery
        recoveryWindow = options.recoveryWindow
    }

    /// Connections of a user that have joined, or all connections for nil.
    package func connections(of user: InboxKey?) -> [ConnectionID] {
        connections.filter { user == nil || $0.value.member?.user == user }.keys.sorted()
    }

    // MARK: Events of a connection

    /// Handles a new WebSocket: sends the Engine.IO handshake.
    package mutating func opened() -> (id: ConnectionID, effects: [Effect]) {
        lastConnection += 1
        let id = lastConnection
        var connection = Connection(engineID: "engine-\(id)")
        if !earlyDrops.isEmpty { connection.earlyDrop = earlyDrops.removeFirst() }
        connections[id] = connection
        if let effects = endEarly(id, at: .open, now: 0) { return (id, effects) }
        let handshake: JSON = [
            "sid": .string(connection.engineID), "upgrades": [], "pingInterval": .integer(pingInterval),
            "pingTimeout": .integer(pingTimeout), "maxPayload": 1_000_000,
        ]
        return (
            id,
            [
                .send(id, "0" + handshake.text),
                .startTimer(Timer(connection: id, purpose: .ping, generation: 0), after: pingInterval),
                // The default `connectTimeout` of the Socket.IO server.
                .startTimer(Timer(connection: id, purpose: .join, generation: 0), after: 45_000),
                .log("connection \(id): open"),
            ] + (endEarly(id, at: .handshake, now: 0) ?? [])
        )
    }

    /// Handles a text frame.
    package mutating func received(_ text: String, on id: ConnectionID, now: Int64, admit: Admit) -> [Effect] {
        guard let connection = connections[id], !connection.isMute else { return [] }
        switch text.first {
        case "1": return leave(id, temporarily: false, now: now) + [.hangUp(id, .close(code: 1000))]
        case "3":
            guard connection.awaitsPong else { return [breach("A pong without a ping.", text)] }
            connections[id]?.awaitsPong = false
            connections[id]?.answeredPings += 1
            return [.startTimer(heartbeatTimer(id, .ping), after: pingInterval)]
        case "4":
            guard let packet = ClientPacket(parsing: text.dropFirst()) else {
                return [breach("Not a Socket.IO packet.", text), .hangUp(id, .close(code: 1002))]
            }
            return received(packet, text, on: id, now: now, admit: admit)
        case "2":
            return [breach("Only the server pings.", text), .hangUp(id, .close(code: 1002))]
        default:
            return [breach("Not an Engine.IO packet of a client.", text), .hangUp(id, .close(code: 1002))]
        }
    }

    /// Handles a binary frame, which is a violation: a SuprSend client sends none.
    package mutating func receivedBinary(on id: ConnectionID) -> [Effect] {
        guard connections[id]?.isMute == false else { return [] }
        return [breach("A client sends no binary frames.", "binary")]
    }

    /// Handles the end of the transport.
    package mutating func closed(_ id: ConnectionID, now: Int64) -> [Effect] {
        guard connections[id] != nil else { return [] }
        let effects = leave(id, temporarily: true, now: now)
        connections[id] = nil
        return effects + [.log("connection \(id): closed")]
    }

    package mutating func timerFired(_ timer: Timer) -> [Effect] {
        let id = timer.connection
        guard let connection = connections[id], !connection.isMute else { return [] }
        switch timer.purpose {
        case .join:
            guard connection.phase == .opened || connection.phase == .refused else { return [] }
            return [.log("connection \(id): did not join in time"), .hangUp(id, .close(code: 1000))]
        case .ping:
            guard timer.generation == connection.answeredPings, !connection.awaitsPong else { return [] }
            connections[id]?.awaitsPong = true
            return [.send(id, "2"), .startTimer(heartbeatTimer(id, .pong), after: pingTimeout)]
        case .pong:
            guard timer.generation == connection.answeredPings, connection.awaitsPong else { return [] }
            return [.log("connection \(id): no pong in time"), .hangUp(id, .close(code: 1000))]
        case .heartbeat, .tokenRequest, .tokenExpiry: return []
        }
    }

    private func heartbeatTimer(_ id: ConnectionID, _ purpose: Timer.Purpose) -> Timer {
        Timer(connection: id, purpose: purpose, generation: connections[id]?.answeredPings ?? 0)
    }

    func breach(_ message: String, _ frame: String) -> Effect {
        .violation(Violation(kind: .realtime, message: message, context: String(frame.prefix(40))))
    }
}
