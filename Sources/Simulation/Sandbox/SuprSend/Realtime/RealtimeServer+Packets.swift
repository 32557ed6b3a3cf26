extension RealtimeServer {
    /// Handles a packet. A SuprSend client sends only CONNECT, DISCONNECT and ACK.
    mutating func received(_ packet: ClientPacket, _ text: String, on id: ConnectionID, now: Int64, admit: Admit)
        -> [Effect]
    {
        guard packet.namespace == "/" else {
            let breach = breach("SuprSend uses the default namespace only.", text)
            guard packet.kind == .connect else { return [breach] }
            return [breach, .send(id, "44\(packet.namespace),{\"message\":\"Invalid namespace\"}")]
        }
        switch packet.kind {
        case .connect:
            if connections[id]?.member != nil { return [breach("A second CONNECT.", "40…")] }
            return connect(id, packet.data ?? [:], now: now, admit: admit)
        case .disconnect:
            return leave(id, temporarily: false, now: now)
        case .ack:
            guard let ack = packet.id, let arguments = packet.data, arguments.array != nil,
                let index = acks.firstIndex(where: { $0.connection == id && $0.id == ack && $0.arguments == nil })
            else { return [breach("An ACK that was not requested.", text)] }
            acks[index].arguments = arguments
            return [.log("connection \(id): acknowledged \(acks[index].event) \(ack)")]
        case .event, .connectError, .binaryEvent, .binaryAck:
            return [breach("A client never sends this packet.", text)]
        }
    }

    private mutating func connect(_ id: ConnectionID, _ credentials: JSON, now: Int64, admit: Admit) -> [Effect] {
        if let effects = endEarly(id, at: .connect, now: now) { return effects }
        if !refusals.isEmpty { return refuse(id, refusals.removeFirst()) }
        if let (member, missed) = resume(credentials, now: now) {
            connections[id]?.phase = .joined(member)
            connections[id]?.isRecovered = true
            connections[id]?.isInRoom = true
            // Missed events precede the answer to CONNECT, as in the Socket.IO server.
            return missed.map { .send(id, $0) }
                + [
                    .send(id, Self.connected(member)),
                    .log("connection \(id): \(member.user.user) resumed, \(missed.count) events replayed"),
                ] + (endEarly(id, at: .joined, now: now) ?? [])
        }
        let admission = admit(credentials)
        var effects: [Effect] = []
        if let violation = admission.violation { effects.append(breach(violation, "40{…}")) }
        switch admission.result {
        case .failure(let refusal): return effects + refuse(id, refusal)
        case .success(let user):
            let member = Member(user: user, socketID: "socket-\(id)", pid: recovery ? "pid\(incarnation)-\(id)" : nil)
            connections[id]?.phase = .joined(member)
            effects += [.send(id, Self.connected(member)), .log("connection \(id): \(user.user) joined")]
            if !holdsRooms { effects += enterRoom(id) }
            return effects + (endEarly(id, at: .joined, now: now) ?? [])
        }
    }

    private mutating func enterRoom(_ id: ConnectionID) -> [Effect] {
        connections[id]?.isInRoom = true
        return [.send(id, "42[\"joined_room\",{}]")]
    }

    /// Ends ``holdsRooms``: connections that wait for their room enter it.
    package mutating func openRooms() -> [Effect] {
        holdsRooms = false
        var effects: [Effect] = []
        for id in connections(of: nil) where connections[id]?.member != nil && connections[id]?.isInRoom == false {
            effects += enterRoom(id)
        }
        return effects
    }

    private static func connected(_ member: Member) -> String {
        var answer: [String: JSON] = ["sid": .string(member.socketID)]
        if let pid = member.pid { answer["pid"] = .string(pid) }
        return "40" + JSON.object(answer).text
    }

    private mutating func refuse(_ id: ConnectionID, _ refusal: ConnectRefusal) -> [Effect] {
        connections[id]?.phase = .refused
        var answer: [String: JSON] = ["message": .string(refusal.message)]
        if let data = refusal.data { answer["data"] = data }
        return [
            .send(id, "44" + JSON.object(answer).text),
            .log("connection \(id): refused, \(refusal.message)"),
        ]
    }

    /// The session to resume and its missed frames; nil when it is unknown or too old, or its offset is unknown.
    ///
    /// A resumed session skips the check of credentials, as with the default `skipMiddlewares` of Socket.IO.
    private mutating func resume(_ credentials: JSON, now: Int64) -> (Member, [String])? {
        guard recovery, let pid = credentials["pid"]?.string, let offset = credentials["offset"]?.string else {
            return nil
        }
        guard let session = departed.removeValue(forKey: pid), now - session.time <= recoveryWindow,
            let position = history.firstIndex(where: { $0.offset == offset && $0.user == session.member.user })
        else { return nil }
        let missed = history[(position + 1)...].filter { $0.user == session.member.user }
        return (session.member, missed.map(\.frame))
    }

    /// Removes a connection from its room. After a temporary loss, its session can be resumed.
    mutating func leave(_ id: ConnectionID, temporarily: Bool, now: Int64) -> [Effect] {
        guard let member = connections[id]?.member else { return [] }
        connections[id]?.phase = .left
        connections[id]?.isInRoom = false
        if temporarily, recovery, let pid = member.pid {
            departed[pid] = Departed(member: member, time: now)
            departed = departed.filter { now - $0.value.time <= recoveryWindow }
        }
        return [.log("connection \(id): \(member.user.user) left")]
    }
}
