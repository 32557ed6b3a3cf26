/// The state and the logic of the sandbox: service, sockets, faults and logs.
///
/// `service` and `realtime` are SuprSend's. The options decide which service answers.
///
/// A value: its input are requests, frames and commands with the time, its output are answers and effects.
package struct SandboxState: Sendable {
    /// The answer to a request and its effects.
    struct Outcome {
        var number: Int
        var response: ServiceResponse
        /// The fault of the answer; nil = send it unchanged.
        var fault: RequestFault.Kind?
        var effects: [SocketEffect]
    }

    package var service: SandboxService
    package var realtime: RealtimeServer
    package var magicBell: MagicBellState
    /// nil: there is none.
    package var signIn: SimulatedSignIn?
    /// The service that answers in place of these; nil: none.
    var other: Other?
    package var faults: [RequestFault] = []
    /// Oldest first; the newest 10,000.
    package private(set) var requests: [LoggedRequest] = []
    package private(set) var violations: [Violation] = []
    /// The numbers of requests whose answers wait for `release`.
    package internal(set) var held: Set<Int> = []
    var clockOffset: Int64
    /// Where it listens; 0: nowhere.
    var port = 0
    let options: SandboxOptions
    private var lastRequest = 0

    package init(options: SandboxOptions = SandboxOptions(), simulating other: (any SimulatedService)? = nil) {
        self.options = options
        self.other = other.map { Other(service: $0) }
        service = SandboxService(options: options)
        realtime = RealtimeServer(options: options)
        magicBell =
            if case .magicBell(let options) = options.service { MagicBellState(options: options) } else {
                MagicBellState()
            }
        signIn = options.hasSignIn ? SimulatedSignIn(users: options.names) : nil
        clockOffset = options.clockOffset
    }

    // MARK: HTTP

    /// Serves a request.
    ///
    /// - Parameter wall: the real time in milliseconds since the Unix epoch, without the sandbox's offset.
    mutating func handle(_ request: ServiceRequest, wall: Int64) -> Outcome {
        let now = wall + clockOffset
        let fault = faults.firstIndex { $0.matches(request) }.map { index in
            faults[index].times -= 1
            return faults[index]
        }
        faults.removeAll { $0.times <= 0 }

        var served = serve(request, now: now)
        // An upgrade declined because of a fault is not a violation. The fault may have ended since.
        if fault != nil || SocketRequest.isUpgrade(request), isValidUpgrade(request) { served.violations = [] }
        var effects = served.violations.map(SocketEffect.violation)
        if fault.map({ $0.applied || $0.kind.appliesAnyway }) ?? true { effects += served.apply(&self) }
        var response = served.response
        if case .respond(let forced)? = fault?.kind { response = forced }
        let number = log(request, status: response.status, isSpoilt: fault != nil, now: now)
        if fault?.kind == .hold { held.insert(number) }
        effects.append(.log("\(request.method) \(request.rawPath) \(response.status)\(fault == nil ? "" : " (fault)")"))
        return Outcome(number: number, response: response, fault: fault?.kind, effects: absorb(effects))
    }

    /// Whether a WebSocket upgrade is granted; a declined one is then served like any other request.
    mutating func grantsUpgrade(_ request: ServiceRequest, wall: Int64) -> (
        granted: Bool, effects: [SocketEffect]
    ) {
        guard !faults.contains(where: { $0.matches(request) }), isValidUpgrade(request) else {
            return (false, [])
        }
        _ = log(request, status: 101, isSpoilt: false, now: wall + clockOffset)
        var effects: [SocketEffect] = []
        for name in ["authorization", "x-ss-signature", "x-magicbell-api-key"] where request.headers[name] != nil {
            let violation = Violation(
                kind: .header,
                message: "The WebSocket upgrade carries \(name); credentials belong \(credentialsPlace).",
                context: "\(request.method) \(request.target)"
            )
            effects.append(.violation(violation))
        }
        return (true, absorb(effects))
    }

    private var credentialsPlace: String { options.isMagicBell ? "in the query" : "in CONNECT" }

    /// The answer of the service, and what else happens unless a fault prevents it.
    private struct Served {
        var response: ServiceResponse
        var violations: [Violation]
        var apply: (inout SandboxState) -> [SocketEffect]
    }

    private func serve(_ request: ServiceRequest, now: Int64) -> Served {
        if request.method == "GET", let picture = SamplePicture(path: request.rawPath) {
            let response = ServiceResponse(status: 200, headers: ["Content-Type": "image/png"], body: picture.file)
            return Served(response: response, violations: []) { _ in [] }
        }
        if var trial = other {
            let answer = trial.service.handle(request, now: now)
            return Served(response: answer.response, violations: []) { [trial] state in
                state.other = trial
                return answer.effects
            }
        }
        if var trial = signIn, let answer = trial.handle(request, now: now) {
            return Served(response: response(to: answer, now: now), violations: []) { [trial] state in
                state.signIn = trial
                return []
            }
        }
        if options.isMagicBell {
            var trial = magicBell.service
            let answer = MagicBellState.upgradeRefusal(request) ?? trial.handle(request, now: now)
            return Served(response: answer.response, violations: answer.violations) { [trial] state in
                state.magicBell.service = trial
                return state.magicBell.publish(answer.events, now: now)
            }
        }
        var trial = service
        let isSocket = request.rawPath.hasPrefix("/socket.io")
        let answer = isSocket ? EngineUpgrade.refusal(of: request) : trial.handle(request, now: now)
        return Served(response: answer.response, violations: answer.violations) { [trial] state in
            state.service = trial
            return answer.events.flatMap { event -> [SocketEffect] in
                [.log("\(event.user.user): \(event.name) \(event.payload.text)")]
                    + state.realtime.broadcast(event.name, [event.payload], to: event.user, now: now)
            }
        }
    }

    /// The answer to a request of a sign-in, with the service's token of a user.
    private func response(to answer: SimulatedSignIn.Answer, now: Int64) -> ServiceResponse {
        switch answer {
        case .response(let response): return response
        case .userToken(let user):
            guard var command = try? SandboxCommand("token", ["user": .string(user)]),
                let token = try? list(&command, now: now)
            else { return ServiceResponse(status: 403, json: ["error": "no access"]) }
            return ServiceResponse(json: token)
        }
    }

    private func isValidUpgrade(_ request: ServiceRequest) -> Bool {
        if let other { return SocketRequest.isUpgrade(request) && other.service.grantsUpgrade(request) }
        return options.isMagicBell ? (try? SocketRequest(request)) != nil : EngineUpgrade.isValid(request)
    }

    private mutating func log(_ request: ServiceRequest, status: Int, isSpoilt: Bool, now: Int64) -> Int {
        lastRequest += 1
        requests.append(
            LoggedRequest(
                number: lastRequest,
                method: request.method,
                path: request.rawPath,
                query: request.rawQuery.map(LoggedRequest.withoutSecrets),
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

    /// Adds the violations among the effects to the log and returns all effects.
    mutating func absorb(_ effects: [SocketEffect]) -> [SocketEffect] {
        for case .violation(let violation) in effects where violations.count < 10_000 { violations.append(violation) }
        return effects
    }
}
