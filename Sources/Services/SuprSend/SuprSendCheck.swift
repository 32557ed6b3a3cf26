import FoundationEssentials
import ServiceKit
import SuprSend
import Transport

/// Finds out what there is to know about an account of SuprSend: its token, then all hosts at once.
struct SuprSendCheck: Sendable {
    let account: String
    let service: SuprSendService
    let surroundings: ServiceSurroundings

    /// For a token's command: a person watches.
    static let patience = Duration.seconds(10)

    func facts() async throws(SuprSendError) -> SuprSendFacts {
        let transport = surroundings.transport.trusting(service.caFile)
        let workspace = try RequestContext(service, surroundings, transport: transport)
        let (token, place) = await token()
        var userToken: UserToken?
        if case .read(let read) = token { userToken = read }
        let probe = ServiceProbe(
            workspace: workspace,
            distinctID: service.distinctID,
            tenantID: service.tenantID,
            token: userToken
        )
        let hosts = await withTaskGroup { group in
            for (index, observation) in await probe.run().enumerated() {
                group.addTask { (index, await host(observation, transport)) }
            }
            var hosts: [(Int, SuprSendFacts.Host)] = []
            for await host in group { hosts.append(host) }
            return hosts.sorted { $0.0 < $1.0 }.map(\.1)
        }
        return SuprSendFacts(
            account: account,
            service: service,
            now: Date(),
            clockOffset: probe.clockOffset,
            token: token,
            commandPlace: place,
            caFileComplaint: transport.complaintAboutTrust?.detail,
            hosts: hosts
        )
    }

    /// The token as the agent gets it, and where its command was run, if it has one.
    private func token() async -> (SuprSendFacts.Token, CommandPlace?) {
        guard let source = service.token else { return (.none, nil) }
        guard case .command(let words) = source else { return (await token(from: source), nil) }
        let place = await CommandPlace.ofTheAgent()
        let token = await token(from: source, place)
        guard place == .unit, case .unavailable = token else { return (token, place) }
        if case .read = await self.token(from: source, .here) { return (.onlyHere(words[0]), place) }
        return (token, place)
    }

    private func token(from source: TokenSource, _ place: CommandPlace = .here) async -> SuprSendFacts.Token {
        let reader = TokenReader(
            source: source,
            clock: ContinuousClock(),
            keyring: surroundings.keyring,
            place: place,
            deadline: Self.patience
        )
        do throws(TokenReader.Failure) {
            let text = try await reader.read()
            do throws(SuprSendError) { return .read(try UserToken(text)) } catch { return .malformed }
        } catch {
            return .unavailable(error.sentence, remedy: error.remedy)
        }
    }

    private func host(_ observation: ServiceProbe.Observation, _ transport: NIOTransport) async -> SuprSendFacts.Host {
        var host = SuprSendFacts.Host(observation: observation, proxy: transport.proxy(for: observation.url))
        if case .failed(let error) = observation.outcome, error.cause == .untrustedCertificate {
            host.certificates =
                (try? await transport.certificates(of: observation.url, timeout: ServiceProbe.deadline)) ?? []
        }
        if case .failed(let error) = observation.outcome, error.kind == .timeout, host.proxy == nil {
            host.acceptsConnections = await transport.canConnect(to: observation.url, timeout: .seconds(3))
        }
        return host
    }
}
