import ClientKit
import FoundationEssentials
import SuprSend

/// Checks an account of SuprSend: its token, then all hosts at once.
struct SuprSendCheck: Sendable {
    let account: String
    let service: SuprSendService
    let scope: CheckScope
    let environment: ServiceEnvironment

    func facts() async throws(SuprSendError) -> SuprSendFacts {
        let transport = environment.transport.trusting(service.caFile)
        let context = try RequestContext(service, environment, transport: transport)
        let token = await TokenCheck(service.token, environment, caFile: service.caFile) { try? UserToken($0) }
        var userToken: UserToken?
        if case .read(let read) = token.outcome { userToken = read }
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
            isTokenStored: scope == .everything,
            caFileProblem: transport.trustProblem?.detail,
            hosts: checks
        )
    }

    private func host(_ observation: ServiceProbe.Observation, _ transport: NIOTransport) async -> SuprSendFacts.Host {
        var host = SuprSendFacts.Host(observation: observation, proxy: await transport.proxy(for: observation.url))
        if case .failed(let error) = observation.outcome {
            (host.certificates, host.acceptsConnections) =
                await transport.clues(to: error, from: observation.url, timeout: ServiceProbe.deadline)
        }
        return host
    }
}
