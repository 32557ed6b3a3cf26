import AgentInterface
import DBus
import Sandbox
import TestSupport
import Testing

/// The service, or what answers in its place, answers nonsense or refuses.
@Suite(.sessionBus, .timeLimit(.minutes(5))) struct InvalidAnswerTests {
    @Test(
        "A failed request for details is retried a limited number of times",
        arguments: TestedService.allCases,
        [
            RequestFault(.respond(Self.captivePortal)), .status(401), .status(403), .status(404), .status(429),
            .status(500), .status(503),
            RequestFault(.respond(ServiceResponse(status: 200, body: []))), RequestFault(.closeMidBody),
            RequestFault(.reset), RequestFault(.large(bytes: 100_000_000)),
            RequestFault(.endless), RequestFault(.slowLoris(milliseconds: 50)),
        ]
    ) func invalidAnswers(service: TestedService, fault: RequestFault) async throws {
        try await service.withAgent(environment: [:]) { sandbox, agent in
            var fault = fault
            fault.path = service.listPath + "/"
            fault.times = 1
            await sandbox.inject(fault)
            let id = try await sandbox.publish(service.fields("Sale"))
            #expect(try await agent.popup().summary == "Sale", "it was asked for again")
            let details = await sandbox.requests.filter { $0.path == "\(service.listPath)/\(id)" }
            #expect(details.count <= 5, "no busy loop")
        }
    }

    @Test(
        "Invalid answers at the start are reported and retried",
        arguments: TestedService.allCases,
        [
            RequestFault.status(401), .status(503), RequestFault(.respond(Self.captivePortal)), RequestFault(.reset),
        ]
    ) func invalidFirstAnswers(service: TestedService, fault: RequestFault) async throws {
        try await Sandbox.with(service.options) { sandbox in
            try await invalidFirstAnswers(service, fault, sandbox)
            #expect(await sandbox.violations.isEmpty)
        }
    }

    private func invalidFirstAnswers(
        _ service: TestedService,
        _ fault: RequestFault,
        _ sandbox: Sandbox
    ) async throws {
        let isRefusal = fault == .status(401)
        var fault = isRefusal ? service.refusal(401, path: "/") : fault
        fault.path = service.listPath
        fault.times = 1_000_000
        await sandbox.inject(fault)
        let text = service.account(at: sandbox.baseURL)
        try await BuiltAgent.alone(text, environment: isRefusal ? BuiltAgent.shortWaits : [:]) { agent in
            try await agent.account.wait(AgentAccount.state, is: isRefusal ? "unauthorized" : "offline")
            let account = agent.account
            let name = (isRefusal ? AgentErrors.unauthorized : AgentErrors.offline).text
            try await account.wait(AgentAccount.lastError) {
                $0.elements.0 == name
                    && ($0.elements.1.contains("Check the account's ")
                        || $0.elements.1.contains("no longer accepts your ")) == isRefusal
            }
            // Its waits between attempts are longer than a tenth of a second, or than a twentieth of half a minute. A
            // request is repeated at once after a reset of its connection, and with another token.
            let path = service.listPath
            let times = try await sandbox.wait { state in
                let times = state.requests.filter { $0.path == path }.map(\.time)
                return times.count >= 4 ? times : nil
            }
            let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
            let shortGaps = gaps.count { $0 < (isRefusal ? 1_500 : 100) - 5 }
            #expect(shortGaps <= (service == .suprSend ? 0 : gaps.count - gaps.count / 2), "no busy loop: \(gaps)")
            try await sandbox.execute("clear-faults")
            try await agent.account.wait(AgentAccount.state, is: "online")
        }
    }

    @Test("A rate limit is respected: no request for the list comes before its end", arguments: TestedService.allCases)
    func rateLimit(service: TestedService) async throws {
        try await Sandbox.with(service.options) { sandbox in
            let fault = service.refusal(429, retryAfter: 2, path: service.listPath, times: 1)
            await sandbox.inject(fault)
            try await BuiltAgent.alone(service.account(at: sandbox.baseURL), environment: BuiltAgent.shortWaits) {
                agent in
                let times = try await sandbox.wait { state in
                    let times = state.requests.filter { $0.path == service.listPath }.map(\.time)
                    return times.count >= 2 ? times : nil
                }
                #expect(times[1] - times[0] >= 1_900, "\(times)")
                try await agent.account.wait(AgentAccount.state, is: "online")
            }
            #expect(await sandbox.violations.isEmpty)
        }
    }

    /// The answer of a captive portal.
    private static let captivePortal = ServiceResponse(
        status: 200,
        headers: ["Content-Type": "text/html"],
        body: Array("<html>Please sign in</html>".utf8)
    )
}
