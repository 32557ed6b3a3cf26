/// The state and the logic of the simulated MagicBell: its API and its WebSockets.
package struct MagicBellState: Sendable, Equatable {
    package var service: SimulatedMagicBell
    package internal(set) var sockets: MagicBellSockets
    let options: MagicBellOptions

    package init(options: MagicBellOptions = MagicBellOptions()) {
        self.options = options
        service = SimulatedMagicBell(options: options)
        sockets = MagicBellSockets(options: options)
    }

    /// Part of tokens, connection ids and serials, so that they differ between runs of the server.
    var incarnation: String {
        get { sockets.ably.incarnation }
        set {
            sockets.ably.incarnation = newValue
            service.ably.incarnation = newValue
        }
    }

    /// Sends the events of a request or command.
    mutating func publish(_ events: [SimulatedMagicBell.Event], copies: Int = 1, now: Int64) -> [SocketEffect] {
        events.flatMap { event -> [SocketEffect] in
            let name = service.users[event.user]?.name ?? event.user
            return [.log("\(name): \(event.name) \(event.data.text)")]
                + sockets.publish(event, copies: copies, now: now)
        }
    }

    mutating func opened(_ request: ServiceRequest, now: Int64) -> (id: SocketID, effects: [SocketEffect]) {
        sockets.opened(request, service: service, now: now)
    }

    mutating func received(_ text: String, on id: SocketID, now: Int64) -> [SocketEffect] {
        sockets.received(text, on: id, service: service, now: now)
    }

    /// The answer to a request at the path of the WebSockets that is no acceptable upgrade; nil for other paths.
    static func upgradeRefusal(_ request: ServiceRequest) -> SimulatedMagicBell.Answer? {
        guard request.rawPath == "/" || request.rawPath.isEmpty else { return nil }
        let message: String
        do throws(Refusal) {
            _ = try SocketRequest(request)
            message = "The path / is for WebSocket upgrades."
        } catch {
            message = error.message
        }
        var answer = SimulatedMagicBell.Answer(.magicBellError(400, nil, message))
        let context = "\(request.method) \(request.rawPath)"
        answer.violations = [Violation(kind: .realtime, message: message, context: context)]
        return answer
    }
}
