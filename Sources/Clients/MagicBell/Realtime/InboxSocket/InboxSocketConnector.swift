import Basics
import ClientKit
import Logging

/// Connects to the service's own socket, with a token that is registered at the service.
actor InboxSocketConnector: RealtimeConnector {
    private let api: any InboxAPI
    private let driver: SocketDriver
    private let host: String
    private let logger: Logger
    private let storage: InboxTokenStorage
    private var token = InboxToken()
    private var pingInterval = PingInterval()
    /// Whether the token of the previous run was looked for.
    private var isRestored = false

    init(api: any InboxAPI, driver: SocketDriver, host: String, storage: InboxTokenStorage, logger: Logger) {
        self.api = api
        self.storage = storage
        self.driver = driver
        self.host = host
        self.logger = logger
    }

    /// The URL with the registered token (MagicBell's documentation, "Realtime").
    static func url(host: String, _ registration: InboxTokenRegistration) -> String {
        var base = host[...]
        while base.last == "/" { base.removeLast() }
        return "\(base)?api_key=\(registration.apiKey.percentEncoded)&token=\(registration.token.percentEncoded)"
    }

    /// After a change of the network, among others: the router may be another one.
    func startOver() { pingInterval = PingInterval() }

    func connect(_ report: @escaping @Sendable (RealtimeUpdate) async -> Void) async -> ConnectionEnd {
        let registration: InboxTokenRegistration
        do throws(MagicBellError) {
            registration = try await currentRegistration()
        } catch {
            return ConnectionEnd(error)
        }
        var session = InboxSocketSession(pingInterval: pingInterval.duration)
        let url = Self.url(host: host, registration)
        switch await driver.run(to: url, &session, perform: { await self.perform($0, report) }) {
        case .cancelled:
            return .cancelled
        case .notOpened(let error):
            let end = ConnectionEnd(notOpened: error)
            if end.isRetriedAtOnce { token.discard() } else if error.isFromServer { token.handshakeFailed() }
            if token.registration == nil { await storage.save(nil) }
            return end
        case .lost(let error):
            return ConnectionEnd(error)
        case .ended(let end):
            if end == .silence { pingInterval.connectionWasSilent() }
            if end.needsNewToken {
                token.discard()
                await storage.save(nil)
            }
            return ConnectionEnd(end, secrets: [registration.token])
        }
    }

    private func currentRegistration() async throws(MagicBellError) -> InboxTokenRegistration {
        if !isRestored {
            isRestored = true
            if let kept = await storage.load() { token.restored(kept) }
        }
        if let registration = token.registration { return registration }
        let registration = try await api.registerInboxToken(token.sessionID)
        token.registered(registration)
        await storage.save(registration)
        return registration
    }

    private func perform(
        _ output: InboxSocketSession.Output,
        _ report: @Sendable (RealtimeUpdate) async -> Void
    ) async -> SocketDriver.BackgroundWork<Never>? {
        switch output {
        case .opened:
            token.opened()
            await report(.connected(isContinuous: false))
        case .received(let event):
            await report(.event(event))
        case .reported(let error):
            let text = Redaction.tokens(in: error.message, secrets: token.registration.map { [$0.token] } ?? [])
            logger.warning(
                "realtime server reported an error",
                metadata: ["code": "\(error.code)", "message": "\(text)"]
            )
        case .ignored:
            logger.debug("realtime frame ignored")
        }
        return nil
    }
}
