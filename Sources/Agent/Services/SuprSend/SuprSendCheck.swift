import FoundationEssentials
import Glibc
import Logging
import SuprSend
import Transport

/// Finds out what there is to know about an account of SuprSend: its token, then all hosts at once.
struct SuprSendCheck: Sendable {
    let account: String
    let configuration: SuprSendConfiguration
    let transport: NIOTransport
    let keyring: Keyring
    let logger: Logger

    func facts() async throws(SuprSendError) -> SuprSendFacts {
        let transport = transport.trusting(configuration.caFile)
        let workspace = try Workspace(configuration, transport: transport, logger: logger)
        let token = await token()
        var userToken: UserToken?
        if case .read(let read) = token { userToken = read }
        let probe = ServiceProbe(
            workspace: workspace,
            distinctID: configuration.distinctID,
            tenantID: configuration.tenantID,
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
            configuration: configuration,
            now: Date(),
            clockOffset: probe.clockOffset,
            token: token,
            tokenFileMode: tokenFileMode,
            hosts: hosts
        )
    }

    private func token() async -> SuprSendFacts.Token {
        guard let source = configuration.token else { return .none }
        do throws(TokenReader.Failure) {
            let text = try await TokenReader(source: source, clock: ContinuousClock(), keyring: keyring).read()
            do throws(SuprSendError) { return .read(try UserToken(text)) } catch { return .malformed }
        } catch {
            return .unavailable(error.description)
        }
    }

    private var tokenFileMode: UInt32? {
        guard case .file(let path)? = configuration.token else { return nil }
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    private func host(_ observation: ServiceProbe.Observation, _ transport: NIOTransport) async -> SuprSendFacts.Host {
        var host = SuprSendFacts.Host(observation: observation, proxy: transport.proxy(for: observation.url))
        if case .failed(let error) = observation.outcome, error.cause == .untrustedCertificate {
            host.certificates =
                (try? await transport.certificates(of: observation.url, timeout: ServiceProbe.deadline)) ?? []
        }
        return host
    }
}
