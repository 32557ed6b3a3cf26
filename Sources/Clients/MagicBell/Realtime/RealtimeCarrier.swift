/// The connection that carries the events of the realtime feed.
package enum RealtimeCarrier: String, Sendable, Hashable, CaseIterable {
    /// The service's own WebSocket.
    case socket
    /// Ably, with the channel that the service's configuration names.
    case ably

    /// The carrier for a user when none is configured: Ably, if the API offers it and the user's configuration names a
    /// channel.
    package static func automatic(_ capabilities: APICapabilities, _ configuration: UserConfiguration?) -> Self {
        capabilities.contains(.ably) && configuration != nil ? .ably : .socket
    }
}

/// Connects to the carrier that the service's configuration names, which is asked once in each run.
actor AutomaticConnector: RealtimeConnector {
    private let api: any InboxAPI
    private let ably: AblyConnector
    private let socket: InboxSocketConnector
    private var carrier: RealtimeCarrier?

    init(api: any InboxAPI, ably: AblyConnector, socket: InboxSocketConnector) {
        self.api = api
        self.ably = ably
        self.socket = socket
    }

    func startOver() async {
        carrier = nil
        await ably.startOver()
        await socket.startOver()
    }

    func connect(_ report: @escaping @Sendable (RealtimeUpdate) async -> Void) async -> ConnectionEnd {
        do throws(MagicBellError) {
            switch try await chosenCarrier() {
            case .ably: return await ably.connect(report)
            case .socket: return await socket.connect(report)
            }
        } catch {
            return ConnectionEnd(error)
        }
    }

    private func chosenCarrier() async throws(MagicBellError) -> RealtimeCarrier {
        if let carrier { return carrier }
        let offersAbly = api.capabilities.contains(.ably)
        let configuration = offersAbly ? try await configuration() : nil
        let chosen = RealtimeCarrier.automatic(api.capabilities, configuration)
        if let configuration { await ably.use(configuration) }
        carrier = chosen
        return chosen
    }

    private func configuration() async throws(MagicBellError) -> UserConfiguration? {
        do {
            return try await api.configuration()
        } catch {
            // A service that has abandoned Ably has no configuration.
            guard error.kind == .notFound else { throw error }
            return nil
        }
    }
}
