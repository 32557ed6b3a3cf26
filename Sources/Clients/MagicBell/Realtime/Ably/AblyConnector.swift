import ClientKit
import Logging

/// Connects to Ably: the service names the channel and signs the token request, Ably issues the token.
actor AblyConnector: RealtimeConnector {
    /// The client's name for Ably.
    private static let agent = "feedbell-magicbell/1.0"

    private let api: any InboxAPI
    private let tokens: AblyTokens
    private let driver: SocketDriver
    private let internet: InternetCheck
    private let environment: ClientEnvironment
    private let logger: Logger
    private var hosts: HostFallback

    /// The user's channel; nil: to be loaded.
    private var channel: String?
    /// The channel of ``resumption``.
    private var resumptionChannel: String?
    private var resumption = Resumption()
    /// The latest token, to remove it from the server's texts.
    private var secrets: [String] = []

    init(
        api: any InboxAPI,
        tokens: AblyTokens,
        driver: SocketDriver,
        hosts: HostFallback.Hosts,
        internet: InternetCheck,
        environment: ClientEnvironment,
        logger: Logger
    ) {
        self.api = api
        self.tokens = tokens
        self.driver = driver
        self.hosts = HostFallback(hosts)
        self.internet = internet
        self.environment = environment
        self.logger = logger
    }

    /// The user's configuration, which was just loaded.
    func use(_ configuration: UserConfiguration) { setChannel(configuration.channel) }

    func startOver() { channel = nil }

    func connect(_ report: @escaping @Sendable (RealtimeUpdate) async -> Void) async -> ConnectionEnd {
        var end = ConnectionEnd.cancelled
        var step = hosts.startOver()
        while !Task.isCancelled {
            switch step {
            case .connect(let host):
                let isHostFault: Bool
                (end, isHostFault) = await connect(to: host, report)
                guard isHostFault else { return end }
                step = hosts.failed()
            case .checkInternet(let page):
                let isOnline = await internet.isUp(page)
                step = hosts.checked(isOnline: isOnline, random: environment.jitter)
            case .wait: return end
            }
        }
        return .cancelled
    }

    /// Runs one connection to its end. Returns also whether another host may be reachable.
    private func connect(
        to host: String,
        _ report: @escaping @Sendable (RealtimeUpdate) async -> Void
    ) async -> (ConnectionEnd, isHostFault: Bool) {
        var session: AblySession
        let url: String
        do throws(MagicBellError) {
            let channel = try await currentChannel()
            let token = try await tokens.current()
            secrets = [token.value]
            let key = resumption.resumeKey(at: tokens.now)
            url = AblyURL.realtime(host: host, token: token.value, resume: key, agent: Self.agent)
            session = AblySession(channel: channel, resumption: resumption, tokenLifetime: token.lifetime)
        } catch {
            return (ConnectionEnd(error), false)
        }
        let outcome = await driver.run(to: url, &session) { output in await self.perform(output, report) }
        resumption = session.resumption
        resumption.lost(at: tokens.now)
        switch outcome {
        case .cancelled: return (.cancelled, false)
        case .lost(let error): return (ConnectionEnd(error), false)
        case .notOpened(let error): return (ConnectionEnd(error), error.isHostFault)
        case .ended(let end):
            if end.needsNewToken { await tokens.discard() }
            // The user's channel may have changed at the service.
            if end.needsNewChannel { channel = nil }
            return (ConnectionEnd(end, secrets: secrets), end.isHostFault)
        }
    }

    private func currentChannel() async throws(MagicBellError) -> String {
        if let channel { return channel }
        guard let configuration = try await api.configuration() else {
            throw MagicBellError(
                .unsupported,
                "The service's configuration of this user names no Ably channel; use its own socket instead."
            )
        }
        setChannel(configuration.channel)
        return configuration.channel
    }

    /// A position in one channel means nothing in another one.
    private func setChannel(_ name: String) {
        if name != resumptionChannel { resumption = Resumption() }
        resumptionChannel = name
        channel = name
    }

    private func perform(
        _ output: AblySession.Output,
        _ report: @Sendable (RealtimeUpdate) async -> Void
    ) async -> SocketDriver.BackgroundWork<AblyToken?>? {
        switch output {
        case .requestToken:
            return { await self.renewedToken() }
        case .attached(let isContinuous):
            await report(.connected(isContinuous: isContinuous))
        case .received(let message):
            if let event = InboxEvent(name: message.name ?? "", data: message.content?.json) {
                await report(.event(event))
            } else {
                logger.debug("realtime message ignored", metadata: ["name": "\((message.name ?? "").cut(to: 64))"])
            }
        case .skipped(let error):
            logger.debug("frame skipped", metadata: ["reason": "\(error)"])
        }
        return nil
    }

    private func renewedToken() async -> AblyToken? {
        do throws(MagicBellError) {
            let token = try await tokens.renewed()
            secrets = [token.value]
            return token
        } catch {
            logger.debug("realtime token not renewed", metadata: ["reason": "\(error.message)"])
            return nil
        }
    }
}
