import FoundationEssentials
import ServiceKit
import SuprSend
import Transport

/// Checks an account of SuprSend: its token, then all hosts at once.
struct SuprSendCheck: Sendable {
    let account: String
    let service: SuprSendService
    let scope: CheckScope
    let environment: ServiceEnvironment

    func facts() async throws(SuprSendError) -> SuprSendFacts {
        let transport = environment.transport.trusting(service.caFile)
        let context = try RequestContext(service, environment, transport: transport)
        let (token, place) = await token()
        var userToken: UserToken?
        if case .read(let read) = token { userToken = read }
        let probe = ServiceProbe(
            context: context,
            distinctID: service.distinctID,
            tenantID: service.tenantID,
            token: userToken
        )
        let hosts: [ServiceProbe.Host] = scope == .everything ? ServiceProbe.Host.allCases : [.hub, .api]
        let checks = await withTaskGroup { group in
            for (index, observation) in await probe.run(hosts).enumerated() {
                group.addTask { (index, await host(observation, transport)) }
            }
            var checks: [(Int, SuprSendFacts.Host)] = []
            for await check in group { checks.append(check) }
            return checks.sorted { $0.0 < $1.0 }.map(\.1)
        }
        return SuprSendFacts(
            account: account,
            service: service,
            now: Date(),
            clockOffset: probe.clockOffset,
            token: token,
            commandPlace: place,
            isTokenStored: scope == .everything,
            caFileProblem: transport.trustProblem?.detail,
            hosts: checks
        )
    }

    /// The token as the agent gets it, and where its command was run, if it has one.
    private func token() async -> (SuprSendFacts.Token, CommandPlace?) {
        guard let source = service.token else { return (.none, nil) }
        let check = await TokenCheck(source, keyring: environment.keyring) { (try? UserToken($0)) != nil }
        let token: SuprSendFacts.Token =
            switch check.outcome {
            case .text(let text): (try? UserToken(text)).map(SuprSendFacts.Token.read) ?? .malformed
            case .unavailable(let reason, let remedy): .unavailable(reason, remedy: remedy)
            case .onlyHere(let command): .onlyHere(command)
            }
        return (token, check.place)
    }

    private func host(_ observation: ServiceProbe.Observation, _ transport: NIOTransport) async -> SuprSendFacts.Host {
        var host = SuprSendFacts.Host(observation: observation, proxy: transport.proxy(for: observation.url))
        if case .failed(let error) = observation.outcome {
            (host.certificates, host.acceptsConnections) =
                await transport.clues(to: error, from: observation.url, timeout: ServiceProbe.deadline)
        }
        return host
    }
}
