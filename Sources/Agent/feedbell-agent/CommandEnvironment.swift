import Agent
import ClientKit
import DBus
import FoundationEssentials
import Glibc
import Logging

extension ServiceEnvironment {
    /// Runs `body` with network and secrets, for a command that asks a service and ends.
    static func withEnvironment<Result, Failure>(
        keyring: Keyring,
        _ body: (ServiceEnvironment) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        signal(SIGPIPE, SIG_IGN)
        // No log messages: the command reports all problems.
        let logger = Logger(label: "feedbell-agent") { _ in SwiftLogNoOpLogHandler() }
        let options = TransportOptions(proxies: ProxyRules(environment: ProcessInfo.processInfo.environment))
        let transport = NIOTransport(
            options: options,
            eventLoop: AgentMain.loop.eventLoop,
            desktopProxies: { url in
                guard let bus = try? await Bus.connect(to: .session, loop: AgentMain.loop) else { return nil }
                return await ProxyResolverPortal.proxies(for: url, on: bus)
            },
            logger: logger
        )
        let environment = ServiceEnvironment(
            transport: transport,
            keyring: keyring,
            now: AgentEnvironment().now,
            logger: logger
        )
        do throws(Failure) {
            let result = try await body(environment)
            await transport.shutdown()
            return result
        } catch {
            await transport.shutdown()
            throw error
        }
    }
}

extension SecretService {
    /// The Secret Service of this session; nil: there is no session bus.
    static func session() async -> SecretService? {
        guard let bus = try? await Bus.connect(to: .session, loop: AgentMain.loop) else { return nil }
        return SecretService(bus: bus)
    }
}
