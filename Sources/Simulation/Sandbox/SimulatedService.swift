/// Another simulated service. The ``Sandbox`` gives it a port, HTTP, WebSockets, faults and logs.
///
/// A value, like ``SandboxState``: its input are requests and frames with the time in milliseconds since the Unix
/// epoch, its output are answers and effects.
package protocol SimulatedService: Sendable {
    /// Serves a request. A fault may replace the answer, and undo the change and the effects.
    mutating func handle(_ request: ServiceRequest, now: Int64) -> (response: ServiceResponse, effects: [SocketEffect])

    /// Whether an upgrade to a WebSocket is granted. A declined one is served like any other request.
    func grantsUpgrade(_ request: ServiceRequest) -> Bool

    /// Handles the text of a frame.
    mutating func received(_ text: String, on id: SocketID, now: Int64) -> [SocketEffect]

    /// A WebSocket has ended, joined or not.
    mutating func closed(_ id: SocketID)

    /// The WebSockets that receive events.
    var joinedSockets: Set<SocketID> { get }
}

extension SandboxState {
    /// Another service, and the number of its last WebSocket.
    struct Other: Sendable {
        var service: any SimulatedService
        var lastSocket = 0

        /// Handles a new WebSocket.
        mutating func opened() -> SocketID {
            lastSocket += 1
            return lastSocket
        }
    }

    /// A copy of the simulated service that the sandbox was started with; nil: it is of another type.
    package func simulated<Service: SimulatedService>(_ type: Service.Type) -> Service? { other?.service as? Service }

    /// Changes the simulated service that the sandbox was started with.
    mutating func change<Service: SimulatedService>(
        _ body: (inout Service, _ now: Int64) -> [SocketEffect],
        wall: Int64
    ) -> [SocketEffect] {
        guard var service = other?.service as? Service else { return [] }
        let effects = body(&service, wall + clockOffset)
        other?.service = service
        return absorb(effects)
    }
}
