/// Everything the sandbox knows, and everything it decides: the service, the sockets, the faults, the logs.
///
/// A value: requests, frames, and commands go in together with the time, answers and effects come out.
package struct SandboxState: Sendable {
    /// What to do with a request.
    struct Outcome {
        var number: Int
        var response: ServiceResponse
        /// How to spoil the answer; nil = send it.
        var fault: RequestFault.Kind?
        var effects: [RealtimeServer.Effect]
    }

    package var service: SandboxService
    package var realtime: RealtimeServer
    package var faults: [RequestFault] = []
    /// Oldest first; the newest 10,000.
    package private(set) var requests: [LoggedRequest] = []
    package private(set) var violations: [Violation] = []
    /// Numbers of requests whose answers wait for `release`.
    package internal(set) var held: Set<Int> = []
    var clockOffset: Int64
    let options: SandboxOptions
    private var lastRequest = 0

    package init(options: SandboxOptions = SandboxOptions()) {
        self.options = options
        service = SandboxService(options: options)
        realtime = RealtimeServer(options: options)
        clockOffset = options.clockOffset
    }

    // MARK: HTTP

    /// Serves a request.
    ///
    /// - Parameter wall: the real time in milliseconds since the Unix epoch; the sandbox's own adds its offset.
    mutating func handle(_ request: ServiceRequest, wall: Int64) -> Outcome {
        let now = wall + clockOffset
        let fault = faults.firstIndex { $0.matches(request) }.map { index in
            faults[index].times -= 1
            return faults[index]
        }
        faults.removeAll { $0.times <= 0 }

        var trial = service
        var answer =
            request.rawPath.hasPrefix("/socket.io")
            ? RealtimeServer.answer(toPlain: request) : trial.handle(request, now: now)
        // An upgrade that was not granted because of a fault is no mistake of the client. The fault may be over by now.
        let isUpgrade = request.headers["upgrade"]?.lowercased() == "websocket"
        if fault != nil || isUpgrade, RealtimeServer.accepts(upgrade: request) { answer.violations = [] }
        var effects = answer.violations.map(RealtimeServer.Effect.violation)
        if fault.map({ $0.applied || $0.kind.appliesAnyway }) ?? true {
            service = trial
            for event in answer.events {
                effects.append(.say("\(event.user.user): \(event.name) \(event.payload.text)"))
                effects += realtime.broadcast(event.name, [event.payload], to: event.user, now: now)
            }
        }
        var response = answer.response
        if case .respond(let forced)? = fault?.kind { response = forced }
        let number = log(request, status: response.status, isSpoilt: fault != nil, now: now)
        if fault?.kind == .hold { held.insert(number) }
        effects.append(.say("\(request.method) \(request.rawPath) \(response.status)\(fault == nil ? "" : " (fault)")"))
        return Outcome(number: number, response: response, fault: fault?.kind, effects: absorb(effects))
    }

    /// Whether a WebSocket upgrade is granted; one that is not is then served like any other request.
    mutating func grantsUpgrade(_ request: ServiceRequest, wall: Int64) -> (
        granted: Bool, effects: [RealtimeServer.Effect]
    ) {
        guard !faults.contains(where: { $0.matches(request) }), RealtimeServer.accepts(upgrade: request) else {
            return (false, [])
        }
        _ = log(request, status: 101, isSpoilt: false, now: wall + clockOffset)
        var effects: [RealtimeServer.Effect] = []
        for name in ["authorization", "x-ss-signature"] where request.headers[name] != nil {
            let violation = Violation(
                kind: .header,
                message: "The WebSocket upgrade carries \(name); credentials belong into CONNECT.",
                context: "\(request.method) \(request.target)"
            )
            effects.append(.violation(violation))
        }
        return (true, absorb(effects))
    }

    private mutating func log(_ request: ServiceRequest, status: Int, isSpoilt: Bool, now: Int64) -> Int {
        lastRequest += 1
        requests.append(
            LoggedRequest(
                number: lastRequest,
                method: request.method,
                path: request.rawPath,
                query: request.rawQuery,
                headers: LoggedRequest.withoutSecrets(request.headers, publicKey: service.publicKey),
                body: request.body,
                time: now,
                status: status,
                isSpoilt: isSpoilt
            )
        )
        if requests.count > 10_000 { requests.removeFirst(1_000) }
        return lastRequest
    }

    mutating func clearLogs() {
        requests = []
        violations = []
        service.recordedEvents = []
        realtime.acks.removeAll { $0.arguments != nil }
    }

    /// Keeps the violations among the effects.
    mutating func absorb(_ effects: [RealtimeServer.Effect]) -> [RealtimeServer.Effect] {
        for case .violation(let violation) in effects where violations.count < 10_000 { violations.append(violation) }
        return effects
    }

    // MARK: Sockets

    mutating func received(_ text: String, on id: RealtimeServer.ConnectionID, wall: Int64) -> [RealtimeServer.Effect] {
        let now = wall + clockOffset
        return absorb(realtime.received(text, on: id, now: now) { service.admit($0, now: now) })
    }

    mutating func receivedBinary(on id: RealtimeServer.ConnectionID) -> [RealtimeServer.Effect] {
        absorb(realtime.receivedBinary(on: id))
    }

    mutating func closed(_ id: RealtimeServer.ConnectionID, wall: Int64) -> [RealtimeServer.Effect] {
        absorb(realtime.closed(id, now: wall + clockOffset))
    }
}
